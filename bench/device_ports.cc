#include "bench/device_ports.h"

#include <fmt/format.h>

#include "ports/dpdk/FromDPDKDevice.h"
#include "ports/dpdk/ToDPDKDevice.h"
#include "runtime/values/parse.h"

namespace packetmill::bench {

std::optional<std::vector<std::string>> device_arguments(const engine::Router& outline, const std::string& kind,
                                                         const std::string& trace, std::string& wrong) {
  constexpr unsigned kMost = 32;
  unsigned ports = 0;
  bool receives = false;
  for (const auto& node : outline.nodes()) {
    std::string_view name;
    if (node->element_class->name == FromDPDKDevice::info.name) {
      name = static_cast<const FromDPDKDevice::Parameters*>(node->parameters())->port;
      receives = true;
    } else if (node->element_class->name == ToDPDKDevice::info.name) {
      name = static_cast<const ToDPDKDevice::Parameters*>(node->parameters())->port;
    } else {
      continue;
    }
    unsigned number = 0;
    if (parse(name, number) || number >= kMost) {
      wrong =
          fmt::format("{}: port {} cannot be made: ports to be measured are numbers below {}", node->name, name, kMost);
      return std::nullopt;
    }
    ports = std::max(ports, number + 1);
  }
  if (!receives) {
    wrong = "there is no FromDPDKDevice: measure it over --port memory";
    return std::nullopt;
  }
  std::vector<std::string> arguments;
  for (unsigned i = 0; i < ports; ++i)
    arguments.push_back(kind == "net_pcap" ? fmt::format("--vdev=net_pcap{},rx_pcap={},infinite_rx=1", i, trace)
                                           : fmt::format("--vdev={}{}", kind, i));
  return arguments;
}

Graph empty_function() {
  Graph graph;
  graph.elements = {{"in", "FromDPDKDevice", "0", {}, {}}, {"out", "ToDPDKDevice", "0", {}, {}}};
  graph.connections = {{{0, 0}, {1, 0}, {}}};
  return graph;
}

}  // namespace packetmill::bench
