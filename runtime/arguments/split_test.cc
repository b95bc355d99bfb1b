#include "runtime/arguments/split.h"

#include <gtest/gtest.h>

#include <random>

namespace packetmill {
namespace {

using Texts = std::vector<std::string>;

TEST(SplitArguments, SplitsAtCommasAndTrims) {
  EXPECT_EQ(split_arguments("1,  LENGTH 60 ,x y"), (Texts{"1", "LENGTH 60", "x y"}));
  EXPECT_EQ(split_arguments(""), Texts{});
  EXPECT_EQ(split_arguments(" \t\n"), Texts{});
}

TEST(SplitArguments, KeepsEmptyArgumentsExceptTheLast) {
  EXPECT_EQ(split_arguments("1, , 2"), (Texts{"1", "", "2"}));
  EXPECT_EQ(split_arguments("1, "), Texts{"1"});
  EXPECT_EQ(split_arguments("1, /* nothing */"), Texts{"1"});
}

TEST(SplitArguments, LeavesQuotesAlone) {
  EXPECT_EQ(split_arguments(R"("a, b" , 'c, d', \<2C, 2c>, "\",")"),
            (Texts{R"("a, b")", "'c, d'", R"(\<2C, 2c>)", R"("\",")"}));
  EXPECT_EQ(split_arguments(R"("// no comment", '/*')"), (Texts{R"("// no comment")", "'/*'"}));
}

TEST(SplitArguments, TakesACommentForOneSpace) {
  EXPECT_EQ(split_arguments("a/* , */b, c // d, e\n, f"), (Texts{"a b", "c", "f"}));
  EXPECT_EQ(split_arguments("a /* open, b"), Texts{"a"});
}

TEST(SplitArguments, GivesEachArgumentItsPlace) {
  const auto arguments = split_arguments("1,\r\n  two, // comment\n\n , three", Location{"f", 3, 10});
  ASSERT_EQ(arguments.size(), 4u);
  const auto place = [&](int i) { return std::pair(arguments[i].where.line, arguments[i].where.column); };
  EXPECT_EQ(place(0), std::pair(3, 10));
  EXPECT_EQ(place(1), std::pair(4, 3));
  EXPECT_EQ(place(2), std::pair(6, 2)) << "an empty argument stands where its comma does";
  EXPECT_EQ(place(3), std::pair(6, 4));
  EXPECT_EQ(arguments[3].where.file, "f");
}

TEST(SplitWords, SplitsAtSpaceAndKeepsQuotes) {
  EXPECT_EQ(split_words(R"( a "b c"  d'e f'/**/g \<41 42>)"), (Texts{"a", R"("b c")", "d'e f'", "g", R"(\<41 42>)"}));
  EXPECT_EQ(split_words("  "), Texts{});
}

TEST(Unquote, JoinsPartsAndSubstitutes) {
  EXPECT_EQ(unquote(R"(a"b"'c')"), "abc");
  EXPECT_EQ(unquote(R"("\a\b\t\n\v\f\r\\\"\q")"), "\a\b\t\n\v\f\r\\\"q");
  EXPECT_EQ(unquote(R"("\101\1012\7")"), "AA2\7");
  EXPECT_EQ(unquote(R"("\x41\x12342\x")"), "ABx");
  EXPECT_EQ(unquote("\"one\\\ntwo\\\r\nthree\""), "onetwothree");
  EXPECT_EQ(unquote(R"(\< 48 45 4c 4C 4f >)"), "HELLO");
  EXPECT_EQ(unquote(R"("\<4845>"'\<48>'\n)"), R"(HE\<48>\n)");
}

TEST(Unquote, SurvivesWhatIsNotTerminated) {
  EXPECT_EQ(unquote("\"abc"), "abc");
  EXPECT_EQ(unquote("\"abc\\"), "abc\\");
  EXPECT_EQ(unquote("'"), "");
  EXPECT_EQ(unquote("\\<41"), "A");
  EXPECT_EQ(unquote(""), "");
}

TEST(Quote, QuotesOnlyWhereNeeded) {
  EXPECT_EQ(quote("18.26.4.0/24"), "18.26.4.0/24");
  EXPECT_EQ(quote(""), R"("")");
  EXPECT_EQ(quote("a b"), R"("a b")");
  EXPECT_EQ(quote("http://x"), R"("http://x")");
  EXPECT_EQ(quote("$x\n"), R"("\$x\<0A>")");
}

TEST(Quote, IsUndoneByUnquote) {
  std::mt19937 random(1);
  for (int round = 0; round < 2000; ++round) {
    std::string text(random() % 12, '\0');
    for (char& c : text) c = static_cast<char>(random());
    const std::string quoted = quote(text);
    EXPECT_EQ(unquote(quoted), text);
    EXPECT_EQ(split_arguments(quoted), Texts{quoted});
    EXPECT_EQ(split_words(quoted), Texts{quoted});
  }
}

}  // namespace
}  // namespace packetmill
