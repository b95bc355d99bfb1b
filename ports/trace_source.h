#pragma once

#include <optional>

#include "runtime/control_plane.h"
#include "runtime/element.h"

namespace packetmill {

/// What FromDump and FromIPSummaryDump have in common: giving out the packets of a trace one after the other, at once
/// or with the intervals that they had (TIMING), until the end, where the driver may be asked to stop (STOP); `active`
/// may be written to wait and to go on.
///
/// An element E derives from TraceSource<E>. Its Parameters have `stop`, `timing` and `sample`, its State derives from
/// Progress, and it offers
///   bool fill(auto& context)             makes sure that a packet is next; false: there is none
///   Timestamp next_time(const State&)    the time of the packet that is next
///   bool ended(const State&)             whether the trace is to end before that packet
///   Owned take(auto& context)            the packet that is next, for output 0; null where it has gone elsewhere
template <class E>  // NOLINTNEXTLINE(bugprone-crtp-constructor-accessibility): no element is ever made
struct TraceSource {
  static constexpr Scope scope = Scope::pinned;

  struct Progress {
    bool active = true;
    bool exhausted = false;          ///< nothing more can be read
    std::optional<Duration> offset;  ///< TIMING: from the trace's time to ours
  };

  static bool run(auto& context) {
    bool worked = false;
    for (int i = 0; i < kBurst; ++i) {
      const Next next = look(context);
      if (next == Next::packet) {
        if (auto packet = E::take(context)) context.emit(0, std::move(packet));
        worked = true;
        continue;
      }
      if (worked) return true;  // what follows happens when all packets have gone their way
      if (next == Next::over) end(context);
      if (next == Next::later || !context.state().active) context.sleep();
      return next == Next::over;
    }
    return worked;
  }
  static auto pull(auto& context, int) {
    for (int i = 0; i < kBurst; ++i) {
      const Next next = look(context);
      if (next == Next::over) end(context);
      if (next != Next::packet) break;
      if (auto packet = E::take(context)) return packet;
    }
    return decltype(E::take(context))();
  }
  static bool ready(const auto& element) {
    const auto& state = element.state();
    return state.active && !(state.next && state.offset && E::next_time(state) + *state.offset > element.now());
  }
  static void timer(auto& context) { context.wake(); }

  /// The common handlers' functions.
  static constexpr auto read_active = [](const auto& element) { return element.state().active; };
  static constexpr auto write_active = [](auto& element, std::string_view value) -> Refusal {
    if (auto wrong = parse(value, element.state().active)) return wrong;
    element.wake();
    return {};
  };
  static constexpr auto reset_timing = [](auto& element, std::string_view) {
    element.state().offset.reset();
    element.wake();
    return Refusal();
  };

  /// Whether this packet is in the sample.
  static bool sampled(auto& context) {
    constexpr Fraction<28> all{Fraction<28>::kOne};
    const Fraction<28> sample = context.parameters().sample;
    return sample == all || (context.random().next() >> 4U) < sample.raw;
  }

  static void message(auto& context, const std::string& text) {
    context.message(std::string(context.name()) + ": " + text);
  }

 private:
  static constexpr int kBurst = 32;
  enum class Next { none, packet, later, over };

  static Next look(auto& context) {
    auto& state = context.state();
    if (!state.active) return Next::none;
    if (state.exhausted || !E::fill(context) || E::ended(state)) return Next::over;
    if (!context.parameters().timing) return Next::packet;
    if (!state.offset) state.offset = context.now() - E::next_time(state);
    const Timestamp due = E::next_time(state) + *state.offset;
    if (due <= context.now()) return Next::packet;
    context.set_timer(due);
    return Next::later;
  }

  static void end(auto& context) {
    context.state().active = false;
    if (context.parameters().stop) context.control_plane().request_stop();
    if constexpr (requires { E::at_end(context); }) E::at_end(context);
  }
};

/// A number that may be unknown, as handlers show it: "-" where it is.
inline std::string text_or_dash(std::optional<std::uint64_t> number) { return number ? std::to_string(*number) : "-"; }

}  // namespace packetmill
