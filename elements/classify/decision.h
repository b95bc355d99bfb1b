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

/// A bound: packets that come to `outcome` have at least so many bytes; nothing where no packet comes to it.
std::optional<std::uint32_t> shortest_match(const ir::DecisionGraph& graph, int outcome);

/// The bytes of an IP packet from each of its headers to its end, as ir::evaluate asks for them.
class HeaderBytes {
 public:
  /// A copy of what the packet says: where the graph is evaluated out of line, the packet itself is not in memory.
  explicit HeaderBytes(const auto& packet)
      : buffer_(packet.buffer()),
        frame_(packet.headroom()),
        mac_header_(packet.template get<MacHeader>()),
        network_header_(packet.template get<NetworkHeader>()),
        transport_header_(packet.template get<TransportHeader>()),
        end_(packet.headroom() + packet.length()) {}

  std::span<const std::uint8_t> operator()(ir::Base base) const {
    switch (base) {
      case ir::Base::packet:
        return {buffer_ + frame_, end_ - frame_};
      case ir::Base::mac_header:
        return from(mac_header_);
      case ir::Base::network_header:
        return from(network_header_);
      case ir::Base::transport_header:
        return from(transport_header_);
    }
    return {};
  }

 private:
  [[nodiscard]] std::span<const std::uint8_t> from(std::uint32_t position) const {
    if (position == 0 || position > end_) return {};
    return {buffer_ + position, end_ - position};
  }

  const std::uint8_t* buffer_;
  std::uint32_t frame_, mac_header_, network_header_, transport_header_, end_;
};

}  // namespace packetmill
