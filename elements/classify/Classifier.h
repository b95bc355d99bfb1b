#pragma once

#include "elements/classify/decision.h"
#include "runtime/effects.h"

namespace packetmill {

/// Classifier: sends each packet to the output of the first pattern that it matches.
///
/// Ports:     1 input, as many outputs as patterns. A packet that matches none is dropped.
/// Arguments: the patterns. A pattern is a list of clauses OFFSET/VALUE or OFFSET/VALUE%MASK: at OFFSET (decimal, from
///            the packet's first byte) it must have VALUE (an even number of hexadecimal digits, of which "?" matches
///            any), in the bits of MASK. "!" before a clause negates it. "-" matches every packet. A packet without
///            a byte of which a clause compares some bits does not match it.
/// Handlers:  program (read): the decision graph, one test a line.
/// Drops:     no_match
/// Example:   Classifier(12/0806 20/0001, 12/0806 20/0002, 12/0800, -)
/// See also:  IPClassifier, IPFilter
struct Classifier {
  static constexpr ElementInfo info{.name = "Classifier", .ports = "1/-", .processing = "h/h"};

  struct Parameters {
    ir::DecisionGraph graph;
  };
  static void configure(Configuration& configuration, Parameters& parameters) {
    const std::vector<Argument> arguments = configuration.take_rest();
    check_outputs(configuration, arguments.size());
    const std::vector<ir::Rule> rules =
        parse_rules(configuration, arguments, [](std::string_view text, int number, const Names&, ir::Rule& rule) {
          rule.outcome = number;
          return ir::parse_classifier_pattern(text, rule.pattern);
        });
    parameters.graph = decide(configuration, arguments, rules);
  }
  static constexpr auto handlers =
      describe(read("program", [](const auto& element) { return describe_program(element.parameters().graph); }));
  static constexpr Reason no_match{0, "no_match"};
  static constexpr auto drops = describe(no_match);

  static Effects effects(const auto& parameters, int) {
    return {.frame = Effects::Frame::read, .drops = shortest_match(parameters.graph, ir::kNoOutput).has_value()};
  }
  static std::uint32_t least_length(const auto& parameters, int output) {
    return shortest_match(parameters.graph, output).value_or(0);
  }

  static Output process(auto& context, In, auto& packet) {
    const int output = context.decide(context.parameters().graph, [&](ir::Base) {
      return std::span<const std::uint8_t>(packet.data(), packet.length());
    });
    return output == ir::kNoOutput ? drop(no_match) : to(output);
  }
};

}  // namespace packetmill
