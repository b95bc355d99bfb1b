#pragma once

#include <atomic>

#include "elements/look/rate.h"
#include "elements/look/trigger.h"
#include "runtime/effects.h"
#include "runtime/element.h"

namespace packetmill {

/// Counter: counts packets and bytes, and measures their rates.
///
/// Ports:     1 input, 1 output; packets pass unchanged.
/// Keywords:  COUNT_CALL N HANDLER [VALUE]: when the packet count reaches N, calls a write handler before the packet
///            goes on. BYTE_COUNT_CALL N HANDLER [VALUE]: likewise when the byte count reaches or exceeds N.
///            NO_RATE (default false): measures no rates, which are then 0.
/// Handlers:  count, byte_count (read): packets and bytes since the last reset. rate, byte_rate, bit_rate (read):
///            moving averages per second. reset, reset_counts (write): sets counts and rates to zero; the calls may
///            come again. count_call, byte_count_call (write): a new COUNT_CALL or BYTE_COUNT_CALL; empty: none.
/// See also:  AverageCounter
struct Counter {
  static constexpr ElementInfo info{.name = "Counter"};

  struct Parameters {
    bool no_rate = false;
  };
  struct Control {
    Trigger count_call;
    Trigger byte_count_call;
  };
  struct State {
    std::uint64_t count = 0;
    std::uint64_t byte_count = 0;
    Rate packets;
    Rate bytes;
    // Where something is to be called, the first core's State adds up for all cores.
    State* total = nullptr;
    std::atomic<std::uint64_t> all_packets{0};
    std::atomic<std::uint64_t> all_bytes{0};
  };
  static constexpr auto keywords =
      describe(keyword<&Control::count_call>("COUNT_CALL"), keyword<&Control::byte_count_call>("BYTE_COUNT_CALL"),
               keyword<&Parameters::no_rate>("NO_RATE"));

  static constexpr auto sum_of = [](const auto& element, Rate State::* rate) {
    double total = 0;
    element.for_each_state([&](const State& state) { total += (state.*rate).per_second(element.now()); });
    return total;
  };
  static constexpr auto reset = [](auto& element, std::string_view) -> Refusal {
    element.for_each_state([](State& state) {
      state.count = state.byte_count = 0;
      state.packets = state.bytes = {};
      state.all_packets = state.all_bytes = 0;
    });
    return {};
  };
  /// A new call counts from what has been counted so far.
  template <auto Call>
  static constexpr auto set = [](auto& element, std::string_view text) -> Refusal {
    element.state().all_packets = element.sum(&State::count);
    element.state().all_bytes = element.sum(&State::byte_count);
    return parse(text, element.control().*Call);
  };
  static constexpr auto handlers =
      describe(read("count", &State::count), read("byte_count", &State::byte_count),
               read("rate", [](const auto& element) { return decimal(sum_of(element, &State::packets)); }),
               read("byte_rate", [](const auto& element) { return decimal(sum_of(element, &State::bytes)); }),
               read("bit_rate", [](const auto& element) { return decimal(8 * sum_of(element, &State::bytes)); }),
               write("reset", reset), write("reset_counts", reset), write("count_call", set<&Control::count_call>),
               write("byte_count_call", set<&Control::byte_count_call>));

  static Refusal initialize(auto& element) {
    State* first = &element.state();
    element.for_each_state([&](State& state) { state.total = first; });
    return {};
  }

  static Effects effects(const auto&, int) { return {.frame = Effects::Frame::read, .observable = true}; }

  static Output process(auto& context, In, auto& packet) {
    State& state = context.state();
    const Control& control = context.control();
    const std::uint64_t bytes = packet.length();
    ++state.count;
    state.byte_count += bytes;
    if (!context.parameters().no_rate) {
      state.packets.add(context.now(), 1);
      state.bytes.add(context.now(), bytes);
    }
    if (control.count_call || control.byte_count_call) [[unlikely]] {
      const std::uint64_t packets_before = state.total->all_packets.fetch_add(1, std::memory_order_relaxed);
      const std::uint64_t bytes_before = state.total->all_bytes.fetch_add(bytes, std::memory_order_relaxed);
      if (control.count_call.reached(packets_before, packets_before + 1)) control.count_call.call.call(context);
      if (control.byte_count_call.reached(bytes_before, bytes_before + bytes))
        control.byte_count_call.call.call(context);
    }
    return to(0);
  }
};

}  // namespace packetmill
