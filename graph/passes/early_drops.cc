#include <algorithm>

#include "graph/passes/pass.h"
#include "graph/passes/wiring.h"

// Early drops
//
// What it does. An element that drops some packets changes places with the one before it, where that does nothing but
// change a part of the packet which the dropping one neither reads nor writes. Packets that are to be dropped are
// dropped before others have worked on them.
//
// Before:  FromDump(x) -> Paint(1) -> Strip(14) -> DropBroadcasts -> ...
// After:   FromDump(x) -> DropBroadcasts -> Paint(1) -> Strip(14) -> ...
//
// Why it is sound. The two commute: neither reads or writes what the other writes, so the dropping element decides on
// the same parts of the same packets in the same order, and those that go on have had the same done to them. The one
// that moves back is pure: it drops nothing, so that no packet is dropped here which was dropped there, and nobody sees
// how many packets it has had; a Counter does not give way, nor does a Print. The one that moves forward has one output
// (what left by another would lack what the first does) and keeps its counts and its reasons. Both have one input, and
// into the second only the first leads: otherwise packets of another way would meet the first too.
//
// That packets which are sure to be dropped meet nothing on their way there is the matter of graph/passes/dead.cc.

namespace packetmill {
namespace {

/// Swaps the element before `second` with it, if that may be done.
bool swap_one(Graph& graph, ElementFacts& facts, int second) {
  const Facts& dropping = facts.of(graph.elements[static_cast<std::size_t>(second)]);
  if (!dropping.known || !dropping.drops || !dropping.one_way() || dropping.starts || dropping.input_is_pull[0])
    return false;
  const Wiring wiring(graph);
  const Graph::Connection* between = wiring.only_to(second);
  const Graph::Connection* onward = wiring.only_from(second);
  if (between == nullptr || onward == nullptr) return false;
  const int first = between->from.element;
  const Facts& gives_way = facts.of(graph.elements[static_cast<std::size_t>(first)]);
  if (wiring.only_from(first) != between || onward->to.element == first || first == second) return false;
  if (!gives_way.pure() || !gives_way.one_way() || gives_way.starts || !gives_way.commutes_with(dropping)) return false;
  for (Graph::Connection& connection : graph.connections) {
    if (&connection == between)
      std::swap(connection.from.element, connection.to.element);
    else if (&connection == onward)
      connection.from.element = first;
    else if (connection.to.element == first)
      connection.to.element = second;
  }
  return true;
}

}  // namespace

void drop_early(Graph& graph, ElementFacts& facts) {
  for (std::size_t i = 0; i < graph.elements.size(); ++i)
    for (std::size_t steps = 0; steps < graph.elements.size(); ++steps)
      if (!swap_one(graph, facts, static_cast<int>(i))) break;
}

}  // namespace packetmill
