#pragma once

#include "runtime/element.h"

namespace packetmill {

/// DelayUnqueue: pulls packets, and pushes each on once it is old enough.
///
/// Ports:     1 pull input, 1 push output.
/// Keywords:  DELAY (mandatory): a packet that came in at time T goes on at T + DELAY at the earliest; one without a
///            time counts as having come when it is pulled. Its time is then set to T + DELAY.
/// Handlers:  delay (read/write): holds for the packets that are pulled from then on.
/// See also:  Queue, Unqueue, SetTimestamp
struct DelayUnqueue {
  static constexpr ElementInfo info{.name = "DelayUnqueue", .processing = "l/h"};
  static constexpr bool keeps_bytes = true;

  struct Control {
    Duration delay;
  };
  template <class P>
  struct State {
    Owned<P> packet;  ///< waits until its time, which is when it may go
  };
  static constexpr Scope scope = Scope::pinned;
  static constexpr auto keywords = describe(mandatory<&Control::delay>("DELAY"));
  static constexpr auto handlers = describe(read("delay", &Control::delay), write("delay", &Control::delay));
  using Writes = Fields<ReceiveTime>;

  static bool run(auto& context) {
    auto& packet = context.state().packet;
    if (!packet) {
      packet = context.pull(0);
      if (!packet) return false;
      auto view = context.view(packet);
      const Timestamp came = view.template get<ReceiveTime>();
      view.template set<ReceiveTime>((came == Timestamp{} ? context.now() : came) + context.control().delay);
    }
    const Timestamp due = context.view(packet).template get<ReceiveTime>();
    if (due > context.now()) {
      context.sleep_until(due);
      return false;
    }
    context.emit(0, std::move(packet));
    return true;
  }

  static std::size_t size(const auto& state) { return state.packet ? 1 : 0; }
  static std::size_t capacity(const auto&) { return 1; }
  static auto drain(auto& state) { return std::move(state.packet); }
};

}  // namespace packetmill
