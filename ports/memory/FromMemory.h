#pragma once

#include "ports/memory/replay.h"
#include "runtime/element.h"

namespace packetmill {

/// FromMemory: gives out the frames of a trace from a ring in memory, again and again, and measures what they cost.
///
/// Ports:     no input, 1 output (push).
/// Keywords:  PORT (mandatory): the port's name. TRACE (mandatory): the pcap file; its first 4096 frames are the ring,
///            fewer are repeated. BURST: frames at a time (default 32). REPLAYS: stops the router after as many turns of
///            the ring; 0, the default, never does. Between two turns every frame is put right again, outside of the
///            time that is measured.
/// Handlers:  cycles: TSC cycles per frame of each turn, separated by blanks. replays. mismatches: how many turns did not
///            send and drop what the second did. digest: of what was sent in a turn, whatever its order.
/// Sets:      MacHeader
/// See also:  ToMemory, FromDPDKDevice
struct FromMemory {
  static constexpr ElementInfo info{.name = "FromMemory", .ports = "0/1", .processing = "h/h", .flow = "/x"};

  struct Parameters {
    Text port;
    FileName trace;
    unsigned burst = 32;
    std::uint32_t replays = 0;
  };
  struct Control {
    memory::Replay* replay = nullptr;
  };
  struct State {
    unsigned idle = 0;  ///< turns in which nothing came back
  };
  static constexpr Scope scope = Scope::pinned;
  static constexpr auto keywords =
      describe(mandatory<&Parameters::port>("PORT"), mandatory<&Parameters::trace>("TRACE"),
               keyword<&Parameters::burst>("BURST"), keyword<&Parameters::replays>("REPLAYS"));
  static constexpr auto handlers =
      describe(read("cycles",
                    [](const auto& element) {
                      std::string text;
                      for (const double cycles : element.control().replay->cycles())
                        text += (text.empty() ? "" : " ") + std::to_string(cycles);
                      return text;
                    }),
               read("replays", [](const auto& element) { return element.control().replay->replays(); }),
               read("mismatches", [](const auto& element) { return element.control().replay->mismatches(); }),
               read("digest", [](const auto& element) { return element.control().replay->digest(); }));
  using Writes = Fields<MacHeader>;

  static Refusal initialize(auto& element) {
    const Parameters& parameters = element.parameters();
    if (parameters.burst == 0) return "BURST must be at least 1";
    auto& ports = element.template resource<memory::Ports>("memory");
    std::string wrong;
    const auto [place, inserted] = ports.replays.try_emplace(std::string(parameters.port));
    if (!inserted) return "PORT " + std::string(parameters.port) + " has a FromMemory already";
    place->second = memory::Replay::open(std::string(parameters.trace.path), wrong);
    if (!place->second) return wrong;
    place->second->share(ports.pauses);
    element.control().replay = place->second.get();
    return {};
  }

  static bool run(auto& context) {
    memory::Replay& replay = *context.control().replay;
    if (replay.exhausted()) return turn(context, replay);
    memory::Replay::Frame* frame = nullptr;
    for (std::uint32_t left = replay.take(context.parameters().burst, frame); left > 0; --left, ++frame) {
      auto packet = context.adopt(frame->buffer, memory::Replay::kBuffer, memory::Replay::kHeadroom, frame->length,
                                  frame, memory::Replay::give_back, true);
      if (!packet) continue;
      context.view(packet).template set<MacHeader>(memory::Replay::kHeadroom);
      context.emit(0, std::move(packet));
    }
    return true;
  }

 private:
  /// Waits until all frames are back; for those that a store keeps, not for long.
  [[gnu::noinline]] static bool turn(auto& context, memory::Replay& replay) {
    constexpr unsigned kPatience = 64;
    State& state = context.state();
    if (!replay.complete() && ++state.idle < kPatience) return true;
    state.idle = 0;
    replay.turn(context.control_plane().read("drops").text);
    if (context.parameters().replays != 0 && replay.replays() >= context.parameters().replays) {
      context.control_plane().request_stop();
      context.sleep();
    }
    return true;
  }
};

}  // namespace packetmill
