#include "elements/classify/decision.h"

#include <algorithm>
#include <bit>

#include "elements/classify/Classifier.h"
#include "ir/classifier_patterns.h"
#include "ir/optimise.h"

namespace packetmill {

ir::DecisionProgram decide(const std::vector<ir::Rule>& rules, const std::vector<Argument>& arguments,
                           Configuration& configuration) {
  // Each rule gets an outcome of its own, so that the optimised program tells which rules are reached.
  std::vector<ir::Rule> numbered = rules;
  for (std::size_t i = 0; i < numbered.size(); ++i) numbered[i].outcome = static_cast<int>(i);
  const ir::DecisionProgram told_apart = ir::optimise(numbered);
  for (std::size_t i = 0; i < rules.size(); ++i)
    if (!told_apart.reaches(static_cast<int>(i)))
      configuration.warning(arguments[i], "pattern " + std::to_string(i) + " matches no packets");
  return ir::optimise(rules);
}

ir::DecisionGraph keep(ir::DecisionProgram program, Configuration& configuration) {
  const std::int32_t root = program.root;
  return {configuration.arena().keep(std::move(program.nodes)), root};
}

Argument part_of(const Argument& argument, std::size_t offset) {
  const std::size_t at = std::min(offset, argument.text.size());
  return {argument.text.substr(at), advance(argument.where, std::string_view(argument.text).substr(0, at))};
}

std::string describe_program(const ir::DecisionGraph& graph) {
  // The length from which on no test can fail because the packet is too short.
  std::size_t safe_length = 0;
  for (const ir::Node& node : graph.nodes) {
    const std::size_t unread = static_cast<std::size_t>(std::countr_zero(node.test.mask)) / 8;
    safe_length = std::max(safe_length, node.test.offset + 4 - unread);
  }
  return ir::to_string(graph) + "safe length " + std::to_string(safe_length) + "\nalignment offset 0\n";
}

void Classifier::configure(Configuration& configuration, Parameters& parameters) {
  const std::vector<Argument> arguments = configuration.take_rest();
  std::vector<ir::Rule> rules;
  bool right = true;
  for (const Argument& argument : arguments) {
    ir::Rule& rule = rules.emplace_back();
    rule.outcome = static_cast<int>(rules.size()) - 1;
    if (const auto wrong = ir::parse_classifier_pattern(argument.text, rule.pattern)) {
      configuration.error(part_of(argument, wrong->offset),
                          "pattern " + std::to_string(rule.outcome) + ": " + wrong->message);
      right = false;
    }
  }
  if (right) parameters.graph = keep(decide(rules, arguments, configuration), configuration);
}

}  // namespace packetmill
