#include "graph/print/flatten.h"

namespace packetmill {

std::string flatten(const Graph& graph) {
  std::string text;
  for (const std::string& requirement : graph.requirements) text += "require(" + requirement + ");\n";
  for (const Graph::Element& element : graph.elements) {
    text += element.name + " :: " + element.class_name;
    if (!element.configuration.empty()) text += "(" + element.configuration + ")";
    text += ";\n";
  }
  for (const Graph::Connection& connection : graph.connections) {
    text += graph.elements[static_cast<std::size_t>(connection.from.element)].name;
    if (connection.from.port != 0) text += " [" + std::to_string(connection.from.port) + "]";
    text += " -> ";
    if (connection.to.port != 0) text += "[" + std::to_string(connection.to.port) + "] ";
    text += graph.elements[static_cast<std::size_t>(connection.to.element)].name + ";\n";
  }
  return text;
}

}  // namespace packetmill
