#pragma once

#include "runtime/element.h"

namespace packetmill {

/// Switch: sends every packet to one output, which can be changed.
///
/// Ports:     1 push input, any number of push outputs.
/// Keywords:  OUTPUT (default 0): the output's number; negative: packets are dropped.
/// Handlers:  switch (read/write): OUTPUT.
/// Drops:     switched_off.
/// See also:  RoundRobinSwitch, PaintSwitch
struct Switch {
  static constexpr ElementInfo info{.name = "Switch", .ports = "1/-", .processing = "h/h"};

  struct Control {
    std::int32_t output = 0;
  };
  static constexpr auto keywords = describe(positional<&Control::output>("OUTPUT"));
  static constexpr auto handlers =
      describe(read("switch", &Control::output), write("switch", [](auto& element, std::string_view text) -> Refusal {
                 std::int32_t output = 0;
                 if (parse(text, output)) return "Switch output must be integer";
                 // INTERPRETATION: as in Click, a number that is no output's turns the packets off rather than being
                 // refused.
                 element.control().output = output < element.outputs() ? output : -1;
                 return {};
               }));
  static constexpr Reason switched_off{0, "switched_off"};
  static constexpr auto drops = describe(switched_off);

  static Refusal check(auto& element) {
    if (element.control().output < element.outputs()) return {};
    return "OUTPUT must be < " + std::to_string(element.outputs());
  }

  static Output process(auto& context, In, auto&) {
    const std::int32_t output = context.control().output;
    return output < 0 ? drop(switched_off) : to(output);
  }
};

}  // namespace packetmill
