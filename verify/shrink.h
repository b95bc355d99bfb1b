#pragma once

#include <functional>
#include <vector>

#include "graph/graph.h"

namespace packetmill::verify {

/// A smaller graph that fails as well, of a graph that fails: with fewer parts that know nothing of each other, with
/// fewer elements (a branch ends in a Discard, or its packets pass by an element), with fewer arguments. Only graphs
/// without errors are tried, at most `trials`.
[[nodiscard]] Graph shrink(Graph graph, const std::function<bool(const Graph&)>& fails, int trials);

/// For each element the number of its part: elements that connections join, whichever way, are of one part.
[[nodiscard]] std::vector<int> parts_of(const Graph& graph);

}  // namespace packetmill::verify
