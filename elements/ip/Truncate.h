#pragma once

#include "runtime/effects.h"
#include "runtime/element.h"

namespace packetmill {

/// Truncate: cuts packets down to a length.
///
/// Ports:     1 input, 1 output.
/// Keywords:  LENGTH (mandatory; by place), or NBYTES: how many bytes a packet keeps at most.
///            EXTRA_LENGTH (default true): whether the bytes cut off are added to the extra-length annotation.
/// See also:  Strip
struct Truncate {
  static constexpr ElementInfo info{.name = "Truncate"};
  static constexpr bool keeps_bytes = true;

  struct Parameters {
    std::optional<std::uint32_t> length;
    bool extra_length = true;
  };
  static constexpr auto keywords =
      describe(positional<&Parameters::length>("LENGTH"), keyword<&Parameters::length>("NBYTES"),
               keyword<&Parameters::extra_length>("EXTRA_LENGTH"));
  static void configure(Configuration& configuration, Parameters& parameters) {
    if (!parameters.length) configuration.error("LENGTH: required argument missing");
  }
  using Writes = Fields<ExtraLength>;

  static Effects effects(const auto&, int) { return {.frame = Effects::Frame::written}; }

  static Output process(auto& context, In, auto& packet) {
    const auto& parameters = context.parameters();
    if (packet.length() <= *parameters.length) return to(0);
    const std::uint32_t surplus = packet.length() - *parameters.length;
    packet.take(surplus);
    if (parameters.extra_length) packet.template set<ExtraLength>(packet.template get<ExtraLength>() + surplus);
    return to(0);
  }
};

}  // namespace packetmill
