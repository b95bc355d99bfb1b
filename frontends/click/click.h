#pragma once

#include <map>
#include <string>
#include <vector>

#include "graph/diagnostic.h"
#include "graph/element_class.h"
#include "graph/graph.h"

namespace packetmill {

/// A text in the Click language. An expression of the command line (`-e`) has the file name "config".
struct Source {
  std::string file;
  std::string text;
};

/// Reads Click configurations, one after the other into one router, and expands them: compound elements, element
/// groups, parameters. `variables` are the command line's NAME=value; they override `define` statements of the file
/// scope. `require(library NAME)` reads files, see frontends/click/library.h. Whatever is wrong is in `diagnostics`;
/// the graph then holds what could be understood, elements of unknown class included.
Graph parse_click(const std::vector<Source>& sources, const std::map<std::string, std::string>& variables,
                  const ElementClasses& classes, Diagnostics& diagnostics);

}  // namespace packetmill
