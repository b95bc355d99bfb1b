#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/router.h"
#include "graph/graph.h"
#include "plan/plan.h"

namespace packetmill::bench {

/// What a port may be made of, as `--port` and the rows name it:
///   net_null, net_pcap     DPDK's; net_pcap receives `trace`, again and again
///   mlx5, mlx5-scalar      an emulated ConnectX that does the same, by its driver's vector or scalar receive function
///   mlx5-beside            the first, with the NIC on another core
///
/// The EAL arguments that give a configuration its DPDK ports 0, 1, ... of that kind. The reason in `wrong` where it has
/// no such ports. `nic_cpu` is the other core.
[[nodiscard]] std::optional<std::vector<std::string>> device_arguments(const engine::Router& outline,
                                                                       const std::string& kind,
                                                                       const std::string& trace, int nic_cpu,
                                                                       std::string& wrong);

/// The kinds that `--port kind` measures a plan over: of mlx5 all that differ under it.
[[nodiscard]] std::vector<std::string> kinds_of(const std::string& port, const Plan& plan);

/// The configuration with a device 0, 1, ... for each FromDump, and for each ToDump the first of them.
[[nodiscard]] Graph with_device_ports(const Graph& graph);

/// From a device to itself: what the port alone costs.
[[nodiscard]] Graph empty_function();

}  // namespace packetmill::bench
