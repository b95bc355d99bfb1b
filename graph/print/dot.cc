#include "graph/print/dot.h"

#include <algorithm>

namespace packetmill {
namespace {

/// Text in an HTML-like label.
std::string escaped(std::string_view text) {
  std::string result;
  for (const char c : text) {
    if (c == '<')
      result += "&lt;";
    else if (c == '>')
      result += "&gt;";
    else if (c == '&')
      result += "&amp;";
    else if (c == '"')
      result += "&quot;";
    else if (static_cast<unsigned char>(c) < ' ')
      result += ' ';
    else
      result += c;
  }
  return result;
}

std::string shortened(const std::string& configuration) {
  constexpr std::size_t kShown = 40;
  return configuration.size() <= kShown ? configuration : configuration.substr(0, kShown) + "...";
}

/// A row of small cells, one for each port; black for push, white for pull.
std::string port_row(const std::vector<bool>& pull, const std::string& side) {
  if (pull.empty()) return {};
  std::string row = "<tr><td><table border=\"0\" cellspacing=\"6\" cellpadding=\"0\"><tr>";
  for (std::size_t i = 0; i < pull.size(); ++i)
    row += "<td border=\"1\" width=\"8\" height=\"8\" fixedsize=\"true\" port=\"" + side + std::to_string(i) +
           "\" bgcolor=\"" + (pull[i] ? "white" : "black") + "\"></td>";
  return row + "</tr></table></td></tr>";
}

}  // namespace

std::string dot(const Graph& graph, const PortModes& modes, bool links) {
  std::string text = "digraph router {\n  node [shape=plain, fontname=\"Helvetica\", fontsize=10];\n";
  for (std::size_t i = 0; i < graph.elements.size(); ++i) {
    const Graph::Element& element = graph.elements[i];
    text += "  e" + std::to_string(i) + " [" + (links ? "URL=\"#e" + std::to_string(i) + "\", " : "") + "tooltip=\"" +
            escaped(element.name) + "\", label=<<table border=\"1\" cellborder=\"0\" cellspacing=\"0\">" +
            port_row(modes.input_pull[i], "i") + "<tr><td><b>" + escaped(element.name) + "</b><br/>" +
            escaped(element.class_name);
    if (!element.configuration.empty()) text += "(" + escaped(shortened(element.configuration)) + ")";
    text += "</td></tr>" + port_row(modes.output_pull[i], "o") + "</table>>];\n";
  }
  for (const Graph::Connection& connection : graph.connections) {
    const auto from = static_cast<std::size_t>(connection.from.element);
    const auto port = static_cast<std::size_t>(connection.from.port);
    const bool pull = port < modes.output_pull[from].size() && modes.output_pull[from][port];
    text += "  e" + std::to_string(from) + ":o" + std::to_string(port) + ":s -> e" +
            std::to_string(connection.to.element) + ":i" + std::to_string(connection.to.port) + ":n" +
            (pull ? " [style=dashed]" : "") + ";\n";
  }
  return text + "}\n";
}

}  // namespace packetmill
