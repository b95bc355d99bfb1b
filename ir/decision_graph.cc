#include "ir/decision_graph.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

namespace packetmill::ir {
namespace {

std::string_view prefix_of(Base base) {
  switch (base) {
    case Base::packet:
      return "";
    case Base::mac_header:
      return "mac ";
    case Base::network_header:
      return "ip ";
    case Base::transport_header:
      return "transp ";
  }
  return "";
}

std::string describe(int32_t target) {
  if (!is_end(target)) return fmt::format("step {}", target);
  return outcome_of(target) == kNoOutput ? "[X]" : fmt::format("[{}]", outcome_of(target));
}

}  // namespace

bool DecisionProgram::reaches(int outcome) const {
  const int32_t end = end_with(outcome);
  return root == end || std::ranges::any_of(nodes, [&](const Node& n) { return n.yes == end || n.no == end; });
}

std::string to_string(const DecisionGraph& graph) {
  if (is_end(graph.root)) return "all->" + describe(graph.root) + "\n";
  std::string text;
  for (size_t i = 0; i < graph.nodes.size(); ++i) {
    const auto& [test, yes, no] = graph.nodes[i];
    text +=
        fmt::format("{:2}  {}{}/{}{:08x}%{:08x}  yes->{}  no->{}\n", i, prefix_of(test.base), test.offset,
                    test.relation == Relation::greater ? ">" : "", test.value, test.mask, describe(yes), describe(no));
  }
  return text;
}

}  // namespace packetmill::ir
