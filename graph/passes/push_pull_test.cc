#include "graph/passes/push_pull.h"

#include <gtest/gtest.h>

#include "cli/report.h"
#include "frontends/click/click.h"
#include "tests/support/element_classes.h"

// What is wrong with ports is in tests/errors; here are the modes of what is right.

namespace packetmill {
namespace {

/// "name: inputs/outputs" for each element, h for push and l for pull.
std::string modes(const std::string& text) {
  const test::SomeElementClasses classes;
  Diagnostics diagnostics;
  const Graph graph = parse_click({{"config", text}}, {}, classes, diagnostics);
  const PortModes modes = resolve_push_pull(graph, classes, diagnostics);
  if (diagnostics.errors()) return cli::report(diagnostics);
  const auto letters = [](const std::vector<bool>& pull) {
    std::string result;
    for (const bool is_pull : pull) result += is_pull ? 'l' : 'h';
    return result;
  };
  std::string result;
  for (std::size_t i = 0; i < graph.elements.size(); ++i)
    result += graph.elements[i].name + ": " + letters(modes.input_pull[i]) + "/" + letters(modes.output_pull[i]) + "\n";
  return result;
}

TEST(PushPull, AgnosticPortsTakeOnTheirNeighboursMode) {
  EXPECT_EQ(modes("s :: InfiniteSource -> a :: Null -> b :: Counter -> q :: Queue -> c :: Null -> u :: Unqueue -> d :: "
                  "Discard"),
            "s: /h\na: h/h\nb: h/h\nq: h/l\nc: l/l\nu: l/h\nd: h/\n");
}

TEST(PushPull, WhatNothingDecidesIsPush) {
  EXPECT_EQ(modes("i :: Idle -> n :: Null -> d :: Discard"), "i: /h\nn: h/h\nd: h/\n");
}

TEST(PushPull, AgnosticPortsOfOneElementMayDifferWherePacketsDoNotFlow) {
  EXPECT_EQ(modes("s :: InfiniteSource -> x :: Suppressor -> d :: Discard;"
                  "q :: Queue -> [1] x [1] -> u :: Unqueue -> e :: Discard; i :: Idle -> q"),
            "s: /h\nx: hl/hl\nd: h/\nq: h/l\nu: l/h\ne: h/\ni: /h\n");
}

TEST(PushPull, AFixedPortOfAnAgnosticElementStaysAsItIs) {
  EXPECT_EQ(
      modes("q :: Queue -> c :: CheckIPHeader -> u :: Unqueue -> d :: Discard; c [1] -> e :: Discard; i :: Idle -> q"),
      "q: h/l\nc: l/lh\nu: l/h\nd: h/\ne: h/\ni: /h\n");
}

TEST(PushPull, SeveralMayPushIntoOneInputAndPullFromOneOutput) {
  EXPECT_EQ(
      modes("a, b :: InfiniteSource; a, b -> q :: Queue; q -> u :: Unqueue -> d :: Discard; q -> v :: Unqueue -> d"),
      "a: /h\nb: /h\nq: h/l\nu: l/h\nd: h/\nv: l/h\n");
}

TEST(PushPull, TellsOfUnknownClassesIfNobodyElseHas) {
  Graph graph;
  graph.elements.push_back({"x", "Discrad", "", {"program.p4", 1, 1}, {}});
  Diagnostics diagnostics;
  const PortModes modes = resolve_push_pull(graph, test::SomeElementClasses(), diagnostics);
  EXPECT_EQ(cli::report(diagnostics),
            "program.p4:1:1: error: unknown element class 'Discrad'\n    hint: did you mean 'Discard'?\n");
  EXPECT_EQ(modes.input_pull, std::vector<std::vector<bool>>(1));
}

}  // namespace
}  // namespace packetmill
