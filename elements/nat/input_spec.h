#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "runtime/keyword.h"

namespace packetmill {

/// `SADDR SPORT DADDR DPORT`: what a packet's flow becomes. What is not given stays as it is.
struct RewritePattern {
  /// How the source port is chosen among first ... last: the packet's own where it is free, otherwise a random one; a
  /// random one (`?`); one after the other (`#`).
  enum class Choice : std::uint8_t { keep, prefer_own, random, sequential };

  std::optional<IPv4Address> source;
  std::optional<IPv4Address> destination;
  Choice choice = Choice::keep;
  std::uint16_t first_port = 0;  ///< host byte order
  std::uint16_t last_port = 0;
  std::optional<std::uint16_t> destination_port;  ///< host byte order
};

/// What a rewriter does with a packet whose flow it does not know.
struct InputSpec {
  enum class Kind : std::uint8_t { drop, pass, keep, pattern };

  Kind kind = Kind::drop;
  std::uint32_t pattern = 0;  ///< its place in `patterns`
  std::uint16_t output = 0;
  std::uint16_t reply_output = 0;
};

/// `SADDR SPORT DADDR DPORT`, as it is written.
std::string to_string(const RewritePattern& pattern);

/// `SADDR SPORT DADDR DPORT FOUTPUT ROUTPUT`, as a handler gets it; `spec.pattern` is left alone.
ParseError parse_pattern_and_outputs(std::string_view text, int outputs, const Names& names, RewritePattern& pattern,
                                     InputSpec& spec);

/// A rewriter's input specifications from the arguments that no keyword took; whatever is wrong is reported.
void configure_inputs(Configuration& configuration, List<InputSpec>& inputs, List<RewritePattern>& patterns);

}  // namespace packetmill
