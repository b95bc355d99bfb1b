#pragma once

#include "runtime/element.h"

namespace packetmill {

/// Discard: drops every packet.
///
/// Ports:     1 input (push or pull), no output.
/// Keywords:  ACTIVE (default true): false lets packets wait upstream, on a pull path.
/// Handlers:  count (read): packets dropped; reset_counts (write).
/// See also:  Idle
struct Discard {
  static constexpr ElementInfo info{.name = "Discard", .ports = "1/0", .processing = "a/a", .flow = "x/"};

  static constexpr Reason discarded{0, "discarded"};
  static constexpr auto drops = describe(discarded);

  struct State {
    std::uint64_t count = 0;
  };
  static constexpr auto handlers =
      describe(read("count", &State::count), write("reset_counts", [](auto& element, auto) {
                 element.for_each_state([](auto& state) { state.count = 0; });
                 return Refusal();
               }));

  static Output process(auto& context, In, auto&) {
    ++context.state().count;
    return drop(discarded);
  }
};

}  // namespace packetmill
