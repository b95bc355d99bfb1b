#include "graph/passes/push_pull.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>

#include "graph/nearest.h"
#include "graph/passes/codes.h"

// Push and pull
//
// What it does. In Click a packet moves along a connection either because the element before it calls the element after
// it (push), or the other way round (pull). Both ends of a connection must agree. An element class fixes some of its
// ports and leaves others agnostic; agnostic ports take on what they are connected to. This pass gives every port its
// mode.
//
// Before: a flat graph, straight from a front-end. After: every port of every element exists, is connected, and is push
// or pull; or there are errors. The graph itself is not changed.
//
// Why it is sound. Two ports must have the same mode if they are joined by a connection, or if both are agnostic and
// belong to one element inside which packets flow from one to the other (the flow code): a packet pulled out of such an
// element must have been pulled into it, by the same call. So the ports fall into sets of equal mode. Spreading the
// fixed modes along these relations until nothing changes finds the one assignment there can be; where two fixed modes
// meet, there is none, and the relation where they meet is reported. A set without any fixed port works either way and
// becomes push, as in Click. Several connections at a push input or pull output are just several callers; at a push
// output or a pull input the element would not know which one to call.

namespace packetmill {
namespace {

enum class Mode { agnostic, push, pull };

const char* name(Mode mode) { return mode == Mode::pull ? "pull" : "push"; }

struct Side {
  std::vector<Mode> modes;
  std::vector<int> connections;  ///< how many, for each port
};

/// Two ports that have to have the same mode.
struct Relation {
  Mode* a;
  Mode* b;
  const Graph::Connection* connection;  ///< null within an element
  Graph::Port from;                     ///< within an element: its input
  Graph::Port to;                       ///< within an element: its output
};

class Resolver {
 public:
  Resolver(const Graph& graph, const ElementClasses& classes, Diagnostics& diagnostics)
      : graph_(graph), diagnostics_(diagnostics), inputs_(graph.elements.size()), outputs_(graph.elements.size()) {
    const bool clean = diagnostics.errors() == 0;  // else a front-end has told of unknown classes, at the very word
    for (const Graph::Element& element : graph.elements) {
      classes_.push_back(classes.find(element.class_name));
      if (clean && !classes_.back())
        diagnostics.error(element.where, "unknown element class '" + element.class_name + "'",
                          did_you_mean(element.class_name, classes.names()));
    }
  }

  PortModes run() {
    make_ports();
    check_connections();
    relate();
    spread();
    check_modes();
    PortModes result;
    for (const Side& side : inputs_) result.input_pull.push_back(pulls(side));
    for (const Side& side : outputs_) result.output_pull.push_back(pulls(side));
    return result;
  }

 private:
  void make_ports() {
    std::vector<PortCounts> used(graph_.elements.size());
    for (const Graph::Connection& connection : graph_.connections) {
      int& outputs = used[index(connection.from)].outputs;
      int& inputs = used[index(connection.to)].inputs;
      outputs = std::max(outputs, connection.from.port + 1);
      inputs = std::max(inputs, connection.to.port + 1);
    }
    for (std::size_t i = 0; i < used.size(); ++i) {
      if (!classes_[i]) continue;
      const PortCounts counts = port_counts(classes_[i]->ports, used[i]);
      make_side(inputs_[i], counts.inputs, i, false);
      make_side(outputs_[i], counts.outputs, i, true);
    }
  }

  void make_side(Side& side, int ports, std::size_t element, bool output) {
    for (int port = 0; port < ports; ++port) {
      const char code = processing_code(classes_[element]->processing, output, port);
      side.modes.push_back(code == 'h' ? Mode::push : code == 'l' ? Mode::pull : Mode::agnostic);
    }
    side.connections.resize(side.modes.size());
  }

  /// Counts the connections at each port; reports ports that do not exist and ports without a connection.
  void check_connections() {
    for (const Graph::Connection& connection : graph_.connections) {
      count(outputs_, connection.from, "output", connection.where);
      count(inputs_, connection.to, "input", connection.where);
    }
    for (std::size_t i = 0; graph_.complete && i < graph_.elements.size(); ++i) {
      check_unused(inputs_[i], i, "input");
      check_unused(outputs_[i], i, "output");
    }
  }

  void count(std::vector<Side>& sides, Graph::Port port, const std::string& side, const Location& where) {
    if (!classes_[index(port)]) return;
    if (exists(sides, port))
      ++sides[index(port)].connections[static_cast<std::size_t>(port.port)];
    else
      diagnostics_.error(where, quoted(index(port)) + " has no " + side + " " + std::to_string(port.port));
  }

  void check_unused(const Side& side, std::size_t element, const std::string& name) {
    for (std::size_t port = 0; port < side.connections.size(); ++port)
      if (side.connections[port] == 0)
        diagnostics_.error(graph_.elements[element].where,
                           quoted(element) + " " + name + " " + std::to_string(port) + " unused");
  }

