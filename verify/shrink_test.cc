#include "verify/shrink.h"

#include <gmock/gmock.h>

#include "engine/registry.h"
#include "frontends/click/click.h"
#include "graph/print/flatten.h"

namespace packetmill::verify {
namespace {

Graph graph_of(const std::string& script) {
  Diagnostics diagnostics;
  Graph graph = parse_click({{"config", script}}, {}, engine::Registry::instance(), diagnostics);
  EXPECT_EQ(diagnostics.errors(), 0) << diagnostics.list().front().message;
  return graph;
}

/// What is left of a configuration that fails as long as all of these are in its text.
std::string shrunk(const std::string& script, const std::vector<std::string>& culprits) {
  const auto fails = [&](const Graph& graph) {
    const std::string text = flatten(graph);
    return std::ranges::all_of(culprits, [&](const std::string& c) { return text.find(c) != std::string::npos; });
  };
  return flatten(shrink(graph_of(script), fails, 1000));
}

TEST(Shrink, OtherPartsGo) {
  EXPECT_EQ(
      shrunk("a :: Idle -> Discard; b :: Idle -> p :: Paint(3) -> d :: Discard; c :: Idle -> Discard; Idle -> Discard",
             {"Paint("}),
      flatten(graph_of("b :: Idle -> p :: Paint(3) -> d :: Discard")));
}

TEST(Shrink, PacketsPassByWhatIsNotNeeded) {
  EXPECT_EQ(shrunk("i :: Idle -> Null -> c :: Classifier(12/0800, -) -> p :: Paint(3) -> q :: Queue -> Unqueue"
                   " -> d :: Discard; c[1] -> Counter -> Discard",
                   {"Paint", "d :: Discard"}),
            flatten(graph_of("i :: Idle -> p :: Paint(3) -> d :: Discard")));
}

TEST(Shrink, BranchesEndInADiscard) {
  EXPECT_EQ(shrunk("i :: Idle -> p :: Paint(3) -> t :: Tee; t[0] -> Null -> ToDump(a); t[1] -> ToDump(b)", {"Paint"}),
            flatten(graph_of("i :: Idle -> p :: Paint(3) -> t_cut :: Discard")));
}

TEST(Shrink, CyclesOpen) {
  EXPECT_EQ(shrunk("i :: Idle -> c :: Classifier(60/00, -) -> s :: Strip(40) -> n :: Null -> c; c[1] -> d :: Discard",
                   {"Strip"}),
            flatten(graph_of("i :: Idle -> s :: Strip(40) -> n_cut :: Discard")));
}

TEST(Shrink, ArgumentsGo) {
  EXPECT_EQ(
      shrunk("i :: Idle -> c :: CheckIPHeader(OFFSET 14, CHECKSUM false, VERBOSE true) -> d :: Discard", {"CHECKSUM"}),
      flatten(graph_of("i :: Idle -> c :: CheckIPHeader(CHECKSUM false) -> d :: Discard")));
}

// As where the compiler is missing.
TEST(Shrink, WhatEveryGraphFailsInIsMadeAnEmptyOne) {
  const Graph least = shrink(graph_of("Idle -> Null -> Discard"), [](const Graph&) { return true; }, 100);
  EXPECT_TRUE(least.elements.empty());
}

TEST(Shrink, TriesAsOftenAsItMay) {
  int tried = 0;
  (void)shrink(
      graph_of("Idle -> Null -> Null -> Null -> Null -> Discard"), [&](const Graph&) { return ++tried < 0; }, 3);
  EXPECT_EQ(tried, 3);
}

}  // namespace
}  // namespace packetmill::verify
