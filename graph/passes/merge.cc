#include "graph/passes/fronts.h"
#include "graph/passes/pass.h"
#include "graph/passes/wiring.h"

// Merging neighbours
//
// What it does. A Strip and what comes right after it become one element, where that can do both.
//
// Before:  Strip(14) -> Strip(20)      Strip(18) -> Unstrip(4)      Strip(14) -> Unstrip(14)      Strip(14) -> EtherEncap(T, S, D)
// After:   Strip(34)                   Strip(14)                    nothing                       EtherEncap(T, S, D, REPLACE 14)
//          (the middle two only where packets are known to have 18 and 14 bytes)
//
// Why it is sound. A Strip takes min(n, length) bytes off the front, so that two of them take min(n + m, length). Bytes
// that were stripped stay in the buffer, and positions count from the buffer's start, so nothing else tells whether the
// front went in one step or in two.
//
// A Strip(n) and an Unstrip(m), m <= n, leave the front n - m bytes further on. The Unstrip cannot fail, nor move the
// frame within its buffer: there are the n bytes just stripped, and one more, since no frame begins at a buffer's first
// byte. But this needs a packet of n bytes: one that is shorter becomes empty, and comes out of the Unstrip with bytes
// that it did not have. So each element is asked how many bytes packets have that leave it (a Classifier's 12/0800 lets
// only packets of 14 pass), and without an answer both stay. An Unstrip of more than was stripped stays too: it may drop
// packets, and what it puts before them depends on where in the buffer they lie. So do two Unstrips: which of them drops
// a packet for want of room may be seen.
//
// Other elements say themselves with which configuration they also do what a Strip before them does (`after_strip` in
// runtime/effects.h). The one that stays does so in its own name, with its own handlers and drop reasons. The Strip that
// goes has none; an element that had would not be pure. Of the encapsulations, EtherEncap does: a Strip and an EtherEncap in
// a row change a frame's link layer, on every packet of a router. The others stay as they are. IPEncap and UDPIPEncap write a
// length that counts what is behind them, so that a Strip before them saves them nothing but its own subtraction; and
// two encapsulations in a row are two that may each drop a packet for want of room, which is counted by name. Two Paints in a row are no matter of this pass: the first is
// dead (graph/passes/dead.cc).

namespace packetmill {

void merge_neighbours(Graph& graph, ElementFacts& facts) {
  const auto merge_one = [&] {
    const Wiring wiring(graph);
    const std::vector<std::uint32_t> least = least_lengths(graph, facts);
    for (std::size_t i = 0; i < graph.elements.size(); ++i) {
      const int first = static_cast<int>(i);
      const Graph::Connection* between = wiring.only_from(first);
      if (between == nullptr || wiring.only_to(between->to.element) != between) continue;
      if (make_one(graph, facts, first, between->to.element, least[i])) return true;
    }
    return false;
  };
  while (merge_one()) {
  }
}

}  // namespace packetmill
