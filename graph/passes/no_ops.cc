#include "graph/passes/pass.h"
#include "graph/passes/wiring.h"

// No-ops
//
// What it does. Takes out elements that pass every packet on as it is, by their only output, and do nothing else.
//
// Before:  FromDump(x) -> Null -> Strip(0) -> Tee -> Classifier(-) -> Discard
// After:   FromDump(x) -> Discard
//
// Why it is sound. That an element does nothing is what it says itself (runtime/effects.h), of all packets and whatever
// handlers write; a Counter does not say so, and neither does a Paint, which writes. Packets come to the next element
// from the one before in the same order, in the same batches, and by push or pull as they did.

namespace packetmill {

void remove_no_ops(Graph& graph, ElementFacts& facts) {
  std::vector<bool> gone;
  for (const Graph::Element& element : graph.elements) {
    const Facts& about = facts.of(element);
    gone.push_back(about.pure() && about.one_way() && about.writes.none() && !about.starts);
  }
  take_out(graph, std::move(gone), facts);
}

}  // namespace packetmill