  void relate() {
    // Only connected ports matter, so the pairs within an element are no more than connections call for.
    for (std::size_t i = 0; i < graph_.elements.size(); ++i) {
      const std::vector<int> outputs = agnostic_connected(outputs_[i]);
      for (const int in : agnostic_connected(inputs_[i]))
        for (const int out : outputs)
          if (flows(classes_[i]->flow, in, out))
            add_relation({static_cast<int>(i), in}, {static_cast<int>(i), out}, inputs_, outputs_, nullptr);
    }
    for (const Graph::Connection& connection : graph_.connections)
      if (exists(outputs_, connection.from) && exists(inputs_, connection.to))
        add_relation(connection.from, connection.to, outputs_, inputs_, &connection);
  }

  void add_relation(Graph::Port from, Graph::Port to, std::vector<Side>& from_sides, std::vector<Side>& to_sides,
                    const Graph::Connection* connection) {
    relations_.push_back({&mode(from_sides, from), &mode(to_sides, to), connection, from, to});
  }

  void spread() {
    std::multimap<Mode*, Mode*> related;
    std::vector<Mode*> pending;
    for (const Relation& relation : relations_) {
      related.insert({relation.a, relation.b});
      related.insert({relation.b, relation.a});
      if (*relation.a != Mode::agnostic) pending.push_back(relation.a);
      if (*relation.b != Mode::agnostic) pending.push_back(relation.b);
    }
    for (std::size_t i = 0; i < pending.size(); ++i) {
      const auto [begin, end] = related.equal_range(pending[i]);
      for (auto it = begin; it != end; ++it) {
        if (*it->second != Mode::agnostic) continue;
        *it->second = *pending[i];
        pending.push_back(it->second);
      }
    }
  }

  void check_modes() {
    for (const Relation& relation : relations_)
      if (*relation.a != *relation.b) report_conflict(relation);
    for (const Graph::Connection& connection : graph_.connections) {
      check_single(outputs_, connection.from, Mode::push, "output", connection.where);
      check_single(inputs_, connection.to, Mode::pull, "input", connection.where);
    }
  }

  void report_conflict(const Relation& relation) {
    const std::string from = std::to_string(relation.from.port);
    const std::string to = std::to_string(relation.to.port);
    if (relation.connection)
      diagnostics_.error(relation.connection->where,
                         quoted(index(relation.from)) + " " + name(*relation.a) + " output " + from + " connected to " +
                             quoted(index(relation.to)) + " " + name(*relation.b) + " input " + to,
                         *relation.a == Mode::push ? "a Queue between them turns push into pull"
                                                   : "an Unqueue between them turns pull into push");
    else
      diagnostics_.error(graph_.elements[index(relation.from)].where,
                         "agnostic " + quoted(index(relation.from)) + " in mixed context: " + name(*relation.a) +
                             " input " + from + ", " + name(*relation.b) + " output " + to);
  }

  /// A push output and a pull input take one connection; reports the second and further ones.
  void check_single(std::vector<Side>& sides, Graph::Port port, Mode single, const std::string& side,
                    const Location& where) {
    if (!exists(sides, port)) return;
    const Mode actual = mode(sides, port) == Mode::pull ? Mode::pull : Mode::push;
    if (actual != single || seen_.insert({port, &sides}).second) return;
    diagnostics_.error(
        where,
        "illegal reuse of " + quoted(index(port)) + " " + name(actual) + " " + side + " " + std::to_string(port.port),
        single == Mode::push ? "a Tee sends packets to several outputs"
                             : "a scheduler such as RoundRobinSched pulls from several inputs");
  }

  static std::vector<bool> pulls(const Side& side) {
    std::vector<bool> result;
    for (const Mode mode : side.modes) result.push_back(mode == Mode::pull);
    return result;
  }

  static std::vector<int> agnostic_connected(const Side& side) {
    std::vector<int> ports;
    for (std::size_t port = 0; port < side.modes.size(); ++port)
      if (side.modes[port] == Mode::agnostic && side.connections[port] > 0) ports.push_back(static_cast<int>(port));
    return ports;
  }

  static std::size_t index(Graph::Port port) { return static_cast<std::size_t>(port.element); }
  static bool exists(const std::vector<Side>& sides, Graph::Port port) {
    return static_cast<std::size_t>(port.port) < sides[index(port)].modes.size();
  }
  static Mode& mode(std::vector<Side>& sides, Graph::Port port) {
    return sides[index(port)].modes[static_cast<std::size_t>(port.port)];
  }
  [[nodiscard]] std::string quoted(std::size_t element) const {
    return "'" + graph_.elements[element].name + " :: " + graph_.elements[element].class_name + "'";
  }

  const Graph& graph_;
  Diagnostics& diagnostics_;
  std::vector<const ElementClass*> classes_;  ///< of each element, null if unknown
  std::vector<Side> inputs_;
  std::vector<Side> outputs_;
  std::vector<Relation> relations_;
  std::set<std::pair<Graph::Port, const void*>> seen_;  ///< ports with a connection, and on which side
};

}  // namespace

PortModes resolve_push_pull(const Graph& graph, const ElementClasses& classes, Diagnostics& diagnostics) {
  return Resolver(graph, classes, diagnostics).run();
}

}  // namespace packetmill
