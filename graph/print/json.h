#pragma once

#include <string>

#include "graph/graph.h"
#include "graph/passes/push_pull.h"

namespace packetmill {

/// The graph as JSON, for other programs:
/// {"requirements": [...],
///  "elements": [{"name", "class", "configuration", "file", "line", "column", "inputs": ["push", ...], "outputs":
///  [...]}], "connections": [{"from": {"element": name, "port": n}, "to": {...}}]}
/// Bytes that are not UTF-8 are replaced by U+FFFD.
std::string json(const Graph& graph, const PortModes& modes);

}  // namespace packetmill
