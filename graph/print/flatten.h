#pragma once

#include <string>

#include "graph/graph.h"

namespace packetmill {

/// The graph in the Click language: requirements, declarations, connections, one a line. Parsed again it gives the same
/// graph, places aside.
std::string flatten(const Graph& graph);

}  // namespace packetmill
