#pragma once

#include "elements/classify/decision.h"
#include "ir/ip_filter.h"

namespace packetmill {

/// IPFilter: lets IPv4 packets pass, or not, as the first rule says whose pattern they match.
///
/// Ports:     1 input, any number of outputs.
/// Arguments: the rules, each an action and a pattern. Actions: an output's number; allow, which is 0; drop or deny.
///            For the patterns see IPClassifier. "file NAME" stands for the rules in a file, one a line. A packet that
///            matches no rule is dropped.
/// Keywords:  CACHING: accepted and without effect: to decide once more is as quick as to remember.
/// Needs:     the network and transport headers (CheckIPHeader, MarkIPHeader).
/// Handlers:  program (read): the decision graph, one test a line.
/// Drops:     denied: by a rule, or because no rule matches.
/// Example:   IPFilter(allow dst tcp port www, deny all)
/// See also:  IPClassifier, Classifier, CheckIPHeader
struct IPFilter {
  static constexpr ElementInfo info{.name = "IPFilter", .ports = "1/-", .processing = "h/h"};
  static constexpr bool keeps_bytes = true;

  struct Parameters {
    ir::DecisionGraph graph;
    bool caching = false;
  };
  static constexpr auto keywords = describe(keyword<&Parameters::caching>("CACHING"));
  static void configure(Configuration& configuration, Parameters& parameters) {
    configuration.refuse_unknown_keywords();
    const std::vector<Argument> arguments = with_files(configuration, configuration.take_rest());
    const std::vector<ir::Rule> rules = parse_rules(configuration, arguments, parse_rule);
    for (std::size_t i = 0; i < rules.size(); ++i)
      if (rules[i].outcome >= configuration.outputs())
        configuration.error(arguments[i], "pattern " + std::to_string(i) + ": output out of range");
    parameters.graph = decide(configuration, arguments, rules);
  }
  static constexpr auto handlers =
      describe(read("program", [](const auto& element) { return describe_program(element.parameters().graph); }));
  static constexpr Reason denied{0, "denied"};
  static constexpr auto drops = describe(denied);
  using Reads = Fields<MacHeader, NetworkHeader, TransportHeader>;

  static Output process(auto& context, In, auto& packet) {
    const int output = context.decide(context.parameters().graph, HeaderBytes(packet));
    return output == ir::kNoOutput ? drop(denied) : to(output);
  }

 private:
  static std::optional<ir::PatternError> parse_rule(std::string_view text, int, const Names& names, ir::Rule& rule) {
    ir::IpFilterRule parsed;
    if (auto wrong = ir::parse_ip_filter_rule(text, parsed, names)) return wrong;
    rule = {ir::lower(parsed.pattern), parsed.outcome};
    return {};
  }
};

}  // namespace packetmill
