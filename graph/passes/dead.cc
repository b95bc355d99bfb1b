#include "graph/passes/pass.h"
#include "graph/passes/wiring.h"

// Dead elements
//
// What it does. Takes out elements that do nothing but change a part of the packet, where nobody looks at that part
// afterwards: it is written anew first, or the packet is dropped. So packets that are sure to be dropped are dropped at
// once.
//
// Before:  FromDump(x) -> Paint(1) -> Paint(2) -> ToDump(y);   c [1] -> Strip(14) -> MarkIPHeader -> Discard
//          k :: Classifier(12/0800, -);   k [0] -> d :: Discard;   k [1] -> d
// After:   FromDump(x) -> Paint(2) -> ToDump(y);   c [1] -> Discard
//          and what came to k goes to d
//
// Why it is sound. Which parts are live before an element is found from the ends of the graph backwards: those that it
// reads, and those that are live after one of its outputs and that it does not set. What an element reads it must
// declare, or it does not compile (View in runtime/element.h); one that does not say whether it looks at the frame is
// taken to do so, and annotations by number are all annotations. An element is dead if it is pure, so that nothing but
// the packet tells of it, and writes nothing that is live after it. Its handlers answer from its configuration, which
// stays: the first Paint's colour may still be read and written.
//
// A pure element that only chooses an output is dead where all outputs lead to one end that treats all packets alike (it
// has no outputs, and reads no part of them). Were it another element, the order of packets would change: a batch leaves
// an element output by output. One that writes nothing and has nothing to choose is the matter of graph/passes/no_ops.cc.

namespace packetmill {
namespace {

std::size_t index(int number) { return static_cast<std::size_t>(number); }

class Liveness {
 public:
  Liveness(const Graph& graph, ElementFacts& facts) : graph_(graph), facts_(facts), before_(graph.elements.size()) {
    for (bool changed = true; changed;) {
      changed = false;
      for (std::size_t i = before_.size(); i-- > 0;) {
        const Parts live = find_before(static_cast<int>(i));
        changed |= live != before_[i];
        before_[i] = live;
      }
    }
  }

  /// What is live in packets that leave the element.
  [[nodiscard]] Parts after(int element) const {
    Parts live;
    for (const Graph::Connection* connection : wiring_.from(element)) live |= before_[index(connection->to.element)];
    return live;
  }
  [[nodiscard]] const Wiring& wiring() const { return wiring_; }

 private:
  [[nodiscard]] Parts find_before(int element) const {
    const Facts& about = facts_.of(graph_.elements[index(element)]);
    Parts live = about.reads;
    for (const Graph::Connection* connection : wiring_.from(element)) {
      const Parts next = before_[index(connection->to.element)];
      live |= connection->from.port == 0 ? next & ~about.sets : next;
    }
    return live;
  }

  const Graph& graph_;
  ElementFacts& facts_;
  Wiring wiring_{graph_};
  std::vector<Parts> before_;
};

/// Whether all outputs lead to the same end, which treats all packets alike.
bool all_end_alike(const Graph& graph, ElementFacts& facts, const Wiring& wiring, int element) {
  const auto& outputs = wiring.from(element);
  if (outputs.empty() || outputs.size() != facts.of(graph.elements[index(element)]).output_is_pull.size()) return false;
  for (const Graph::Connection* output : outputs)
    if (output->to != outputs.front()->to) return false;
  const Facts& end = facts.of(graph.elements[index(outputs.front()->to.element)]);
  return end.known && end.output_is_pull.empty() && end.reads.none() && end.writes.none();
}

}  // namespace

void remove_dead(Graph& graph, ElementFacts& facts) {
  // What a dead element reads may be dead in turn.
  for (bool changed = true; changed;) {
    const Liveness liveness(graph, facts);
    std::vector<bool> gone;
    for (std::size_t i = 0; i < graph.elements.size(); ++i) {
      const Facts& about = facts.of(graph.elements[i]);
      const int element = static_cast<int>(i);
      gone.push_back(about.pure() && !about.starts && about.input_is_pull.size() == 1 &&
                     (about.one_way() ? about.writes.any() : all_end_alike(graph, facts, liveness.wiring(), element)) &&
                     (about.writes & liveness.after(element)).none());
    }
    const std::size_t before = graph.elements.size();
    take_out(graph, std::move(gone), facts);
    changed = graph.elements.size() < before;
  }
}

}  // namespace packetmill
