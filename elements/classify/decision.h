#pragma once

#include <span>
#include <string>
#include <vector>

#include "ir/formula.h"
#include "runtime/element.h"

/// What Classifier, IPClassifier and IPFilter have in common: from rules to a decision graph, and back to text.
namespace packetmill {

/// The optimised program of `rules`; `arguments` are where they come from. A rule that no packet can reach gets a
/// warning there.
ir::DecisionProgram decide(const std::vector<ir::Rule>& rules, const std::vector<Argument>& arguments,
                           Configuration& configuration);

/// A graph over nodes that the element's arena keeps.
ir::DecisionGraph keep(ir::DecisionProgram program, Configuration& configuration);

/// The place of what is wrong `offset` bytes into the argument.
Argument part_of(const Argument& argument, std::size_t offset);

/// As the handler `program` shows it.
std::string describe_program(const ir::DecisionGraph& graph);

}  // namespace packetmill
