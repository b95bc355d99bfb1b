#pragma once

#include "elements/source/generated.h"
#include "runtime/token_bucket.h"

namespace packetmill {

/// RatedSource: makes packets at a given rate.
///
/// Ports:     1 output (push or pull).
/// Keywords:  DATA (default: 64 bytes): what the packets hold. RATE (default 10): packets per second. LIMIT (default
///            -1): how many packets it makes; negative: no limit. ACTIVE (default true): false makes none. By name
///            only: LENGTH (default -1): the packets' length, for which DATA is repeated or cut; negative: that of
///            DATA. BANDWIDTH: sets RATE so that packets of this length make that bandwidth. STOP (default false):
///            stops the driver after LIMIT packets. END_CALL HANDLER [VALUE]: calls a write handler after LIMIT
///            packets; not together with STOP. HEADROOM (default 128): the number of bytes before the data.
/// Handlers:  count (read): packets made. reset (write): sets count to zero, so that LIMIT more may follow. data,
///            length, rate, limit, active (read/write).
/// Notes:     pushes one packet each time it is scheduled; sleeps between packets, and while a Queue behind it is full.
/// Example:   RatedSource(\<0800>, 10, 1000) -> Queue -> ...
/// See also:  InfiniteSource, TimedSource
struct RatedSource {
  static constexpr ElementInfo info{.name = "RatedSource", .ports = "0/1", .processing = "a/a", .flow = "/x"};
  static constexpr bool heeds_full = true;

  struct Parameters {
    Bandwidth bandwidth;
    bool stop = false;
    HandlerCall end_call;
    std::uint16_t headroom = kHeadroom;
  };
  struct Control {
    Text data = kDefaultData;
    PacketLength length;
    std::uint32_t rate = 10;
    std::int64_t limit = -1;
    bool active = true;
  };
  struct State {
    std::uint64_t count = 0;
    bool ended = false;
    TokenBucket tokens;
    bool waiting = false;  ///< for the timer, which wakes whoever pulls
  };
  static constexpr Scope scope = Scope::pinned;
  using Writes = Fields<ReceiveTime>;

  static constexpr auto keywords = describe(
      positional<&Control::data>("DATA"), positional<&Control::rate>("RATE"), positional<&Control::limit>("LIMIT"),
      positional<&Control::active>("ACTIVE"), keyword<&Control::length>("LENGTH"),
      keyword<&Parameters::bandwidth>("BANDWIDTH"), keyword<&Parameters::stop>("STOP"),
      keyword<&Parameters::end_call>("END_CALL"), keyword<&Parameters::headroom>("HEADROOM"));
  /// INTERPRETATION: what a late turn may catch up with is 10 ms' worth of packets, and two at least.
  static constexpr auto burst = [](std::uint32_t rate) { return std::max(rate / 100, 2U); };
  static constexpr auto set_rate = [](auto& element, std::string_view text) -> Refusal {
    const std::uint32_t before = element.control().rate;
    if (auto wrong = parse(text, element.control().rate)) return wrong;
    (void)element.state().tokens.ready(element.now(), before, burst(before));  // the time until now was at the old rate
    element.wake();
    return {};
  };
  static constexpr auto handlers =
      describe(read("count", &State::count), write("reset", reset_source), read("data", &Control::data),
               write("data", &Control::data), read("length", &Control::length), write("length", &Control::length),
               read("rate", &Control::rate), write("rate", set_rate), read("limit", &Control::limit),
               write("limit", &Control::limit), read("active", &Control::active), write("active", &Control::active));

  static void configure(Configuration& configuration, Parameters& parameters) { check_end(configuration, parameters); }

  static Refusal initialize(auto& element) {
    auto& control = element.control();
    const std::uint64_t bandwidth = element.parameters().bandwidth.bytes_per_second;
    const std::uint64_t length = control.length.bytes < 0 ? control.data.size() : control.length.bytes;
    if (bandwidth > 0) control.rate = static_cast<std::uint32_t>(bandwidth / std::max<std::uint64_t>(length, 1));
    return {};
  }

  static bool ready(const auto& element) {
    return element.control().active && remaining(element.control(), element.state()) > 0 && !element.state().waiting;
  }

  static auto next(auto& context) { return make_packet(context, context.control().data, context.control().length); }
  static bool may_send(auto& context) {
    const std::uint32_t rate = context.control().rate;
    auto& tokens = context.state().tokens;
    if (!tokens.ready(context.now(), rate, burst(rate))) return false;
    tokens.spend();
    return true;
  }

  static auto pull(auto& context, int) {
    using Packet = decltype(next(context));
    if (finished(context)) return Packet();
    if (may_send(context)) return next(context);
    // The timer is the home core's. Where there are others, whoever pulls goes on asking.
    if (context.cores() == 1) {
      context.state().waiting = true;
      context.set_timer(context.state().tokens.next(context.control().rate));
    }
    return Packet();
  }
  static void timer(auto& context) {
    context.state().waiting = false;
    context.wake();
  }

  static bool run(auto& context) {
    if (finished(context)) {
      context.sleep();
      return false;
    }
    if (!may_send(context)) {
      context.sleep_until(context.state().tokens.next(context.control().rate));
      return false;
    }
    if (auto packet = next(context)) context.emit(0, std::move(packet));
    return true;
  }
};

}  // namespace packetmill
