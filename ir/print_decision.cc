#include "ir/print_decision.h"

#include <fmt/format.h>

#include <map>
#include <set>
#include <vector>

namespace packetmill::ir {
namespace {

std::string_view name_of(Base base) {
  switch (base) {
    case Base::packet:
      return "packet";
    case Base::mac_header:
      return "mac_header";
    case Base::network_header:
      return "network_header";
    case Base::transport_header:
      return "transport_header";
  }
  return {};
}

std::string go_to(std::int32_t target) {
  return is_end(target) ? fmt::format("return {};", outcome_of(target)) : fmt::format("goto step{};", target);
}

}  // namespace

std::string print_decision(const DecisionGraph& graph) {
  const auto node_of = [&](std::int32_t at) -> const Node& { return graph.nodes[static_cast<std::size_t>(at)]; };
  std::map<std::int32_t, int> uses;  ///< how many ways lead to a node that can be reached
  std::vector<std::int32_t> todo{graph.root};
  while (!todo.empty()) {
    const std::int32_t at = todo.back();
    todo.pop_back();
    if (is_end(at) || uses[at]++ > 0) continue;
    todo.push_back(node_of(at).yes);
    todo.push_back(node_of(at).no);
  }
  // Only what can be reached is printed: a label that nobody goes to is a warning. Nodes lead to later ones or to ends.
  std::string text = "  static int decide([[maybe_unused]] auto&& bytes_from) {\n    " + go_to(graph.root) + "\n";
  std::set<std::int32_t> printed;
  for (const auto& [at, count] : uses) {
    if (printed.contains(at)) continue;
    const Node& node = node_of(at);
    const std::string_view base = name_of(node.test.base);
    // Two tests that a packet must pass both are one load and one compare, where they lie close to each other.
    const Node* next =
        is_end(node.yes) || uses[node.yes] > 1 || node_of(node.yes).no != node.no ? nullptr : &node_of(node.yes);
    const auto wide = next != nullptr ? both(node.test, next->test) : std::nullopt;
    if (wide) printed.insert(node.yes);
    const std::string test =
        wide
            ? fmt::format("ir::WideTest{{ir::Base::{}, {}, 0x{:016x}, 0x{:016x}}}", base, wide->offset, wide->mask,
                          wide->value)
            : fmt::format("ir::Test{{ir::Base::{}, {}, 0x{:08x}, ir::Relation::{}, 0x{:08x}}}", base, node.test.offset,
                          node.test.mask, node.test.relation == Relation::equal ? "equal" : "greater", node.test.value);
    text += fmt::format("  step{}:\n    if (ir::holds({}, bytes_from(ir::Base::{})))\n      {}\n    {}\n", at, test,
                        base, go_to(wide ? next->yes : node.yes), go_to(node.no));
  }
  return text + "  }\n";
}

}  // namespace packetmill::ir
