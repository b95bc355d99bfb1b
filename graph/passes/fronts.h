#pragma once

#include <cstdint>
#include <vector>

#include "graph/graph.h"
#include "graph/passes/facts.h"

namespace packetmill {

/// Makes one element of `first`, which strips, and `second`, which comes after it with nothing between that looks at the
/// frame; or none, where they undo each other. Says whether it did. `least`: how many bytes packets have that come to
/// `first`. Why this is sound is told in graph/passes/merge.cc.
bool make_one(Graph& graph, ElementFacts& facts, int first, int second, std::uint32_t least);

/// For each element, how many bytes packets that come to it have at least.
[[nodiscard]] std::vector<std::uint32_t> least_lengths(const Graph& graph, ElementFacts& facts);

}  // namespace packetmill
