#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/router.h"
#include "graph/graph.h"

namespace packetmill::bench {

/// The EAL arguments that give a configuration its DPDK ports 0, 1, ... as virtual devices of one kind, net_null or
/// net_pcap (which receives `trace`, again and again). The reason in `wrong` where it has no such ports.
[[nodiscard]] std::optional<std::vector<std::string>> device_arguments(const engine::Router& outline,
                                                                       const std::string& kind,
                                                                       const std::string& trace, std::string& wrong);

/// From a device to itself: what the port alone costs.
[[nodiscard]] Graph empty_function();

}  // namespace packetmill::bench
