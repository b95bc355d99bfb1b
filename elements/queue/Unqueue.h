#pragma once

#include <limits>

#include "runtime/element.h"

namespace packetmill {

/// Unqueue: pulls packets as soon as there are any, and pushes them on.
///
/// Ports:     1 pull input, 1 push output.
/// Keywords:  BURST (default 1): how many packets it moves each time it is scheduled; negative: all that there are.
///            ACTIVE (default true): false lets packets wait upstream.
///            LIMIT (default -1): how many packets it moves in all; negative: no limit.
/// Handlers:  count (read): packets moved. reset (write): sets count to zero, so that LIMIT more may pass. active,
///            limit, burst (read/write).
/// See also:  Queue, RatedUnqueue, DelayUnqueue
struct Unqueue {
  static constexpr ElementInfo info{.name = "Unqueue", .ports = "1/1", .processing = "l/h"};
  static constexpr bool keeps_bytes = true;

  struct Control {
    std::int32_t burst = 1;
    bool active = true;
    std::int64_t limit = -1;
  };
  struct State {
    std::uint64_t count = 0;
  };
  static constexpr auto keywords = describe(positional<&Control::burst>("BURST"), keyword<&Control::active>("ACTIVE"),
                                            keyword<&Control::limit>("LIMIT"));
  static constexpr auto handlers =
      describe(read("count", &State::count),
               write("reset",
                     [](auto& element, std::string_view) -> Refusal {
                       element.for_each_state([](auto& state) { state.count = 0; });
                       element.wake();
                       return {};
                     }),
               read("active", &Control::active), write("active", &Control::active), read("limit", &Control::limit),
               write("limit", &Control::limit), read("burst", &Control::burst), write("burst", &Control::burst));

  static bool run(auto& context) {
    const Control& control = context.control();
    std::uint64_t& count = context.state().count;
    constexpr std::uint64_t unlimited = std::numeric_limits<std::uint64_t>::max();
    const std::uint64_t limit = control.limit < 0 ? unlimited : static_cast<std::uint64_t>(control.limit);
    const std::uint64_t burst = control.burst < 0 ? unlimited : static_cast<std::uint64_t>(control.burst);
    if (!control.active || count >= limit) {
      context.sleep();
      return false;
    }
    const std::uint64_t end = count + std::min(burst, limit - count);
    const std::uint64_t begin = count;
    while (count < end) {
      auto packet = context.pull(0);
      if (!packet) break;
      ++count;
      context.emit(0, std::move(packet));
    }
    return count > begin;
  }
};

}  // namespace packetmill
