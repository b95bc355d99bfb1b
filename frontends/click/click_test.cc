#include "frontends/click/click.h"

#include <gtest/gtest.h>

#include "cli/report.h"
#include "graph/print/flatten.h"
#include "tests/support/element_classes.h"

namespace packetmill {
namespace {

using Variables = std::map<std::string, std::string>;

/// The flattened configuration, or the report if there are errors.
std::string flat(const std::string& text, const Variables& variables = {}) {
  Diagnostics diagnostics;
  const Graph graph = parse_click({{"config", text}}, variables, test::SomeElementClasses(), diagnostics);
  return diagnostics.errors() ? cli::report(diagnostics) : flatten(graph);
}

TEST(Declaration, NamesElements) {
  EXPECT_EQ(flat("q :: Queue(10); d::Discard"), "q :: Queue(10);\nd :: Discard;\n");
  EXPECT_EQ(flat("a, b :: Queue(10)"), "a :: Queue(10);\nb :: Queue(10);\n");
  EXPECT_EQ(flat("a, b :: Null, c :: Idle"), "a :: Null;\nb :: Null;\nc :: Idle;\n");
}

TEST(Declaration, NamesAnonymousElementsByClassAndNumber) {
  EXPECT_EQ(flat("Idle; x :: Idle; Message(hi)"), "Idle@1 :: Idle;\nx :: Idle;\nMessage@3 :: Message(hi);\n");
}

TEST(Connection, IsAChain) {
  EXPECT_EQ(flat("a, b, c :: Idle; a [1] -> [2] b [3] -> c"),
            "a :: Idle;\nb :: Idle;\nc :: Idle;\na [1] -> [2] b;\nb [3] -> c;\n");
}

TEST(Connection, DeclaresInline) {
  EXPECT_EQ(flat("a :: Idle -> Null -> b :: Discard;"),
            "a :: Idle;\nNull@2 :: Null;\nb :: Discard;\na -> Null@2;\nNull@2 -> b;\n");
}

TEST(Connection, ManyToOne) {
  EXPECT_EQ(flat("a, b, x :: Idle; a [1], b [2] -> [3] x"),
            "a :: Idle;\nb :: Idle;\nx :: Idle;\na [1] -> [3] x;\nb [2] -> [3] x;\n");
  EXPECT_EQ(flat("a :: Idle; b :: Idle; a -> b; a -> b"), "a :: Idle;\nb :: Idle;\na -> b;\n")
      << "repeating a connection is no error";
}

TEST(Connection, ManyToMany) {
  const std::string expected =
      "c :: Classifier(1, 2);\nn :: Null;\nPaint@3 :: Paint(0);\nPaint@4 :: Paint(1);\n"
      "c -> Paint@3;\nc [1] -> Paint@4;\nPaint@3 -> n;\nPaint@4 -> n;\n";
  const std::string declarations = "c :: Classifier(1, 2); n :: Null;";
  EXPECT_EQ(flat(declarations + "c[0], c[1] => Paint(0), Paint(1) -> n"), expected);
  EXPECT_EQ(flat(declarations + "c[0,1] => Paint(0), Paint(1) -> n"), expected);
  EXPECT_EQ(flat(declarations + "c => Paint(0), Paint(1) -> n"), expected);
}

// click(5) "Element groups": five lines that mean the same.
TEST(Group, ExpandsToNothing) {
  const std::string declarations = "x, y :: Idle;";
  const std::string expected = "x :: Idle;\ny :: Idle;\nx -> y;\n";
  EXPECT_EQ(flat(declarations + "x -> y"), expected);
  EXPECT_EQ(flat(declarations + "x -> ( input -> output ) -> y"), expected);
  EXPECT_EQ(flat(declarations + "x -> ( [0] -> [0] ) -> y"), expected);
  EXPECT_EQ(flat(declarations + "x -> (->) -> y"), expected);
  EXPECT_EQ(flat(declarations + "x -> ( [0]->[0]; [1]->[1] ) => ( [0]->[0]; [1]->[1] ) -> y"), expected);
}

TEST(Group, HasImplicitPorts) {
  const std::string declarations = "x, y :: Idle;";
  const std::string expected = "x :: Idle;\ny :: Idle;\nx -> y;\nx [1] -> y;\n";
  EXPECT_EQ(flat(declarations + "x => ( [0]->[0]; [1]->[1] ) -> y"), expected);
  EXPECT_EQ(flat(declarations + "x => [0,1] ( [0]->[0]; [1]->[1] ) [0,1] -> y"), expected);
}

TEST(Group, IsADetourAndNoScope) {
  EXPECT_EQ(flat("x :: Idle -> c :: Classifier(1) => ( input[0] -> output; input[1] -> p :: Paint(1) -> output )"
                 " -> y :: Discard; Idle -> p"),
            "x :: Idle;\nc :: Classifier(1);\np :: Paint(1);\ny :: Discard;\nIdle@5 :: Idle;\n"
            "p -> y;\nx -> c;\nc -> y;\nc [1] -> p;\nIdle@5 -> p;\n");
}

TEST(Compound, ExpandsInPlace) {
  EXPECT_EQ(flat("a :: Idle -> x :: { input -> n :: Null -> output } -> b :: Discard"),
            "a :: Idle;\nx/n :: Null;\nb :: Discard;\na -> x/n;\nx/n -> b;\n");
  EXPECT_EQ(
      flat("Idle -> { input -> Null -> output } -> Discard"),
      "Idle@1 :: Idle;\n@2/Null@1 :: Null;\nDiscard@3 :: Discard;\nIdle@1 -> @2/Null@1;\n@2/Null@1 -> Discard@3;\n");
  EXPECT_EQ(flat("Idle -> { -> Null -> } -> Discard"), flat("Idle -> { input -> Null -> output } -> Discard"));
}

TEST(Compound, DropsWhatNobodyConnects) {
  EXPECT_EQ(flat("{ input -> n :: Null -> output } -> b :: Discard"), "@1/n :: Null;\nb :: Discard;\n@1/n -> b;\n");
}

TEST(Compound, ClassesAreLexicallyScopedAndNotRecursive) {
  EXPECT_EQ(flat("elementclass Queue { input -> Queue -> Counter -> output } q :: Queue;"),
            "q/Queue@1 :: Queue;\nq/Counter@2 :: Counter;\nq/Queue@1 -> q/Counter@2;\n");
  EXPECT_EQ(flat("elementclass A { Null } elementclass Null { Counter } a :: A; n :: Null"),
            "a/Null@1 :: Null;\nn/Counter@1 :: Counter;\n");
  EXPECT_EQ(flat("elementclass MyQueue Queue; q :: MyQueue(3)"), "q :: Queue(3);\n");
}

TEST(Compound, TakesArguments) {
  EXPECT_EQ(flat("x :: { $a, COUNT $count, __REST__ $rest | y :: Message($a; $count; $rest) } (1, 2, COUNT 3, FOO 4)"),
            "x/y :: Message(1; 3; 2, FOO 4);\n");
  EXPECT_EQ(flat("elementclass M { $a | y :: Message($a) } define($b 7) x :: M(\"$b,\")"), "x/y :: Message(\"7,\");\n");
}

TEST(Compound, IsOverloadedByArgumentsAndPorts) {
  const std::string shaped =
      "elementclass Shaped { input -> n :: Null -> output || $c | input -> q :: Queue($c) -> output }";
  EXPECT_EQ(flat(shaped + "Idle -> x :: Shaped -> Discard"),
            "Idle@1 :: Idle;\nx/n :: Null;\nDiscard@3 :: Discard;\n"
            "Idle@1 -> x/n;\nx/n -> Discard@3;\n");
  EXPECT_EQ(flat(shaped + "Idle -> x :: Shaped(5) -> Discard"),
            "Idle@1 :: Idle;\nx/q :: Queue(5);\nDiscard@3 :: Discard;\n"
            "Idle@1 -> x/q;\nx/q -> Discard@3;\n");
  EXPECT_EQ(flat("elementclass P { input -> Discard || input -> a :: Null -> output } Idle -> x :: P -> Discard"),
            "Idle@1 :: Idle;\nx/a :: Null;\nDiscard@3 :: Discard;\nIdle@1 -> x/a;\nx/a -> Discard@3;\n");
}

TEST(Compound, ExtendsAnEarlierClass) {
  const std::string extended =
      "elementclass Queue { $c, $r | input -> q :: Queue($c) -> Counter($r) -> output || ... }";
  EXPECT_EQ(flat(extended + "Idle -> x :: Queue(1, 2) -> Discard"),
            "Idle@1 :: Idle;\nx/q :: Queue(1);\nx/Counter@2 :: Counter(2);\nDiscard@3 :: Discard;\n"
            "Idle@1 -> x/q;\nx/q -> x/Counter@2;\nx/Counter@2 -> Discard@3;\n");
  EXPECT_EQ(flat(extended + "Idle -> x :: Queue(1) -> Discard"),
            "Idle@1 :: Idle;\nx :: Queue(1);\nDiscard@3 :: Discard;\nIdle@1 -> x;\nx -> Discard@3;\n");
}

TEST(Parameters, AreDefinedForTheWholeScope) {
  EXPECT_EQ(flat("m :: Message($a); define($a 2)"), "m :: Message(2);\n");
  EXPECT_EQ(flat("define($a 2, $b $a$a) m :: Message($b) x :: { define($a 3) m :: Message($a $b) }"),
            "m :: Message(22);\nx/m :: Message(3 22);\n");
  EXPECT_EQ(flat("define($a 2) m :: Message($a)", {{"a", "9"}}), "m :: Message(9);\n") << "the command line overrides";
}

TEST(Parameters, AreSubstitutedOutsideSingleQuotesOnly) {
  const Variables a{{"a", "v"}};
  EXPECT_EQ(flat("m :: Message($a ${a}b x$a.y \"$a${a}\" '$a' \"\\$a\" /* $a */ $ab)", a),
            "m :: Message(v vb xv.y \"vv\" '$a' \"\\$a\" /* $a */ $ab);\n");
  EXPECT_EQ(flat("m :: Message(${b-w} ${a-w} \"${b-\"x y\"}\" ${b-$a} $b)", a),
            "m :: Message(w v \"${b-\"x y\"}\" v $b);\n");
  EXPECT_EQ(flat("m :: Message(\"<$q>\", \\<$h>)", {{"q", "\"a\\\"b\""}, {"h", "48 4x"}}),
            "m :: Message(\"<a\\\"b>\", \\<48 4>);\n");
}

TEST(Lexical, IdentifiersCommentsAndStrings) {
  EXPECT_EQ(flat("an/identifier/with/slashes//too/many\n :: Idle /* ; */ ; // end"),
            "an/identifier/with/slashes :: Idle;\n");
  EXPECT_EQ(
      flat("a :: Message(#string with (balanced parens)#)\nb :: Message(#string with \")quoted\" paren#)\n"
           "c :: Message(#// end-of-line comment)\n   still going!#)\nd :: Message(#/* comment) */ and backslash \\#)"),
      "a :: Message(#string with (balanced parens)#);\nb :: Message(#string with \")quoted\" paren#);\n"
      "c :: Message(#// end-of-line comment)\n   still going!#);\nd :: Message(#/* comment) */ and backslash \\#);\n");
}

TEST(Lexical, LineDirectivesMovePlaces) {
  EXPECT_EQ(flat("#!/usr/bin/click\n# 12 \"a.click\"\n\n x\n#line 7\ny"),
            "a.click:7:1: error: undeclared element 'y' (first use this block)\n"
            "    y\n    ^\n"
            "a.click:13:2: error: undeclared element 'x' (first use this block)\n"
            "     x\n     ^\n");
}

TEST(Lexical, ALineDirectiveWithoutANameKeepsTheFile) {
  EXPECT_EQ(flat("# 12 \"\"\nx"),
            "config:12:1: error: undeclared element 'x' (first use this block)\n"
            "    x\n    ^\n");
}

TEST(Requirements, AreCollected) {
  EXPECT_EQ(flat("require(package a, b) provide(b) require(package a)"), "require(package a);\n");
}

}  // namespace
}  // namespace packetmill
