#include "runtime/keyword.h"

#include <gtest/gtest.h>

namespace packetmill {
namespace {

struct Parameters {
  std::uint32_t a = 0;
  std::uint32_t b = 0;
  Text name;
  bool flag = false;
};
struct Control {
  bool active = true;
};

/// What became of a configuration string: the parameters, and the errors one a line.
struct Result {
  Parameters parameters;
  Control control;
  std::string errors;
};

template <std::size_t N>
Result configure(const std::array<Keyword, N>& keywords, const std::string& text) {
  Result result;
  Diagnostics diagnostics;
  Arena arena;
  Configuration configuration(text, {"test", 1, 1}, "e :: E", {2, 3}, kNoNames, arena, diagnostics);
  configuration.take(keywords.data(), keywords.size(),
                     {{type_tag<Parameters>(), &result.parameters}, {type_tag<Control>(), &result.control}});
  configuration.finish();
  for (const Diagnostic& diagnostic : diagnostics.list()) {
    result.errors += diagnostic.message + "\n";
    if (!diagnostic.hint.empty()) result.errors += diagnostic.hint + "\n";
  }
  return result;
}

/// E(A [, B, keywords NAME, FLAG, ACTIVE])
constexpr std::array kKeywords{mandatory<&Parameters::a>("A"), positional<&Parameters::b>("B"),
                               keyword<&Parameters::name>("NAME"), keyword<&Parameters::flag>("FLAG"),
                               keyword<&Control::active>("ACTIVE")};

TEST(Keywords, FillParametersByPlaceAndByName) {
  for (const std::string text : {"1, 2, NAME x, FLAG true", "1, B 2, FLAG true, NAME x", "A 1, B 2, NAME x, FLAG true",
                                 "FLAG true, NAME x, B 2, A 1"}) {
    const Result result = configure(kKeywords, text);
    EXPECT_EQ(result.errors, "") << text;
    EXPECT_EQ(result.parameters.a, 1) << text;
    EXPECT_EQ(result.parameters.b, 2) << text;
    EXPECT_EQ(result.parameters.name, "x") << text;
    EXPECT_TRUE(result.parameters.flag) << text;
  }
}

TEST(Keywords, MayFillControl) { EXPECT_FALSE(configure(kKeywords, "1, ACTIVE false").control.active); }

TEST(Keywords, LeaveDefaultsWhereNothingIsSaid) {
  const Result result = configure(kKeywords, "1");
  EXPECT_EQ(result.errors, "");
  EXPECT_EQ(result.parameters.b, 0);
  EXPECT_TRUE(result.control.active);
}

TEST(Keywords, TheLastOfSeveralCounts) { EXPECT_EQ(configure(kKeywords, "1, B 2, B 3").parameters.b, 3); }

TEST(Keywords, AMandatoryArgumentTakesWhatLooksLikeAKeyword) {
  constexpr std::array keywords{mandatory<&Parameters::name>("NAME")};
  EXPECT_EQ(configure(keywords, "\"OTHER 5\"").parameters.name, "OTHER 5");
  EXPECT_EQ(configure(keywords, "NAME").parameters.name, "NAME") << "a word alone is a value";
}

TEST(Keywords, Errors) {
  EXPECT_EQ(configure(kKeywords, "").errors, "A: required argument missing\n");
  EXPECT_EQ(configure(kKeywords, "1, 2, 3").errors, "too many arguments\n");
  EXPECT_EQ(configure(kKeywords, "x").errors, "A: invalid number\n");
  EXPECT_EQ(configure(kKeywords, "1, FLAG maybe").errors.substr(0, 6), "FLAG: ");
  EXPECT_EQ(configure(kKeywords, "1, FLAGG true").errors, "FLAGG: unknown argument\ndid you mean 'FLAG'?\n");
  EXPECT_EQ(configure(kKeywords, "1, SOMETHING else").errors, "SOMETHING: unknown argument\n");
  EXPECT_EQ(configure(kKeywords, "1, FLAG x, B y").errors.find("B: invalid number\n"), 0) << "all of them are told";
}

TEST(Keywords, AMandatoryKeywordMustBeNamed) {
  constexpr std::array keywords{mandatory_keyword<&Parameters::a>("A")};
  EXPECT_EQ(configure(keywords, "A 1").parameters.a, 1);
  EXPECT_EQ(configure(keywords, "1").errors, "A: required argument missing\ntoo many arguments\n");
}

TEST(Keywords, SayWhatTypeTheyTake) {
  EXPECT_EQ(kKeywords[0].type, "unsigned");
  EXPECT_EQ(kKeywords[2].type, "text");
  EXPECT_EQ(kKeywords[3].type, "bool");
  EXPECT_TRUE(kKeywords[0].mandatory && kKeywords[0].positional);
  EXPECT_FALSE(kKeywords[1].mandatory || kKeywords[2].positional);
}

TEST(Configuration, GivesWhatNoKeywordTook) {
  Diagnostics diagnostics;
  Arena arena;
  Parameters parameters;
  constexpr std::array keywords{keyword<&Parameters::flag>("FLAG")};
  Configuration configuration("10.0.0.0/8 1, FLAG true, 0/0 2", {"test", 3, 7}, "e :: E", {2, 3}, kNoNames, arena,
                              diagnostics);
  configuration.take(keywords.data(), 1, {{type_tag<Parameters>(), &parameters}});
  const std::vector<Argument> rest = configuration.take_rest();
  configuration.finish();
  ASSERT_EQ(rest.size(), 2);
  EXPECT_EQ(rest[0].text, "10.0.0.0/8 1");
  EXPECT_EQ(rest[1].text, "0/0 2");
  EXPECT_TRUE(parameters.flag);
  EXPECT_EQ(diagnostics.errors(), 0);
  configuration.error(rest[1], "wrong");
  EXPECT_EQ(diagnostics.list()[0].where.line, 3);
  EXPECT_EQ(diagnostics.list()[0].where.column, 32);
  EXPECT_EQ(diagnostics.list()[0].element, "e :: E");
}

TEST(Configuration, KnowsHowTheElementIsConnected) {
  Diagnostics diagnostics;
  Arena arena;
  const Configuration configuration("", {"test", 1, 1}, "e :: E", {2, 3}, kNoNames, arena, diagnostics);
  EXPECT_EQ(configuration.inputs(), 2);
  EXPECT_EQ(configuration.outputs(), 3);
}

TEST(Arena, KeepsTextsAndLists) {
  Arena arena;
  const Text text = arena.keep(std::string("a text that is too long for the string itself"));
  const List<int> list = arena.keep(std::vector<int>{1, 2, 3});
  for (int i = 0; i < 100; ++i) arena.keep(std::to_string(i));
  EXPECT_EQ(text, "a text that is too long for the string itself");
  EXPECT_EQ(list.size(), 3);
  EXPECT_EQ(list[2], 3);
}

}  // namespace
}  // namespace packetmill
