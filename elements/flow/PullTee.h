#pragma once

#include "elements/flow/tee_outputs.h"
#include "runtime/effects.h"

namespace packetmill {

/// PullTee: pushes a copy of every packet that is pulled through it to each further output.
///
/// Ports:     1 pull input. Output 0 (pull): the packets. Outputs 1 and up (push): a copy of each.
/// Keywords:  N (optional): how many outputs there are; any other number of them is an error.
/// Drops:     no_buffer: there was no buffer for a copy; the packet and its other copies go on.
/// See also:  Tee
struct PullTee : TeeOutputs {
  static constexpr ElementInfo info{.name = "PullTee", .ports = "1/1-", .processing = "l/lh"};
  static constexpr bool emits = true;

  static std::optional<Effects> effects(const auto&, int outputs) {
    if (outputs == 1) return Effects{};
    return std::nullopt;
  }

  static Output process(auto& context, In, auto& packet) {
    for (int port = 1; port < context.outputs(); ++port) copy_to(context, port, packet);
    return to(0);
  }
};

}  // namespace packetmill
