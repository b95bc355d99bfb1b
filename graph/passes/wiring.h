#pragma once

#include <vector>

#include "graph/graph.h"
#include "graph/passes/facts.h"

namespace packetmill {

/// Who is connected to whom, for passes. It holds for the graph as it was when the wiring was made.
class Wiring {
 public:
  explicit Wiring(const Graph& graph);

  /// The connections that begin, or end, at the element.
  [[nodiscard]] const std::vector<const Graph::Connection*>& from(int element) const { return at(from_, element); }
  [[nodiscard]] const std::vector<const Graph::Connection*>& to(int element) const { return at(to_, element); }
  /// The one connection that begins (ends) at the element; null where there are none or several.
  [[nodiscard]] const Graph::Connection* only_from(int element) const { return only(from(element)); }
  [[nodiscard]] const Graph::Connection* only_to(int element) const { return only(to(element)); }

 private:
  using Connections = std::vector<const Graph::Connection*>;
  static const Connections& at(const std::vector<Connections>& all, int element) {
    return all[static_cast<std::size_t>(element)];
  }
  static const Graph::Connection* only(const Connections& all) { return all.size() == 1 ? all[0] : nullptr; }

  std::vector<Connections> from_;
  std::vector<Connections> to_;
};

/// Takes out the elements that `gone` says: what came in at their input 0 goes where their output 0 led. Where that is
/// nowhere (a circle of nothing else), one stays.
void take_out(Graph& graph, std::vector<bool> gone, ElementFacts& facts);

/// Takes out the elements that `gone` says, with all their connections.
void erase(Graph& graph, const std::vector<bool>& gone);

}  // namespace packetmill
