#pragma once

#include "elements/classify/decision.h"
#include "ir/ip_filter.h"
#include "ir/optimise.h"

namespace packetmill {

/// IPClassifier: sends each IPv4 packet to the output of the first pattern that it matches.
///
/// Ports:     1 input, as many outputs as patterns. A packet that matches none is dropped.
/// Arguments: the patterns, made of these primitives:
///              ip proto PROTO
///              [src | dst | src or dst | src and dst] host ADDR      (src or dst, where nothing is said)
///              [src | dst | ...] net ADDR/BITS, or ADDR mask MASK
///              [src | dst | ...] [tcp | udp] port PORT               (first fragments only)
///              [src | dst | ...] ether host ETHER                    (needs the MAC header)
///              ip vers | hl | id | tos | dscp | ttl NUMBER;  ip ect;  ip ce;  ip frag;  ip unfrag
///              tcp opt syn | fin | ack | rst | psh | urg;  tcp win NUMBER;  icmp type TYPE   (first fragments only)
///              ip[POS:LEN] VALUE;  transp[POS:LEN] VALUE;  tcp[POS:LEN] VALUE
///              true;  false;  - or any or all, which match every packet
///            Before a value may stand ==, !=, <, >, <=, >=, or "& MASK". Primitives are joined by and (&&), or (||),
///            not (!), "? :", and parentheses; words that are clear may be left out ("tcp and syn", "src port 80 or
///            81").
/// Needs:     the network and transport headers (CheckIPHeader, MarkIPHeader).
/// Handlers:  program (read): the decision graph, one test a line. pattern0, pattern1, ... (read/write): the patterns.
/// Drops:     no_match
/// Example:   IPClassifier(10.0.0.0/24 and syn, 10.0.0.0/24 and fin ack, 10.0.0.0/24 and tcp, -)
/// See also:  Classifier, IPFilter, CheckIPHeader
struct IPClassifier {
  static constexpr ElementInfo info{.name = "IPClassifier", .ports = "1/-", .processing = "h/h"};
  static constexpr bool keeps_bytes = true;

  struct Parameters {
    List<Text> patterns;
    ir::DecisionGraph graph;
  };
  /// What handlers have written: nothing, or all patterns and their program.
  struct Control {
    std::vector<std::string> patterns;
    ir::DecisionProgram program;
  };
  /// Of an element or a context.
  static ir::DecisionGraph graph(const auto& element) {
    return element.control().patterns.empty() ? element.parameters().graph : element.control().program.graph();
  }
  static std::vector<std::string> patterns(const auto& element) {
    if (!element.control().patterns.empty()) return element.control().patterns;
    const auto& configured = element.parameters().patterns;
    return {configured.begin(), configured.end()};
  }
  static std::optional<ir::PatternError> parse_rule(std::string_view text, int number, const Names& names,
                                                    ir::Rule& rule) {
    ir::IpExpression expression;
    if (auto wrong = ir::parse_ip_pattern(text, expression, names)) return wrong;
    rule = {ir::lower(expression), number};
    return {};
  }

  static void configure(Configuration& configuration, Parameters& parameters) {
    const std::vector<Argument> arguments = configuration.take_rest();
    check_outputs(configuration, arguments.size());
    parameters.graph = decide(configuration, arguments, parse_rules(configuration, arguments, parse_rule));
    std::vector<Text> patterns;
    for (const Argument& argument : arguments) patterns.push_back(configuration.arena().keep(argument.text));
    parameters.patterns = configuration.arena().keep(std::move(patterns));
  }

  static constexpr auto handlers = describe(
      read("program", [](const auto& element) { return describe_program(graph(element)); }),
      for_each_output(read("pattern", [](const auto& element, int output) { return patterns(element)[output]; })),
      for_each_output(write("pattern", [](auto& element, int output, std::string_view text) -> Refusal {
        std::vector<std::string> changed = patterns(element);
        changed[static_cast<std::size_t>(output)] = text;
        std::vector<ir::Rule> rules;
        for (const std::string& pattern : changed) {
          const int number = static_cast<int>(rules.size());
          if (const auto wrong = parse_rule(unquote(pattern), number, element.names(), rules.emplace_back()))
            return "pattern " + std::to_string(number) + ": " + wrong->message;
        }
        element.control() = {std::move(changed), ir::optimise(rules)};
        return {};
      })));
  static constexpr Reason no_match{0, "no_match"};
  static constexpr auto drops = describe(no_match);
  using Reads = Fields<MacHeader, NetworkHeader, TransportHeader>;

  static Output process(auto& context, In, auto& packet) {
    const int output = context.control().patterns.empty()
                           ? context.decide(context.parameters().graph, HeaderBytes(packet))
                           : ir::evaluate(context.control().program.graph(), HeaderBytes(packet));
    return output == ir::kNoOutput ? drop(no_match) : to(output);
  }
};

}  // namespace packetmill
