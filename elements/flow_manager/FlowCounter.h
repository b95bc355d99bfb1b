#pragma once

#include <map>

#include "elements/flow_manager/FlowIPManager.h"

namespace packetmill {

/// FlowCounter: counts flows, and the packets of each.
///
/// Ports:     1 input, 1 output (push).
/// Needs:     the flow index: a FlowIPManager before it.
/// Handlers:  count (read): flows seen. open (read): those that the manager has not forgotten. lengths (read): one line
///            "packets flows" for every number of packets that forgotten flows had.
/// Drops:     no_flow: the packet did not pass the manager.
/// State:     per core.
/// See also:  FlowIPManager
struct FlowCounter {
  static constexpr ElementInfo info{.name = "FlowCounter", .processing = "h/h"};
  static constexpr bool keeps_bytes = true;

  struct State {
    Flows* flows = nullptr;
    Flows::Slot<std::uint32_t> packets;
    std::uint64_t count = 0;
    std::uint64_t open = 0;
    std::map<std::uint32_t, std::uint64_t> lengths;
  };
  static void expire(const auto& element) {
    element.for_each_state([&](State& state) { state.flows->expire(element.now()); });
  }
  static constexpr auto handlers = describe(read("count", &State::count),
                                            read("open",
                                                 [](const auto& element) {
                                                   expire(element);
                                                   return element.sum(&State::open);
                                                 }),
                                            read("lengths", [](const auto& element) {
                                              expire(element);
                                              std::map<std::uint32_t, std::uint64_t> total;
                                              element.for_each_state([&](const State& state) {
                                                for (const auto& [packets, flows] : state.lengths)
                                                  total[packets] += flows;
                                              });
                                              std::string text;
                                              for (const auto& [packets, flows] : total)
                                                text += std::to_string(packets) + " " + std::to_string(flows) + "\n";
                                              return text;
                                            }));

  static constexpr Reason no_flow{0, "no_flow"};
  static constexpr auto drops = describe(no_flow);
  using Reads = Fields<FlowIndex>;

  static Refusal check(auto& element) {
    return element.template find_upstream<FlowIPManager>() ? Refusal() : "no FlowIPManager upstream";
  }
  static Refusal initialize(auto& element) {
    auto manager = element.template find_upstream<FlowIPManager>();
    std::vector<Flows*> flows;
    manager->for_each_state([&](Flows& one) { flows.push_back(&one); });
    std::size_t core = 0;
    bool room = true;
    element.for_each_state([&](State& state) {
      state.flows = flows[core++];
      const auto slot = state.flows->template rent<std::uint32_t>([&state](std::uint32_t packets) {
        if (packets == 0) return;  // never came here
        --state.open;
        ++state.lengths[packets];
      });
      if (slot) state.packets = *slot;
      room = room && slot;
    });
    return room ? Refusal() : "the manager's flows have no room left";
  }

  static Output process(auto& context, In, auto& packet) {
    State& state = context.state();
    const std::uint32_t index = packet.template get<FlowIndex>();
    if (!state.flows->contains(index)) return drop(no_flow);
    std::uint32_t& packets = state.flows->at(index - 1, state.packets);
    if (packets == 0) {
      ++state.count;
      ++state.open;
    }
    if (packets != ~std::uint32_t{0}) ++packets;
    return to(0);
  }
};

}  // namespace packetmill
