#include "elements/classify/decision.h"

#include <algorithm>
#include <bit>
#include <fstream>
#include <map>

#include "ir/optimise.h"

namespace packetmill {

std::vector<Argument> with_files(Configuration& configuration, const std::vector<Argument>& arguments) {
  std::vector<Argument> result;
  for (const Argument& argument : arguments) {
    const std::vector<std::string> words = split_words(argument.text);
    if (words.size() != 2 || words[0] != "file") {
      result.push_back(argument);
      continue;
    }
    configuration.names().ask_the_machine();
    std::ifstream file(unquote(words[1]));
    if (!file) configuration.error(argument, "cannot read '" + unquote(words[1]) + "'");
    for (std::string line; std::getline(file, line);) {
      const std::size_t begin = line.find_first_not_of(" \t\r");
      if (begin != std::string::npos && line[begin] != '#') result.push_back({line.substr(begin), argument.where});
    }
  }
  return result;
}

std::vector<ir::Rule> parse_rules(Configuration& configuration, const std::vector<Argument>& arguments,
                                  RuleParser parser) {
  std::vector<ir::Rule> rules;
  bool good = true;
  for (const Argument& argument : arguments) {
    const int number = static_cast<int>(rules.size());
    const std::string text = unquote(argument.text);
    const auto wrong = parser(text, number, configuration.names(), rules.emplace_back());
    if (!wrong) continue;
    good = false;
    // Quotes shift what is behind them; then the place is the argument's own.
    const std::size_t at = text == argument.text ? std::min(wrong->offset, text.size()) : 0;
    configuration.error({{}, advance(argument.where, std::string_view(text).substr(0, at))},
                        "pattern " + std::to_string(number) + ": " + wrong->message, wrong->hint);
  }
  return good ? rules : std::vector<ir::Rule>{};
}

ir::DecisionGraph decide(Configuration& configuration, const std::vector<Argument>& arguments,
                         const std::vector<ir::Rule>& rules) {
  // Each rule gets an outcome of its own, so that the optimised program tells which rules are reached.
  std::vector<ir::Rule> numbered = rules;
  for (std::size_t i = 0; i < numbered.size(); ++i) numbered[i].outcome = static_cast<int>(i);
  const ir::DecisionProgram told_apart = ir::optimise(numbered);
  for (std::size_t i = 0; i < rules.size(); ++i)
    if (!told_apart.reaches(static_cast<int>(i)))
      configuration.warning(arguments[i], "pattern " + std::to_string(i) + " matches no packets");

  ir::DecisionProgram program = ir::optimise(rules);
  return {configuration.arena().keep(std::move(program.nodes)), program.root};
}

std::optional<std::uint32_t> shortest_match(const ir::DecisionGraph& graph, int outcome) {
  std::optional<std::uint32_t> shortest;
  std::map<std::int32_t, std::uint32_t> reached;  // by node, with the fewest bytes so far
  std::vector<std::int32_t> todo;
  const auto reach = [&](std::int32_t target, std::uint32_t bytes) {
    if (ir::is_end(target)) {
      if (ir::outcome_of(target) == outcome) shortest = std::min(shortest.value_or(bytes), bytes);
      return;
    }
    const auto [place, is_new] = reached.try_emplace(target, bytes);
    if (!is_new && place->second <= bytes) return;
    place->second = bytes;
    todo.push_back(target);
  };
  reach(graph.root, 0);
  while (!todo.empty()) {
    const ir::Node& node = graph.nodes[static_cast<std::size_t>(todo.back())];
    const std::uint32_t bytes = reached.at(todo.back());
    todo.pop_back();
    // A test holds only where the packet has all bytes under its mask.
    const std::uint32_t tested =
        node.test.offset + 4U - static_cast<std::uint32_t>(std::countr_zero(node.test.mask)) / 8;
    reach(node.yes, node.test.base == ir::Base::packet ? std::max(bytes, tested) : bytes);
    reach(node.no, bytes);
  }
  return shortest;
}

void check_outputs(Configuration& configuration, std::size_t patterns) {
  const int outputs = configuration.outputs();
  if (patterns != static_cast<std::size_t>(outputs))
    configuration.error("need " + std::to_string(outputs) + " arguments, one per output port");
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

}  // namespace packetmill
