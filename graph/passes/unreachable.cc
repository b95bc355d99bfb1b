#include "graph/passes/pass.h"
#include "graph/passes/wiring.h"

// Unreachable elements
//
// What it does. Takes out the elements that no packet ever comes to.
//
// Before:  Idle -> Strip(14) -> c :: Counter -> out :: Queue -> Unqueue -> Discard;  FromDump(x) -> out
// After:   out :: Queue -> Unqueue -> Discard;  FromDump(x) -> out
//
// Why it is sound. A packet sets out where an element has a task or a timer, and nowhere else. From there it is pushed
// out of an output and into what is connected to it; or the task pulls, and the pull goes out of an input to what is
// connected before it. The elements that are marked here are all that these rules reach, whatever the elements do with
// a packet; the others' code never runs. A task stays, even one that will never find a packet, because the order in which
// tasks take their turns may be seen. An element without ports is not on the packet path and stays too: it says
// something of others (AddressInfo), or controls them.

namespace packetmill {

void remove_unreachable(Graph& graph, ElementFacts& facts) {
  const Wiring wiring(graph);
  std::vector<bool> gone(graph.elements.size(), true);
  std::vector<int> todo;
  const auto reach = [&](int element) {
    if (gone[static_cast<std::size_t>(element)]) todo.push_back(element);
    gone[static_cast<std::size_t>(element)] = false;
  };
  const auto mode = [](const std::vector<bool>& modes, int port) { return modes[static_cast<std::size_t>(port)]; };
  for (std::size_t i = 0; i < graph.elements.size(); ++i) {
    const Facts& element = facts.of(graph.elements[i]);
    if (element.starts || (element.input_is_pull.empty() && element.output_is_pull.empty())) reach(static_cast<int>(i));
  }
  while (!todo.empty()) {
    const int at = todo.back();
    todo.pop_back();
    const Facts& element = facts.of(graph.elements[static_cast<std::size_t>(at)]);
    for (const Graph::Connection* connection : wiring.from(at))
      if (!mode(element.output_is_pull, connection->from.port)) reach(connection->to.element);
    for (const Graph::Connection* connection : wiring.to(at))
      if (mode(element.input_is_pull, connection->to.port)) reach(connection->from.element);
  }
  erase(graph, gone);
}

}  // namespace packetmill
