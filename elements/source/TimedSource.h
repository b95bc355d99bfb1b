#pragma once

#include "elements/source/generated.h"

namespace packetmill {

/// TimedSource: makes one packet after each interval.
///
/// Ports:     1 push output.
/// Keywords:  INTERVAL (default 500 ms): the time between packets, and before the first. DATA (default: 64 bytes): what
///            the packets hold. By name only: LIMIT (default -1): how many packets it makes; negative: no limit. ACTIVE
///            (default true): false makes none. STOP (default false): stops the driver, one interval after the last of
///            LIMIT packets. END_CALL HANDLER [VALUE]: likewise calls a write handler; not together with STOP. HEADROOM
///            (default 128): the number of bytes before the data.
/// Handlers:  count (read): packets made. reset (write): sets count to zero, so that LIMIT more may follow. data,
///            interval, limit, active (read/write): a write begins a new interval.
/// Example:   TimedSource(INTERVAL 0.333) -> ...
/// See also:  InfiniteSource, RatedSource
struct TimedSource {
  static constexpr ElementInfo info{.name = "TimedSource", .ports = "0/1", .processing = "h/h", .flow = "/x"};

  struct Parameters {
    bool stop = false;
    HandlerCall end_call;
    std::uint16_t headroom = kHeadroom;
  };
  struct Control {
    Duration interval = Duration::milliseconds(500);
    Text data = kDefaultData;
    std::int64_t limit = -1;
    bool active = true;
  };
  struct State {
    std::uint64_t count = 0;
    bool ended = false;
    Timestamp due{};
  };
  static constexpr Scope scope = Scope::pinned;
  using Writes = Fields<ReceiveTime>;

  static constexpr auto keywords = describe(
      positional<&Control::interval>("INTERVAL"), positional<&Control::data>("DATA"), keyword<&Control::limit>("LIMIT"),
      keyword<&Control::active>("ACTIVE"), keyword<&Parameters::stop>("STOP"),
      keyword<&Parameters::end_call>("END_CALL"), keyword<&Parameters::headroom>("HEADROOM"));

  static Refusal start(auto& element) {
    element.state().due = element.now() + element.control().interval;
    element.set_timer(element.state().due);
    return {};
  }
  template <auto Member>
  static constexpr auto set = [](auto& element, std::string_view text) -> Refusal {
    if (auto wrong = parse(text, element.control().*Member, kNoNames)) return wrong;
    return start(element);
  };
  static constexpr auto handlers = describe(
      read("count", &State::count),
      write("reset",
            [](auto& element, std::string_view text) {
              reset_source(element, text);
              return start(element);
            }),
      read("data", &Control::data), write("data", set<&Control::data>), read("interval", &Control::interval),
      write("interval", set<&Control::interval>), read("limit", &Control::limit), write("limit", set<&Control::limit>),
      read("active", &Control::active), write("active", set<&Control::active>));

  static void configure(Configuration& configuration, Parameters& parameters) { check_end(configuration, parameters); }
  static Refusal initialize(auto& element) { return start(element); }

  static void timer(auto& context) {
    if (finished(context)) return;
    if (auto packet = make_packet(context, context.control().data)) context.emit(0, std::move(packet));
    // From when it was due, not from when it came: intervals add up to the time that passes.
    context.state().due += context.control().interval;
    context.set_timer(context.state().due);
  }
};

}  // namespace packetmill
