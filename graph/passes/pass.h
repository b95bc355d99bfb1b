#pragma once

#include <span>
#include <string_view>

#include "graph/graph.h"
#include "graph/passes/facts.h"

/// Passes reduce the *packet path* of a graph: what packets meet on their way. An element that is taken out stays in the
/// router with its handlers, its tasks and its ledger (mill/network.h); it only meets no packets any more. So an element
/// of a reduced graph stands for the one of the same name in the graph as it was written, whose state and counts it uses,
/// and it keeps its class, its ports and their modes; its configuration may be another.
///
/// What may be observed of the router stays: what it sends, drops for which reason and where, prints, and answers.
namespace packetmill {

struct Pass {
  std::string_view name;
  std::string_view does;  ///< in a few words
  void (*run)(Graph& graph, ElementFacts& facts);
};

/// All passes, in the order in which they run.
[[nodiscard]] std::span<const Pass> passes();
/// "unreachable, no-ops, ...".
[[nodiscard]] std::string pass_names();

// graph/passes/NAME.cc, each.
void remove_unreachable(Graph& graph, ElementFacts& facts);
void remove_no_ops(Graph& graph, ElementFacts& facts);
void remove_dead(Graph& graph, ElementFacts& facts);
void merge_neighbours(Graph& graph, ElementFacts& facts);
void combine_runs(Graph& graph, ElementFacts& facts);
void drop_early(Graph& graph, ElementFacts& facts);

}  // namespace packetmill
