#pragma once

#include "runtime/effects.h"
#include "runtime/element.h"

namespace packetmill {

/// RoundRobinSwitch: sends packets to its outputs in turn.
///
/// Ports:     1 push input, 1 or more push outputs.
/// Keywords:  SPLITBATCH (default true): false sends whole batches to the outputs in turn.
/// Notes:     each core goes round on its own.
/// See also:  Switch, RoundRobinSched
struct RoundRobinSwitch {
  static constexpr ElementInfo info{.name = "RoundRobinSwitch", .ports = "1/1-", .processing = "h/h"};

  struct Parameters {
    bool split_batch = true;
  };
  struct State {
    int next = 0;
  };
  static constexpr auto keywords = describe(keyword<&Parameters::split_batch>("SPLITBATCH"));

  static std::optional<Effects> effects(const auto&, int outputs) {
    if (outputs == 1) return Effects{};
    return std::nullopt;
  }

  static Output process(auto& context, In, auto&) {
    const int output = context.state().next;
    if (context.parameters().split_batch) advance(context);
    return to(output);
  }
  static void batch_end(auto& context) {
    if (!context.parameters().split_batch) advance(context);
  }

 private:
  static void advance(auto& context) {
    int& next = context.state().next;
    next = next + 1 < context.outputs() ? next + 1 : 0;
  }
};

}  // namespace packetmill
