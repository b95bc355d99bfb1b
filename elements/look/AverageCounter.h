#pragma once

#include <algorithm>
#include <limits>

#include "elements/look/rate.h"
#include "runtime/element.h"

namespace packetmill {

/// AverageCounter: counts packets and bytes, and gives their rates as plain averages.
///
/// Ports:     1 input, 1 output; packets pass unchanged.
/// Keywords:  IGNORE (default 0): how many seconds after the first packet are left out.
/// Handlers:  count, byte_count (read): packets and bytes since the last reset. rate, byte_rate, bit_rate (read):
///            averages per second over the time between the first and the last packet. link_rate (read): bits per
///            second on an Ethernet link, with 24 bytes more a packet (preamble, gap, and a checksum that is not part
///            of the packet). reset (write): begins anew.
/// See also:  Counter
struct AverageCounter {
  static constexpr ElementInfo info{.name = "AverageCounter"};

  struct Parameters {
    std::uint32_t ignore = 0;
  };
  struct State {
    std::uint64_t count = 0;
    std::uint64_t byte_count = 0;
    Timestamp first{};
    Timestamp last{};
  };
  static constexpr auto keywords = describe(positional<&Parameters::ignore>("IGNORE"));

  /// How often `n` things in the time that counts are a second.
  ///
  /// INTERPRETATION: Click measures in ticks of a millisecond, and takes one tick for any shorter time; so is it here.
  static constexpr auto rate_of = [](const auto& element, std::uint64_t n) {
    Timestamp first{std::numeric_limits<std::int64_t>::max()};
    Timestamp last{};
    element.for_each_state([&](const State& state) {
      if (state.first != Timestamp{}) first = std::min(first, state.first);
      last = std::max(last, state.last);
    });
    if (last < first) return std::string("0");
    const Duration counted = last - first - Duration::seconds(element.parameters().ignore);
    const auto span = std::max(counted, Duration::milliseconds(1)).nanoseconds;
    return decimal(static_cast<double>(n) * kNanosecondsPerSecond / static_cast<double>(span));
  };
  static constexpr auto handlers = describe(
      read("count", &State::count), read("byte_count", &State::byte_count),
      read("rate", [](const auto& element) { return rate_of(element, element.sum(&State::count)); }),
      read("byte_rate", [](const auto& element) { return rate_of(element, element.sum(&State::byte_count)); }),
      read("bit_rate", [](const auto& element) { return rate_of(element, 8 * element.sum(&State::byte_count)); }),
      read("link_rate",
           [](const auto& element) {
             return rate_of(element, 8 * (element.sum(&State::byte_count) + 24 * element.sum(&State::count)));
           }),
      write("reset", [](auto& element, std::string_view) -> Refusal {
        element.for_each_state([](auto& state) { state = {}; });
        return {};
      }));

  static Output process(auto& context, In, auto& packet) {
    State& state = context.state();
    state.last = context.now();
    if (state.first == Timestamp{}) state.first = state.last;
    if (state.last - state.first >= Duration::seconds(context.parameters().ignore)) {
      ++state.count;
      state.byte_count += packet.length();
    }
    return to(0);
  }
};

}  // namespace packetmill
