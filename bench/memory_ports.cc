#include "bench/memory_ports.h"

#include <fmt/format.h>

#include <set>

#include "ports/dpdk/FromDPDKDevice.h"
#include "ports/dpdk/ToDPDKDevice.h"
#include "ports/pcap/FromDump.h"
#include "runtime/arguments/split.h"

namespace packetmill::bench {
namespace {

std::string from_memory(const std::string& port, const std::string& trace, unsigned burst, std::uint32_t replays) {
  return fmt::format("{}, {}, BURST {}, REPLAYS {}", quote(port), quote(trace), burst, replays);
}

}  // namespace

Graph with_memory_ports(const Graph& graph, const engine::Router& outline, const std::string& trace,
                        std::uint32_t replays) {
  constexpr unsigned kBurst = 32;
  Graph result = graph;
  std::set<std::string> ports;
  std::string first;
  const auto add = [&](const std::string& port) {
    ports.insert(port);
    if (first.empty()) first = port;
  };
  for (std::size_t i = 0; i < graph.elements.size(); ++i) {
    Graph::Element& element = result.elements[i];
    const engine::Node& node = *outline.nodes()[i];
    if (node.element_class->name == FromDPDKDevice::info.name) {
      const auto& parameters = *static_cast<const FromDPDKDevice::Parameters*>(node.parameters());
      add(std::string(parameters.port));
      element.class_name = "FromMemory";
      element.configuration = from_memory(std::string(parameters.port), trace, parameters.burst, replays);
    } else if (node.element_class->name == FromDump::info.name) {
      const auto& parameters = *static_cast<const FromDump::Parameters*>(node.parameters());
      add(element.name);
      element.class_name = "FromMemory";
      element.configuration = from_memory(element.name, std::string(parameters.filename.path), kBurst, replays);
    }
  }
  for (std::size_t i = 0; i < graph.elements.size(); ++i) {
    Graph::Element& element = result.elements[i];
    const engine::Node& node = *outline.nodes()[i];
    std::string port = first;
    if (node.element_class->name == ToDPDKDevice::info.name) {
      const std::string own(static_cast<const ToDPDKDevice::Parameters*>(node.parameters())->port);
      if (ports.contains(own)) port = own;
    } else if (node.element_class->name != "ToDump") {
      continue;
    }
    element.class_name = "ToMemory";
    element.configuration = quote(port);
  }
  return result;
}

}  // namespace packetmill::bench
