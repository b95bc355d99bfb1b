#pragma once

#include <deque>
#include <string>
#include <vector>

#include "frontends/click/lexer.h"
#include "graph/graph.h"

namespace packetmill::click {

/// The router while it is expanded: beside elements there are tunnels, which stand for a compound element or an element
/// group seen from outside, and for its `input` and `output` seen from inside.
struct Network {
  enum class Role {
    element,
    outside,  ///< a compound element or a group, as its surroundings connect it
    input,    ///< its `input`, inside
    output,   ///< its `output`, inside
  };

  struct Node {
    Role role = Role::element;
    Graph::Element element;  ///< of a tunnel, only what messages need
    int exit = -1;           ///< of a tunnel: what enters at input p continues from output p of this node
    int inputs = 0;          ///< used, that is: the greatest port with a connection, plus one
    int outputs = 0;
  };

  std::deque<Node> nodes;
  std::vector<Graph::Connection> wires;
  std::vector<int> order;  ///< the elements, those of a compound in its place

  int add(Node node);
  void connect(Graph::Port from, Graph::Port to, const Location& where);

  /// Puts into `graph` the elements and the connections between them, tunnels shortened.
  /// Connections that go round in tunnels vanish; repeated ones are taken once (click(5)).
  void flatten(Graph& graph, Diagnostics& diagnostics) const;
};

}  // namespace packetmill::click
