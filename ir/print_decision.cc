#include "ir/print_decision.h"

#include <fmt/format.h>

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
  std::string text = "  static int decide([[maybe_unused]] auto&& bytes_from) {\n    " + go_to(graph.root) + "\n";
  // Only what can be reached: a label that nobody goes to is a warning. Nodes lead to later ones or to ends.
  std::set<std::int32_t> reached;
  std::vector<std::int32_t> todo{graph.root};
  while (!todo.empty()) {
    const std::int32_t at = todo.back();
    todo.pop_back();
    if (is_end(at) || !reached.insert(at).second) continue;
    todo.push_back(graph.nodes[static_cast<std::size_t>(at)].yes);
    todo.push_back(graph.nodes[static_cast<std::size_t>(at)].no);
  }
  for (const std::int32_t at : reached) {
    const Node& node = graph.nodes[static_cast<std::size_t>(at)];
    text += fmt::format(
        "  step{}:\n    if (ir::holds({{ir::Base::{}, {}, 0x{:08x}, ir::Relation::{}, 0x{:08x}}}, "
        "bytes_from(ir::Base::{})))\n      {}\n    {}\n",
        at, name_of(node.test.base), node.test.offset, node.test.mask,
        node.test.relation == Relation::equal ? "equal" : "greater", node.test.value, name_of(node.test.base),
        go_to(node.yes), go_to(node.no));
  }
  return text + "  }\n";
}

}  // namespace packetmill::ir
