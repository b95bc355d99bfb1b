#include "frontends/click/tunnels.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace packetmill::click {

int Network::add(Node node) {
  nodes.push_back(std::move(node));
  return static_cast<int>(nodes.size()) - 1;
}

void Network::connect(Graph::Port from, Graph::Port to, const Location& where) {
  wires.push_back({from, to, where});
  Node& source = nodes[static_cast<std::size_t>(from.element)];
  Node& sink = nodes[static_cast<std::size_t>(to.element)];
  source.outputs = std::max(source.outputs, from.port + 1);
  sink.inputs = std::max(sink.inputs, to.port + 1);
}

namespace {

/// Follows what leaves a port through the tunnels to the elements.
class Follower {
 public:
  explicit Follower(const Network& network) : network_(network) {
    for (const Graph::Connection& wire : network.wires) leaving_[wire.from].push_back(wire.to);
  }

  std::vector<Graph::Port> sinks(Graph::Port entered) const {
    std::vector<Graph::Port> found;
    std::vector<Graph::Port> pending{entered};
    std::set<Graph::Port> seen{entered};
    while (!pending.empty()) {
      const Graph::Port port = pending.back();
      pending.pop_back();
      const Network::Node& node = network_.nodes[static_cast<std::size_t>(port.element)];
      if (node.role == Network::Role::element) {
        found.push_back(port);
        continue;
      }
      const auto next = leaving_.find({node.exit, port.port});
      if (next == leaving_.end()) continue;
      for (auto it = next->second.rbegin(); it != next->second.rend(); ++it)
        if (seen.insert(*it).second) pending.push_back(*it);
    }
    return found;
  }

 private:
  const Network& network_;
  std::map<Graph::Port, std::vector<Graph::Port>> leaving_;
};

constexpr std::size_t kMostConnections = 1 << 22;

}  // namespace

void Network::flatten(Graph& graph, Diagnostics& diagnostics) const {
  std::vector<int> index(nodes.size(), -1);
  for (const int node : order) {
    index[static_cast<std::size_t>(node)] = static_cast<int>(graph.elements.size());
    graph.elements.push_back(nodes[static_cast<std::size_t>(node)].element);
  }
  const auto in_graph = [&](Graph::Port port) {
    return Graph::Port{index[static_cast<std::size_t>(port.element)], port.port};
  };
  const Follower follower(*this);
  std::set<std::pair<Graph::Port, Graph::Port>> seen;
  for (const Graph::Connection& wire : wires) {
    if (nodes[static_cast<std::size_t>(wire.from.element)].role != Role::element) continue;
    for (const Graph::Port sink : follower.sinks(wire.to)) {
      if (!seen.insert({wire.from, sink}).second) continue;
      if (graph.connections.size() == kMostConnections) {
        diagnostics.error(wire.where, "too many connections");
        return;
      }
      graph.connections.push_back({in_graph(wire.from), in_graph(sink), wire.where});
    }
  }
}

}  // namespace packetmill::click
