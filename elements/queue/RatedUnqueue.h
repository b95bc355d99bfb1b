#pragma once

#include <limits>
#include <optional>

#include "runtime/element.h"
#include "runtime/token_bucket.h"

namespace packetmill {

/// RatedUnqueue: pulls packets at a given rate, and pushes them on.
///
/// Ports:     1 pull input, 1 push output.
/// Keywords:  RATE (mandatory): packets per second. BURST_DURATION (default 20 ms): as many packets as RATE gives in
///            that time may follow one upon the other after a pause. BURST_SIZE: the same as a number of packets; not
///            together with BURST_DURATION.
/// Handlers:  rate (read/write).
/// See also:  Queue, Unqueue, RatedSource
struct RatedUnqueue {
  static constexpr ElementInfo info{.name = "RatedUnqueue", .processing = "l/h"};
  static constexpr bool keeps_bytes = true;

  struct Parameters {
    std::optional<Duration> burst_duration;
    std::optional<std::uint32_t> burst_size;
  };
  struct Control {
    std::uint32_t rate = 0;
  };
  struct State {
    TokenBucket tokens;
  };
  static constexpr Scope scope = Scope::pinned;
  static constexpr auto keywords =
      describe(mandatory<&Control::rate>("RATE"), keyword<&Parameters::burst_duration>("BURST_DURATION"),
               keyword<&Parameters::burst_size>("BURST_SIZE"));
  /// How many packets may follow one upon the other.
  static constexpr auto burst = [](const Parameters& parameters, std::uint32_t rate) -> std::uint32_t {
    if (parameters.burst_size) return std::max(*parameters.burst_size, 1U);
    const Duration duration = parameters.burst_duration.value_or(Duration::milliseconds(20));
    const double packets = static_cast<double>(duration.nanoseconds) * rate / kNanosecondsPerSecond;
    constexpr double most = std::numeric_limits<std::uint32_t>::max();
    return static_cast<std::uint32_t>(packets < 1 ? 1 : packets < most ? packets : most);
  };
  static constexpr auto set_rate = [](auto& element, std::string_view text) -> Refusal {
    const std::uint32_t before = element.control().rate;
    if (auto wrong = parse(text, element.control().rate)) return wrong;
    (void)element.state().tokens.ready(element.now(), before,
                                       burst(element.parameters(), before));  // the time until now was at the old rate
    element.wake();
    return {};
  };
  static constexpr auto handlers = describe(read("rate", &Control::rate), write("rate", set_rate));

  static void configure(Configuration& configuration, Parameters& parameters) {
    if (parameters.burst_duration && parameters.burst_size)
      configuration.error("cannot specify both BURST_DURATION and BURST_SIZE");
  }

  static bool run(auto& context) {
    const std::uint32_t rate = context.control().rate;
    TokenBucket& tokens = context.state().tokens;
    if (!tokens.ready(context.now(), rate, burst(context.parameters(), rate))) {
      context.sleep_until(tokens.next(rate));
      return false;
    }
    auto packet = context.pull(0);
    if (!packet) return false;
    tokens.spend();
    context.emit(0, std::move(packet));
    return true;
  }
};

}  // namespace packetmill
