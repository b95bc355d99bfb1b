#pragma once

#include "runtime/declarations.h"
#include "runtime/element.h"

namespace packetmill {

/// IPRewriterPatterns(NAME SADDR SPORT DADDR DPORT, ...): names patterns for the input specifications of IPRewriter and
/// its kind, `pattern NAME FOUTPUT ROUTPUT`. IPRewriter describes the pattern's parts.
///
/// Ports:     none.
/// Keywords:  NAME: different from that of every other pattern in the configuration.
/// Example:   IPRewriterPatterns(outside 192.0.2.1 1024-65535 - -);
///            rewriter :: IPRewriter(pattern outside 0 1, drop);
/// See also:  IPRewriter
struct IPRewriterPatterns {
  static constexpr ElementInfo info{.name = "IPRewriterPatterns", .ports = "0/0"};

  static void declare(Configuration& configuration, std::string_view, Declarations& declarations) {
    for (const Argument& argument : configuration.take_rest()) {
      const std::vector<std::string> words = split_words(argument.text);
      if (words.size() != 5)
        configuration.error(argument, "expected 'NAME SADDR SPORT DADDR DPORT'");
      else if (!declarations.add_pattern(words[0], words[1] + " " + words[2] + " " + words[3] + " " + words[4]))
        configuration.error(argument, "pattern '" + words[0] + "' is defined twice");
    }
  }
};

}  // namespace packetmill
