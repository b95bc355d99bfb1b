#pragma once

#include <string>

#include "ir/decision_graph.h"

namespace packetmill::ir {

/// A decision graph as a C++ function `static int decide(auto&& bytes_from)`: what `evaluate` would find, but every test
/// is code with its numbers in it, and what several tests lead to is there once.
[[nodiscard]] std::string print_decision(const DecisionGraph& graph);

}  // namespace packetmill::ir
