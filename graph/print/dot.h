#pragma once

#include <string>

#include "graph/graph.h"
#include "graph/passes/push_pull.h"

namespace packetmill {

/// The graph for Graphviz: a box for each element with its ports above and below, as papers on Click draw them. Push
/// ports and connections are drawn solid, pull ones dashed. Where `links` is set, elements are links to "#e0", "#e1", ...
std::string dot(const Graph& graph, const PortModes& modes, bool links = false);

}  // namespace packetmill
