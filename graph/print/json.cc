#include "graph/print/json.h"

#include <nlohmann/json.hpp>

namespace packetmill {
namespace {

using Json = nlohmann::ordered_json;

Json port_modes(const std::vector<bool>& pull) {
  Json list = Json::array();
  for (const bool is_pull : pull) list.push_back(is_pull ? "pull" : "push");
  return list;
}

}  // namespace

std::string json(const Graph& graph, const PortModes& modes) {
  Json elements = Json::array();
  for (std::size_t i = 0; i < graph.elements.size(); ++i) {
    const Graph::Element& element = graph.elements[i];
    elements.push_back({{"name", element.name},
                        {"class", element.class_name},
                        {"configuration", element.configuration},
                        {"file", element.where.file},
                        {"line", element.where.line},
                        {"column", element.where.column},
                        {"inputs", port_modes(modes.input_pull[i])},
                        {"outputs", port_modes(modes.output_pull[i])}});
  }
  const auto port = [&](Graph::Port p) {
    return Json{{"element", graph.elements[static_cast<std::size_t>(p.element)].name}, {"port", p.port}};
  };
  Json connections = Json::array();
  for (const Graph::Connection& connection : graph.connections)
    connections.push_back({{"from", port(connection.from)}, {"to", port(connection.to)}});
  const Json whole{{"requirements", graph.requirements}, {"elements", elements}, {"connections", connections}};
  return whole.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace packetmill
