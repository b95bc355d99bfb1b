#pragma once

#include "elements/flow_manager/flows.h"
#include "elements/nat/rewrite.h"
#include "runtime/element.h"

namespace packetmill {

/// FlowIPManager(CAPACITY): finds the flow of each packet by source and destination address, protocol and ports, for
/// the elements behind it (FlowIPNAT, FlowCounter), which keep what they know of a flow in the flow itself.
///
/// Ports:     1 input, 1 output (push).
/// Needs:     the network and transport headers (CheckIPHeader, MarkIPHeader). Sets the flow index.
/// Keywords:  CAPACITY (default 65536): flows at most, on each core. They take memory as they are used.
///            RESERVE (default 0): bytes per flow to keep free. Elements here say themselves what they need, and this
///            changes nothing.
///            TIMEOUT: how long a flow may be silent before it is forgotten, give or take half a second. By default 5
///            minutes, for established TCP connections 2 hours and 4 minutes, for opening and closing ones 4 minutes.
///            CACHE, VERBOSE: accepted and without effect.
/// Handlers:  count (read): flows now. capacity (read): flows at most, on all cores. started (read): flows so far.
/// Drops:     table_full: of a new flow; those that are known go on. no_ip_header, truncated.
/// State:     per core, as FastClick's FlowIPManagerIMP: the packets of a flow must come on one core, which RSS brings
///            about, and meet the elements behind without crossing cores or waiting in a queue.
/// See also:  FlowIPNAT, FlowCounter
struct FlowIPManager {
  static constexpr ElementInfo info{.name = "FlowIPManager", .processing = "h/h"};
  static constexpr bool keeps_bytes = true;
  static constexpr std::array<std::string_view, 1> aliases{"FlowIPManagerIMP"};

  struct Parameters {
    std::uint32_t capacity = 65536;
    std::uint32_t reserve = 0;
    Duration timeout{};
    bool cache = false;
    int verbose = 0;
  };
  static constexpr auto keywords =
      describe(positional<&Parameters::capacity>("CAPACITY"), positional<&Parameters::reserve>("RESERVE"),
               keyword<&Parameters::timeout>("TIMEOUT"), keyword<&Parameters::cache>("CACHE"),
               keyword<&Parameters::verbose>("VERBOSE"));
  static void configure(Configuration& configuration, Parameters& parameters) {
    if (parameters.capacity == 0 || parameters.capacity > kMostFlows)
      configuration.error("CAPACITY: must be between 1 and " + std::to_string(kMostFlows));
  }

  using State = Flows;
  template <class T>
  static std::uint64_t total(const auto& element, T (Flows::*number)() const) {
    std::uint64_t sum = 0;
    element.for_each_state([&](const Flows& flows) { sum += (flows.*number)(); });
    return sum;
  }
  static constexpr auto handlers =
      describe(read("count",
                    [](const auto& element) {
                      std::uint64_t count = 0;
                      element.for_each_state([&](Flows& flows) {
                        flows.expire(element.now());
                        count += flows.size();
                      });
                      return count;
                    }),
               read("capacity", [](const auto& element) { return total(element, &Flows::capacity); }),
               read("started", [](const auto& element) { return total(element, &Flows::started); }));

  static constexpr Reason no_ip_header{0, "no_ip_header"};
  static constexpr Reason truncated{1, "truncated"};
  static constexpr Reason table_full{2, "table_full"};
  static constexpr auto drops = describe(no_ip_header, truncated, table_full);
  using Reads = Fields<NetworkHeader, TransportHeader>;
  using Writes = Fields<FlowIndex>;

  static Refusal initialize(auto& element) {
    const Parameters& parameters = element.parameters();
    const auto timeout = [&](Duration otherwise) {
      return parameters.timeout > Duration{} ? parameters.timeout : otherwise;
    };
    // RFC 4787, REQ-5: five minutes are recommended for UDP. RFC 5382, REQ-5: at least 2 h 4 min for established
    // connections, and 4 min while they open or close.
    const Flows::Timeouts timeouts{.plain = timeout(Duration::seconds(300)),
                                   .opening = timeout(Duration::seconds(240)),
                                   .established = timeout(Duration::seconds(7440)),
                                   .closing = timeout(Duration::seconds(240))};
    auto& random = element.context().random();
    element.for_each_state([&](Flows& flows) {
      flows.open(parameters.capacity, std::uint64_t{random.next()} << 32U | random.next(), timeouts);
    });
    return {};
  }

  /// What is to be looked up, or why not.
  struct Ticket {
    FlowKey key{};
    Flows::Table::Ticket at{};
    std::optional<std::uint8_t> tcp_flags{};
    Output refusal = to(0);
  };
  static Ticket prefetch(auto& context, const auto& packet) {
    const auto* ip = packet.template header_at<IPv4Header, NetworkHeader>();
    if (ip == nullptr) return {.refusal = drop(no_ip_header)};
    // INTERPRETATION: what has no ports (other protocols, later fragments) is a flow of its addresses and protocol.
    Ticket ticket{.key = {ip->source.network, ip->destination.network, 0, 0, ip->protocol}};
    if (!ip->later_fragment() && ip->protocol == kTcp.number) {
      const auto* tcp = packet.template header_at<TcpHeader, TransportHeader>();
      if (tcp == nullptr) return {.refusal = drop(truncated)};
      ticket.key = flow_of(*ip, *tcp);
      ticket.tcp_flags = tcp->flags;
    } else if (!ip->later_fragment() && ip->protocol == kUdp.number) {
      const auto* udp = packet.template header_at<UdpHeader, TransportHeader>();
      if (udp == nullptr) return {.refusal = drop(truncated)};
      ticket.key = flow_of(*ip, *udp);
    }
    ticket.at = context.state().prefetch(ticket.key);
    return ticket;
  }
  static Output process(auto& context, In in, auto& packet) {
    return process(context, in, packet, prefetch(context, packet));
  }
  static Output process(auto& context, In, auto& packet, const Ticket& ticket) {
    if (ticket.refusal.port < 0) return ticket.refusal;
    const std::uint32_t flow = context.state().find_or_insert(ticket.key, ticket.at, ticket.tcp_flags, context.now());
    if (flow == Flows::kNone) return drop(table_full);
    packet.template set<FlowIndex>(flow + 1);
    return to(0);
  }

  /// The flow index is 32 bits wide, and zero and all ones say something else.
  static constexpr std::uint32_t kMostFlows = ~std::uint32_t{0} - 2;
};

}  // namespace packetmill
