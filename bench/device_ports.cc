#include "bench/device_ports.h"

#include <fmt/format.h>

#include "ports/dpdk/FromDPDKDevice.h"
#include "ports/dpdk/ToDPDKDevice.h"
#include "ports/pcap/FromDump.h"
#include "runtime/values/parse.h"

namespace packetmill::bench {
namespace {

std::string device(const std::string& kind, unsigned number, const std::string& trace, int nic_cpu) {
  if (kind == "net_pcap") return fmt::format("net_pcap{},rx_pcap={},infinite_rx=1", number, trace);
  if (kind == "net_null") return fmt::format("net_null{}", number);
  return fmt::format("net_mlx5_emulated{},trace={},vector={}{}", number, trace, kind == "mlx5-scalar" ? 0 : 1,
                     kind == "mlx5-beside" ? fmt::format(",core={}", nic_cpu) : "");
}

}  // namespace

std::optional<std::vector<std::string>> device_arguments(const engine::Router& outline, const std::string& kind,
                                                         const std::string& trace, int nic_cpu, std::string& wrong) {
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
  for (unsigned i = 0; i < ports; ++i) arguments.push_back("--vdev=" + device(kind, i, trace, nic_cpu));
  return arguments;
}

std::vector<std::string> kinds_of(const std::string& port, const Plan& plan) {
  if (port != "mlx5") return {port};
  if (exchanges(plan)) return {"mlx5", "mlx5-beside"};
  return {"mlx5", "mlx5-scalar", "mlx5-beside"};
}

Graph with_device_ports(const Graph& graph) {
  Graph result = graph;
  unsigned ports = 0;
  for (Graph::Element& element : result.elements) {
    if (element.class_name == FromDump::info.name) {
      element.class_name = FromDPDKDevice::info.name;
      element.configuration = fmt::format("{}, N_QUEUES 1", ports++);
    } else if (element.class_name == "ToDump") {
      element.class_name = ToDPDKDevice::info.name;
      element.configuration = "0";
    }
  }
  return result;
}

Graph empty_function() {
  Graph graph;
  graph.elements = {{"in", "FromDPDKDevice", "0", {}, {}}, {"out", "ToDPDKDevice", "0", {}, {}}};
  graph.connections = {{{0, 0}, {1, 0}, {}}};
  return graph;
}

}  // namespace packetmill::bench
