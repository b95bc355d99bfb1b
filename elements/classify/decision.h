#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "ir/classifier_patterns.h"
#include "ir/formula.h"
#include "runtime/element.h"

/// What Classifier, IPClassifier and IPFilter have in common: from texts to rules, to a decision graph, and back to
/// text.
namespace packetmill {

/// Makes a rule of its text; `number` counts the rules from 0.
using RuleParser = std::optional<ir::PatternError> (*)(std::string_view text, int number, const Names& names,
                                                       ir::Rule& rule);

/// The arguments with the lines of a file in the place of each "file NAME"; they have that argument's place. Blank
/// lines and lines that begin with '#' are left out.
std::vector<Argument> with_files(Configuration& configuration, const std::vector<Argument>& arguments);

/// The element's arguments as rules. Mistakes are errors at their places; there are no rules then.
std::vector<ir::Rule> parse_rules(Configuration& configuration, const std::vector<Argument>& arguments,
                                  RuleParser parser);

/// The graph of `rules`, in memory that the element's arena keeps. A rule that no packet can reach gets a warning at
/// its argument.
ir::DecisionGraph decide(Configuration& configuration, const std::vector<Argument>& arguments,
                         const std::vector<ir::Rule>& rules);

/// Reports where the element has not one output for each of its patterns.
void check_outputs(Configuration& configuration, std::size_t patterns);

/// As the handler `program` shows it.
std::string describe_program(const ir::DecisionGraph& graph);

/// The packet's bytes from one of its headers to its end, as ir::evaluate asks for them.
template <class Field>
std::span<const std::uint8_t> bytes_from(const auto& packet) {
  const std::uint32_t position = packet.template get<Field>();
  const std::uint32_t end = packet.headroom() + packet.length();
  if (position == 0 || position > end) return {};
  return {packet.buffer() + position, end - position};
}

/// The bytes of an IP packet from each of its headers, as ir::evaluate asks for them.
auto headers_of(const auto& packet) {
  return [&packet](ir::Base base) -> std::span<const std::uint8_t> {
    switch (base) {
      case ir::Base::packet:
        return {packet.data(), packet.length()};
      case ir::Base::mac_header:
        return bytes_from<MacHeader>(packet);
      case ir::Base::network_header:
        return bytes_from<NetworkHeader>(packet);
      case ir::Base::transport_header:
        return bytes_from<TransportHeader>(packet);
    }
    return {};
  };
}

}  // namespace packetmill
