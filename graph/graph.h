#pragma once

#include <string>
#include <vector>

#include "graph/diagnostic.h"

namespace packetmill {

/// The network function as both front-ends deliver it: flat, no compounds, no variables.
struct Graph {
  struct Element {
    std::string name;              ///< as in the flattened configuration: "router/ttl", "Strip@4"
    std::string class_name;        ///< as written, e.g. "Strip"
    std::string configuration;     ///< the text between the parentheses, variables substituted, otherwise as written
    Location where;                ///< of the declaration
    Location configuration_where;  ///< of the configuration's first character
  };

  struct Port {
    int element = -1;  ///< index into `elements`
    int port = 0;
    bool operator==(const Port&) const = default;
    auto operator<=>(const Port&) const = default;
  };

  struct Connection {
    Port from;
    Port to;
    Location where;
  };

  std::vector<Element> elements;
  std::vector<Connection> connections;
  std::vector<std::string> requirements;
  bool complete = true;  ///< false: errors have cost connections, so that a port without one means nothing

  [[nodiscard]] int find(const std::string& name) const {
    for (std::size_t i = 0; i < elements.size(); ++i)
      if (elements[i].name == name) return static_cast<int>(i);
    return -1;
  }
};

}  // namespace packetmill
