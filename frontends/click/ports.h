#pragma once

#include "frontends/click/ast.h"

namespace packetmill::click {

/// The ports on both sides of one arrow, list by list as the elements stand there.
struct ArrowPorts {
  std::vector<std::vector<int>> outputs;  ///< of the elements before the arrow
  std::vector<std::vector<int>> inputs;   ///< of the elements after it
};

/// Which ports an arrow connects: those written, all of an element group's, otherwise port 0. For `=>`, a single
/// element without ports gets as many as the other side has. See click(5) "Many-to-many connections" and "Element
/// groups".
ArrowPorts arrow_ports(const ast::Connection& connection, std::size_t arrow);

/// What `statements` use of the pseudo-elements around them.
ast::PseudoPorts pseudo_ports(const ast::Statements& statements);

/// The smallest port that is missing below the greatest, or -1.
int missing_port(const std::set<int>& ports);

/// "1 input", "2 inputs".
std::string counted(std::size_t count, const std::string& noun);

}  // namespace packetmill::click
