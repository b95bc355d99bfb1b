#pragma once

#include "elements/source/generated.h"

namespace packetmill {

/// InfiniteSource: makes packets whenever it is scheduled, or whenever one is pulled.
///
/// Ports:     1 output (push or pull).
/// Keywords:  DATA (default: 64 bytes): what the packets hold. LIMIT (default -1): how many packets it makes; negative:
///            no limit. BURST (default 1): how many it pushes each time. ACTIVE (default true): false makes none.
///            By name only: LENGTH (default -1): the packets' length, for which DATA is repeated or cut; negative: that
///            of DATA. STOP (default false): stops the driver after LIMIT packets. END_CALL HANDLER [VALUE]: calls a
///            write handler after LIMIT packets; not together with STOP. TIMESTAMP (default true): sets the packets'
///            time. HEADROOM (default 128): the number of bytes before the data.
/// Handlers:  count (read): packets made. reset (write): sets count to zero, so that LIMIT more may follow. data,
///            length, limit, burst, active (read/write).
/// Notes:     sleeps while a Queue behind it is full.
/// Example:   InfiniteSource(\<0800>, LIMIT 100, STOP true) -> Queue -> Discard;
/// See also:  RatedSource, TimedSource
struct InfiniteSource {
  static constexpr ElementInfo info{.name = "InfiniteSource", .ports = "0/1", .processing = "a/a", .flow = "/x"};
  static constexpr bool heeds_full = true;

  struct Parameters {
    bool stop = false;
    HandlerCall end_call;
    bool timestamp = true;
    std::uint16_t headroom = kHeadroom;
  };
  struct Control {
    Text data = kDefaultData;
    PacketLength length;
    std::int64_t limit = -1;
    std::uint32_t burst = 1;
    bool active = true;
  };
  struct State {
    std::uint64_t count = 0;
    bool ended = false;
  };
  static constexpr Scope scope = Scope::pinned;
  using Writes = Fields<ReceiveTime>;

  static constexpr auto keywords = describe(
      positional<&Control::data>("DATA"), positional<&Control::limit>("LIMIT"), positional<&Control::burst>("BURST"),
      positional<&Control::active>("ACTIVE"), keyword<&Control::length>("LENGTH"), keyword<&Parameters::stop>("STOP"),
      keyword<&Parameters::end_call>("END_CALL"), keyword<&Parameters::timestamp>("TIMESTAMP"),
      keyword<&Parameters::headroom>("HEADROOM"));
  static constexpr auto handlers =
      describe(read("count", &State::count), write("reset", reset_source), read("data", &Control::data),
               write("data", &Control::data), read("length", &Control::length), write("length", &Control::length),
               read("limit", &Control::limit), write("limit", &Control::limit), read("burst", &Control::burst),
               write("burst", &Control::burst), read("active", &Control::active), write("active", &Control::active));

  static void configure(Configuration& configuration, Parameters& parameters) { check_end(configuration, parameters); }

  static bool ready(const auto& element) {
    return element.control().active && remaining(element.control(), element.state()) > 0;
  }

  static auto next(auto& context) {
    return make_packet(context, context.control().data, context.control().length, context.parameters().timestamp);
  }
  static auto pull(auto& context, int) {
    using Packet = decltype(next(context));
    return finished(context) ? Packet() : next(context);
  }
  static bool run(auto& context) {
    if (finished(context)) {
      context.sleep();
      return false;
    }
    const Control& control = context.control();
    auto burst = std::min<std::uint64_t>(control.burst, remaining(control, context.state()));
    for (; burst > 0; --burst)
      if (auto packet = next(context)) context.emit(0, std::move(packet));
    return true;
  }
};

}  // namespace packetmill
