#pragma once

#include <span>
#include <string_view>

#include "engine/milled_element.h"
#include "graph/graph.h"

namespace packetmill::engine {

/// What generated code holds of its configuration: the graph as it was read, and its own part for each element. Plain
/// data, so that it needs nothing at start.
struct Program {
  struct Element {
    std::string_view name;
    std::string_view class_name;
    std::string_view configuration;
    std::string_view file;
    int line;
    int column;
    int configuration_line;
    int configuration_column;
  };
  struct Connection {
    int from;
    int output;
    int to;
    int input;
  };
  std::string_view plan;  ///< what `plan` prints
  std::span<const Element> elements;
  std::span<const Connection> connections;
  std::span<const std::string_view> requirements;
  std::span<const MilledElement> milled;  ///< as many as elements
  bool exchanges = false;                 ///< ports may do without mbufs (X-Change)
  bool expects_exchange = false;          ///< and the user is told of one that cannot
  bool asks_nic = false;                  ///< ports are to check checksums, where they can
  int cores = 1;
  int batch = 1;
};

/// The graph that the program was made from.
[[nodiscard]] inline Graph graph_of(const Program& program) {
  Graph graph;
  for (const Program::Element& e : program.elements)
    graph.elements.push_back({std::string(e.name),
                              std::string(e.class_name),
                              std::string(e.configuration),
                              {std::string(e.file), e.line, e.column},
                              {std::string(e.file), e.configuration_line, e.configuration_column}});
  for (const Program::Connection& c : program.connections)
    graph.connections.push_back({{c.from, c.output}, {c.to, c.input}, {}});
  graph.requirements.assign(program.requirements.begin(), program.requirements.end());
  return graph;
}

}  // namespace packetmill::engine
