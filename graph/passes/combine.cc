#include "graph/passes/fronts.h"
#include "graph/passes/pass.h"
#include "graph/passes/wiring.h"

// Combining runs
//
// What it does. As graph/passes/merge.cc, for elements that are no neighbours but have a run of others between them
// which do not look at the frame.
//
// Before:  Strip(14) -> Paint(1) -> DropBroadcasts -> Strip(20)
// After:   Paint(1) -> DropBroadcasts -> Strip(34)
//
// Why it is sound. An element of the run has one input, which only the run feeds, and one output; it says what it does;
// and neither it nor the Strip reads or writes what the other writes. So each of its packets is the same to it whether
// the Strip has had it before or has it afterwards, and it does with it the same: passes it on, counts it, drops it.
// The Strip may therefore stand at the run's end (and an Unstrip, which is sure to succeed there, at its beginning),
// where the two are neighbours. A packet that the run drops is not stripped, and nobody sees that.

namespace packetmill {

void combine_runs(Graph& graph, ElementFacts& facts) {
  const auto combine_one = [&] {
    const Wiring wiring(graph);
    const std::vector<std::uint32_t> least = least_lengths(graph, facts);
    for (std::size_t i = 0; i < graph.elements.size(); ++i) {
      const int first = static_cast<int>(i);
      const Facts& stripping = facts.of(graph.elements[i]);
      if (stripping.front <= 0) continue;
      const Graph::Connection* step = wiring.only_from(first);
      for (std::size_t length = 0; step != nullptr && length < graph.elements.size(); ++length) {
        const int next = step->to.element;
        if (next == first || wiring.only_to(next) != step) break;
        if (length > 0 && make_one(graph, facts, first, next, least[i])) return true;
        const Facts& run = facts.of(graph.elements[static_cast<std::size_t>(next)]);
        if (!run.known || !run.one_way() || run.starts || !run.commutes_with(stripping)) break;
        step = wiring.only_from(next);
      }
    }
    return false;
  };
  while (combine_one()) {
  }
}

}  // namespace packetmill
