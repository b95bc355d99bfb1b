#pragma once

#include <cstdint>
#include <string>

#include "engine/router.h"
#include "graph/graph.h"

namespace packetmill::bench {

/// The graph over memory ports in the place of its devices and traces. Devices receive `trace`, a FromDump goes on
/// reading its own; after `replays` turns of the ring the router stops. `outline` is the graph, configured.
[[nodiscard]] Graph with_memory_ports(const Graph& graph, const engine::Router& outline, const std::string& trace,
                                      std::uint32_t replays);

}  // namespace packetmill::bench
