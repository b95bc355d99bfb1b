#pragma once

#include "elements/control/element_and_value.h"

namespace packetmill {

/// ScheduleInfo: says how often elements are scheduled, compared with others.
///
/// Ports:     none.
/// Keywords:  any number of `ELEMENT PARAM`: the tasks of ELEMENT get PARAM (a positive real number) times as many
///            turns as those of elements that no ScheduleInfo names. The PARAM of a compound multiplies those of its
///            elements.
/// Example:   ScheduleInfo(a 2, b 0.5);  // four turns of a for each turn of b
/// See also:  StaticThreadSched
struct ScheduleInfo {
  static constexpr ElementInfo info{.name = "ScheduleInfo", .ports = "0/0"};

  static void declare(Configuration& configuration, std::string_view element, Declarations& declarations) {
    for (const Argument& argument : configuration.take_rest()) {
      const auto [target, value] = element_and_value(argument);
      Fraction<10> factor;  // 1024 tickets to one
      if (auto wrong = parse(value, factor))
        configuration.error(argument, "expected 'ELEMENT PARAM': " + *wrong);
      else if (!declarations.set_tickets(element, target, static_cast<double>(factor.raw) / factor.kOne))
        configuration.error(argument, "no element named '" + target + "'");
    }
  }
};

}  // namespace packetmill
