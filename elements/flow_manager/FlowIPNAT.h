#pragma once

#include "elements/flow_manager/FlowIPManager.h"
#include "elements/flow_manager/nat_ports.h"

namespace packetmill {

/// FlowIPNAT(SIP): network address and port translation of TCP and UDP: flows leave with the source SIP and a port of
/// their own, and their answers find back.
///
/// Ports:     1 input, 1 output (push).
/// Needs:     the network and transport headers; the flow index, of all but answers: a FlowIPManager before it.
/// Keywords:  SIP: the address outside.
/// Handlers:  available_ports (read): free ports.
/// Drops:     no_port: all ports (1024 to 65530, divided among the cores) are in use; flows that have one go on.
///            no_mapping: to SIP, but no answer to any flow. not_tcp_or_udp, later_fragment, truncated, no_ip_header,
///            no_flow: cannot be translated.
/// State:     shared; every core gives out ports of its own, and finds answers whichever core they come to.
/// Example:   outwards, answers -> manager :: FlowIPManager -> FlowIPNAT(SIP 192.0.2.1) -> routes;
/// See also:  FlowIPManager, IPRewriter
///
/// A flow keeps its port until its manager forgets it; the port then waits behind all other free ones. As in FastClick,
/// a port belongs to one flow; hence only the host that the flow goes to can answer. A packet to SIP is an answer,
/// whichever way it comes; others go out.
struct FlowIPNAT {
  static constexpr ElementInfo info{.name = "FlowIPNAT", .processing = "h/h"};

  struct Parameters {
    IPv4Address sip;
  };
  static constexpr auto keywords = describe(mandatory<&Parameters::sip>("SIP"));

  struct State {
    struct Core {
      Flows* flows = nullptr;
      Flows::Slot<std::uint16_t> port;  ///< as it lies in a packet; 0: none yet
    };
    std::vector<Core> cores;
    NatPorts ports;
  };
  static constexpr Scope scope = Scope::shared;
  static constexpr auto handlers = describe(read("available_ports", [](const auto& element) {
    for (const auto& core : element.state().cores) core.flows->expire(element.now());
    return element.state().ports.available();
  }));

  static constexpr Reason no_ip_header{0, "no_ip_header"};
  static constexpr Reason later_fragment{1, "later_fragment"};
  static constexpr Reason not_tcp_or_udp{2, "not_tcp_or_udp"};
  static constexpr Reason truncated{3, "truncated"};
  static constexpr Reason no_flow{4, "no_flow"};
  static constexpr Reason no_port{5, "no_port"};
  static constexpr Reason no_mapping{6, "no_mapping"};
  static constexpr auto drops =
      describe(no_ip_header, later_fragment, not_tcp_or_udp, truncated, no_flow, no_port, no_mapping);
  using Reads = Fields<NetworkHeader, TransportHeader, FlowIndex>;

  static Refusal check(auto& element) {
    return element.template find_upstream<FlowIPManager>() ? Refusal() : "no FlowIPManager upstream";
  }
  static Refusal initialize(auto& element) {
    auto manager = element.template find_upstream<FlowIPManager>();
    State& state = element.state();
    state.ports.open(element.cores());
    bool room = true;
    manager->for_each_state([&](Flows& flows) {
      const int core = static_cast<int>(state.cores.size());
      const auto slot = flows.rent<std::uint16_t>([&state, core](std::uint16_t port) {
        if (port != 0) state.ports.give_back(core, port);
      });
      if (slot) state.cores.push_back({&flows, *slot});
      room = room && slot;
    });
    return room ? Refusal() : "the manager's flows have no room left";
  }

  static Output process(auto& context, In, auto& packet) {
    auto* ip = packet.template header_at<IPv4Header, NetworkHeader>();
    if (ip == nullptr) return drop(no_ip_header);
    if (ip->later_fragment()) return drop(later_fragment);
    if (ip->protocol == kTcp.number)
      return translate(context, packet, *ip, packet.template header_at<TcpHeader, TransportHeader>());
    if (ip->protocol == kUdp.number)
      return translate(context, packet, *ip, packet.template header_at<UdpHeader, TransportHeader>());
    return drop(not_tcp_or_udp);
  }

 private:
  /// In line: the packet's metadata may be in registers.
  template <class Transport>
  [[gnu::always_inline]] static Output translate(auto& context, auto& packet, IPv4Header& ip, Transport* transport) {
    if (transport == nullptr) return drop(truncated);
    State& state = context.state();
    const IPv4Address sip = context.parameters().sip;
    FlowKey key = flow_of(ip, *transport);
    if (ip.destination == sip) {
      const auto inside = state.ports.inside_of(key);
      if (!inside) return drop(no_mapping);
      rewrite(ip, *transport, *inside);
      return to(0);
    }

    const auto& core = state.cores[static_cast<std::size_t>(context.core())];
    const std::uint32_t index = packet.template get<FlowIndex>();
    if (!core.flows->contains(index)) return drop(no_flow);
    std::uint16_t& port = core.flows->at(index - 1, core.port);
    if (port == 0) [[unlikely]] {
      port = state.ports.take(context.core(), key);
      if (port == 0) return drop(no_port);
    }
    key.source = sip.network;
    key.source_port = port;
    rewrite(ip, *transport, key);
    return to(0);
  }
};

}  // namespace packetmill
