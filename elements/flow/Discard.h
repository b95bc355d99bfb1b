#pragma once

#include "runtime/effects.h"
#include "runtime/element.h"

namespace packetmill {

/// Discard: drops every packet.
///
/// Ports:     1 input (push or pull).
/// Keywords:  ACTIVE (default true): false lets packets wait upstream. BURST (default 1): how many packets it pulls
///            each time it is scheduled. Both mean something on a pull path only.
/// Handlers:  count (read): packets dropped. reset_counts (write): sets count to zero. active (read/write).
/// Drops:     discarded.
/// Notes:     sleeps while what it pulls from is empty.
/// See also:  Idle
struct Discard {
  static constexpr ElementInfo info{.name = "Discard", .ports = "1/0", .flow = "x/"};

  struct Parameters {
    std::uint32_t burst = 1;
  };
  struct Control {
    bool active = true;
  };
  struct State {
    std::uint64_t count = 0;
  };
  static constexpr auto keywords = describe(keyword<&Control::active>("ACTIVE"), keyword<&Parameters::burst>("BURST"));
  static constexpr auto handlers = describe(read("count", &State::count),
                                            write("reset_counts",
                                                  [](auto& element, std::string_view) -> Refusal {
                                                    element.for_each_state([](auto& state) { state.count = 0; });
                                                    return {};
                                                  }),
                                            read("active", &Control::active), write("active", &Control::active));
  static constexpr Reason discarded{0, "discarded"};
  static constexpr auto drops = describe(discarded);

  static Effects effects(const auto&, int) { return {.drops = true, .observable = true}; }

  static Output process(auto& context, In, auto&) {
    ++context.state().count;
    return drop(discarded);
  }

  static bool run(auto& context) {
    if (!context.control().active) {
      context.sleep();
      return false;
    }
    bool worked = false;
    for (std::uint32_t i = 0; i < context.parameters().burst; ++i) {
      auto packet = context.pull(0);
      if (!packet) break;
      ++context.state().count;
      context.drop(std::move(packet), discarded);
      worked = true;
    }
    return worked;
  }
};

}  // namespace packetmill
