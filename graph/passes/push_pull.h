#pragma once

#include <vector>

#include "graph/diagnostic.h"
#include "graph/element_class.h"
#include "graph/graph.h"

namespace packetmill {

/// For each element and each of its ports, whether packets are pulled through it (true) or pushed. The inner sizes are
/// the numbers of ports; an element of unknown class has none.
struct PortModes {
  std::vector<std::vector<bool>> input_pull;
  std::vector<std::vector<bool>> output_pull;
};

/// Counts the ports and decides for each whether it is push or pull. Everything wrong is in `diagnostics`: ports that
/// an element does not have or that are not connected, push connected to pull, and several connections where only one
/// can be.
PortModes resolve_push_pull(const Graph& graph, const ElementClasses& classes, Diagnostics& diagnostics);

}  // namespace packetmill
