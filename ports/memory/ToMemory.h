#pragma once

#include "ports/memory/replay.h"
#include "runtime/element.h"

namespace packetmill {

/// ToMemory: takes the frames that leave by a memory port, and gives their buffers back to its ring.
///
/// Ports:     1-n inputs (push), no output.
/// Keywords:  PORT (mandatory): the name of a FromMemory's port.
/// Handlers:  count
/// Drops:     too_many: more frames leave in one turn of the ring than four times its size
/// See also:  FromMemory, ToDPDKDevice
struct ToMemory {
  static constexpr ElementInfo info{.name = "ToMemory", .ports = "1-/0", .processing = "h/h", .flow = "x/"};

  struct Parameters {
    Text port;
  };
  struct Control {
    memory::Replay* replay = nullptr;
  };
  struct State {
    std::uint64_t count = 0;
  };
  static constexpr Scope scope = Scope::pinned;
  static constexpr auto keywords = describe(mandatory<&Parameters::port>("PORT"));
  static constexpr auto handlers = describe(read("count", &State::count));
  static constexpr Reason too_many{0, "too_many"};
  static constexpr auto drops = describe(too_many);

  static Refusal start(auto& element) {
    const auto& replays = element.template resource<memory::Ports>("memory").replays;
    const auto found = replays.find(element.parameters().port);
    if (found == replays.end()) return "no FromMemory for PORT " + std::string(element.parameters().port);
    element.control().replay = found->second.get();
    return {};
  }

  static Output process(auto& context, In, auto& packet) {
    memory::Replay& replay = *context.control().replay;
    auto& frame = packet.underlying();
    if (frame.owner != nullptr && frame.release == memory::Replay::give_back) [[likely]] {
      if (!replay.send(packet.data(), packet.length())) return drop(too_many);
      memory::Replay::give_back(frame.owner);
      context.detach(packet);
    } else {
      if (!replay.send_copy(packet.data(), packet.length())) return drop(too_many);
      context.free(packet);
    }
    ++context.state().count;
    context.sent_detached(1);
    return held();
  }
};

}  // namespace packetmill
