#pragma once

#include "elements/control/element_and_value.h"

namespace packetmill {

/// StaticThreadSched: says on which core elements run.
///
/// Ports:     none.
/// Keywords:  any number of `ELEMENT THREAD`: the tasks and the timer of ELEMENT, or of all elements of the compound of
///            that name, run on core THREAD (counted from 0). What is said later, or about an inner element, counts.
/// Example:   StaticThreadSched(FromDPDKDevice@1 0, u 1);
/// See also:  ScheduleInfo
struct StaticThreadSched {
  static constexpr ElementInfo info{.name = "StaticThreadSched", .ports = "0/0"};

  static void declare(Configuration& configuration, std::string_view element, Declarations& declarations) {
    for (const Argument& argument : configuration.take_rest()) {
      const auto [target, value] = element_and_value(argument);
      int core = 0;
      if (auto wrong = parse(value, core))
        configuration.error(argument, "expected 'ELEMENT THREAD': " + *wrong);
      else if (!declarations.set_core(element, target, core))
        configuration.error(argument, "no element named '" + target + "'");
    }
  }
};

}  // namespace packetmill
