#pragma once

#include "elements/flow/tee_outputs.h"
#include "runtime/effects.h"

namespace packetmill {

/// Tee: sends a copy of every packet to each output.
///
/// Ports:     1 push input, 1 or more push outputs. Copies go to the outputs in order; the last one gets the packet
///            itself.
/// Keywords:  N (optional): how many outputs there are; any other number of them is an error.
/// Drops:     no_buffer: there was no buffer for a copy; the packet and its other copies go on.
/// See also:  PullTee, PaintTee
struct Tee : TeeOutputs {
  static constexpr ElementInfo info{.name = "Tee", .ports = "1/1-", .processing = "h/h"};
  static constexpr bool emits = true;

  static std::optional<Effects> effects(const auto&, int outputs) {
    if (outputs == 1) return Effects{};
    return std::nullopt;
  }

  static Output process(auto& context, In, auto& packet) {
    const int last = context.outputs() - 1;
    for (int port = 0; port < last; ++port) copy_to(context, port, packet);
    return to(last);
  }
};

}  // namespace packetmill
