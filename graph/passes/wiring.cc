#include "graph/passes/wiring.h"

namespace packetmill {
namespace {

std::size_t index(int element) { return static_cast<std::size_t>(element); }

/// Follows a port across the elements that are to go, from each by `next`; no element where that leads nowhere.
template <class Next>
Graph::Port across(Graph::Port port, const std::vector<bool>& gone, Next next) {
  for (std::size_t steps = 0; port.element >= 0 && gone[index(port.element)]; ++steps) {
    if (steps > gone.size()) return {};
    port = next(port.element);
  }
  return port;
}

}  // namespace

Wiring::Wiring(const Graph& graph) : from_(graph.elements.size()), to_(graph.elements.size()) {
  for (const Graph::Connection& connection : graph.connections) {
    from_[index(connection.from.element)].push_back(&connection);
    to_[index(connection.to.element)].push_back(&connection);
  }
}

void take_out(Graph& graph, std::vector<bool> gone, ElementFacts& facts) {
  const Wiring wiring(graph);
  const auto pulled = [&](int element) {
    const std::vector<bool>& modes = facts.of(graph.elements[index(element)]).output_is_pull;
    return !modes.empty() && modes[0];
  };
  const auto after = [&](int element) {
    for (const Graph::Connection* connection : wiring.from(element))
      if (connection->from.port == 0) return connection->to;
    return Graph::Port{};
  };
  const auto before = [&](int element) {
    for (const Graph::Connection* connection : wiring.to(element))
      if (connection->to.port == 0) return connection->from;
    return Graph::Port{};
  };
  for (std::size_t i = 0; i < gone.size(); ++i) {
    const int element = static_cast<int>(i);
    if (gone[i] && across({element, 0}, gone, [&](int e) { return pulled(e) ? before(e) : after(e); }).element < 0)
      gone[i] = false;
  }
  // Whoever makes the transfer (the pusher, the puller) has one connection there, so that each is led on by itself.
  std::vector<Graph::Connection> connections;
  for (Graph::Connection connection : graph.connections) {
    const std::vector<bool>& modes = facts.of(graph.elements[index(connection.from.element)]).output_is_pull;
    const bool is_pull = modes[index(connection.from.port)];
    if (gone[index((is_pull ? connection.to : connection.from).element)]) continue;
    if (is_pull)
      connection.from = across(connection.from, gone, before);
    else
      connection.to = across(connection.to, gone, after);
    connections.push_back(connection);
  }
  graph.connections = std::move(connections);
  erase(graph, gone);
}

void erase(Graph& graph, const std::vector<bool>& gone) {
  std::vector<int> number(gone.size(), -1);
  std::vector<Graph::Element> elements;
  for (std::size_t i = 0; i < gone.size(); ++i) {
    if (gone[i]) continue;
    number[i] = static_cast<int>(elements.size());
    elements.push_back(std::move(graph.elements[i]));
  }
  graph.elements = std::move(elements);
  std::erase_if(graph.connections, [&](Graph::Connection& connection) {
    connection.from.element = number[index(connection.from.element)];
    connection.to.element = number[index(connection.to.element)];
    return connection.from.element < 0 || connection.to.element < 0;
  });
}

}  // namespace packetmill
