#pragma once

#include <map>
#include <string>

#include "frontends/click/ast.h"
#include "graph/element_class.h"
#include "graph/graph.h"

namespace packetmill::click {

/// Expands the statements of a file into a flat graph: names resolved, parameters substituted, compound elements and
/// element groups replaced by what is in them.
Graph elaborate(const ast::Statements& statements, const std::map<std::string, std::string>& variables,
                const ElementClasses& classes, Diagnostics& diagnostics);

}  // namespace packetmill::click
