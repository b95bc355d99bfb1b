#pragma once

#include <mutex>
#include <shared_mutex>
#include <utility>

#include "elements/ethernet/arp_host.h"
#include "elements/ethernet/arp_message.h"
#include "elements/ethernet/arp_table.h"
#include "runtime/arguments/split.h"
#include "runtime/headers.h"

namespace packetmill {

/// ARPQuerier: puts IP packets behind the Ethernet header of their next hop, which it asks for by ARP (RFC 826).
///
/// Ports:     2 inputs, 1-2 outputs. Input 0: IP packets. Input 1: ARP replies with their Ethernet headers; all end
///            here. Output 0: frames. ARP queries leave by the last output.
/// Needs:     the destination annotation: the next hop. Packets for an address that is not known yet are held until the
///            answer comes. Broadcast and multicast (RFC 1112, 6.4) addresses need no query.
/// Keywords:  IP (address, or prefix, of this host), ETH (its Ethernet address); by place, and a single name of both
///            does (AddressInfo). CAPACITY (default 2048): packets held in all; 0: no limit of its own.
///            ENTRY_CAPACITY (default 0, no limit): addresses. ENTRY_PACKET_CAPACITY (default 0, no limit): packets
///            held for one address. CAPACITY_SLIM_FACTOR (default 2): over CAPACITY, 1/CAPACITY_SLIM_FACTOR of the
///            packets go at once, those of the oldest addresses first. TIMEOUT (default 5 min): how long an answer is
///            good and a packet waits; 0: for ever. POLL_TIMEOUT (default 1 min): an answer that old is asked for
///            anew, while it is still used; 0: never. BROADCAST_POLL (default false): whether such queries are
///            broadcast. BROADCAST: the IP address of the local broadcast (default: that of the prefix given as IP).
/// Handlers:  ipaddr (read/write). broadcast, table ("IP KNOWN ETH AGE" lines), stats, queries, responses, drops,
///            count (addresses), length (packets held) (read). insert "IP ETH", delete "IP", clear (write).
/// Drops:     over_capacity, over_entry_capacity, over_entry_packet_capacity, unanswered (held for TIMEOUT), cleared
///            (by handler), no_destination (0.0.0.0), no_headroom, not_arp_reply (on input 1).
/// Example:   c :: Classifier(12/0806 20/0002, 12/0800);
///            a :: ARPQuerier(18.26.4.24, 00:00:C0:AE:67:EF);
///            c[0] -> [1]a;  c[1] -> ... -> [0]a;  a -> ...
/// See also:  ARPResponder, AddressInfo, EtherEncap
struct ARPQuerier : ArpDrops {
  static constexpr ElementInfo info{.name = "ARPQuerier", .ports = "2/1-2", .processing = "h/h", .flow = "xy/x"};
  static constexpr bool emits = true;
  static constexpr Scope scope = Scope::shared;
  /// INTERPRETATION: Click's "unlimited" ends where its memory does; ours here, since packets are preallocated.
  static constexpr std::size_t kMostPackets = 65536;

  struct Parameters {
    ArpHost host;
    std::optional<EthernetAddress> ethernet;  ///< goes before what `host` knows
    std::uint32_t capacity = 2048;
    std::uint32_t entry_capacity = 0;
    std::uint32_t entry_packet_capacity = 0;
    std::uint32_t slim_factor = 2;
    Duration timeout = Duration::seconds(300);
    Duration poll_timeout = Duration::seconds(60);
    IPv4Address broadcast;
    bool broadcast_poll = false;

    [[nodiscard]] constexpr ArpLimits limits() const {
      return {capacity == 0 ? static_cast<std::uint32_t>(kMostPackets) : capacity, entry_capacity,
              entry_packet_capacity, slim_factor, timeout};
    }
  };
  struct Control {
    IPv4Address ip;
  };
  template <class P>
  struct State {
    ArpTable<P> table;
    std::uint64_t queries = 0;
    std::uint64_t responses = 0;
    bool warned = false;
    mutable std::shared_mutex mutex;  ///< taken where there are several cores
  };
  static constexpr auto keywords =
      describe(mandatory<&Parameters::host>("IP"), positional<&Parameters::ethernet>("ETH"),
               keyword<&Parameters::capacity>("CAPACITY"), keyword<&Parameters::entry_capacity>("ENTRY_CAPACITY"),
               keyword<&Parameters::entry_packet_capacity>("ENTRY_PACKET_CAPACITY"),
               keyword<&Parameters::slim_factor>("CAPACITY_SLIM_FACTOR"), keyword<&Parameters::timeout>("TIMEOUT"),
               keyword<&Parameters::poll_timeout>("POLL_TIMEOUT"), keyword<&Parameters::broadcast>("BROADCAST"),
               keyword<&Parameters::broadcast_poll>("BROADCAST_POLL"));
  using Reads = Fields<DestinationAddress>;
  using Writes = Fields<MacHeader, VlanTci, ReceiveTime>;
  static constexpr Reason no_destination{5, "no_destination"};
  static constexpr Reason no_headroom{6, "no_headroom"};
  static constexpr Reason not_arp_reply{7, "not_arp_reply"};
  static constexpr auto drops = describe(over_capacity, over_entry_capacity, over_entry_packet_capacity, unanswered,
                                         cleared, no_destination, no_headroom, not_arp_reply);

  static void configure(Configuration& configuration, Parameters& parameters) {
    if (parameters.slim_factor == 0) configuration.error("CAPACITY_SLIM_FACTOR cannot be zero");
    if (parameters.ethernet) parameters.host.ethernet = parameters.ethernet;
    if (!parameters.host.ethernet) configuration.error("ETH: required argument missing");
    if (parameters.broadcast == IPv4Address{} && parameters.host.ip.length() != 32)
      parameters.broadcast = parameters.host.ip.broadcast();
  }
  static Refusal initialize(auto& element) {
    element.control().ip = element.parameters().host.ip.address;
    if (element.cores() > 1) element.set_timer(element.now());
    return std::nullopt;
  }

  static Output process(auto& context, In in, auto& packet) {
    return in.port == 0 ? forward(context, packet) : learn(context, packet);
  }

  static Output forward(auto& context, auto& packet) {
    const auto ip = packet.template get<DestinationAddress>();
    const Parameters& parameters = context.parameters();
    EthernetAddress destination = EthernetAddress::broadcast();
    bool known = false;
    bool old = false;
    {
      const auto lock = lock_if_shared<std::shared_lock<std::shared_mutex>>(context);
      if (const auto* entry = context.state().table.find(ip, parameters.limits(), context.now())) {
        known = true;
        destination = entry->ethernet;
        old = parameters.poll_timeout > Duration{} && context.now() >= entry->live + parameters.poll_timeout &&
              context.now() >= entry->ask_again;
      }
    }
    if (!known) [[unlikely]] {
      if (ip == IPv4Address{}) return no_next_hop(context);
      if (is_multicast(ip))
        destination = multicast_ethernet(ip);
      else if (ip.network != 0xffffffff && ip != parameters.broadcast)
        return hold(context, packet, ip);
    }
    if (old) poll(context, packet, ip, destination);
    return encapsulate(context, packet, destination) ? to(0) : drop(no_headroom);
  }

  /// RFC 1112, 6.4: the low 23 bits behind 01-00-5E.
  static constexpr EthernetAddress multicast_ethernet(IPv4Address ip) {
    const std::uint32_t host = ip.host();
    return {{0x01, 0x00, 0x5e, static_cast<std::uint8_t>(host >> 16U & 0x7fU), static_cast<std::uint8_t>(host >> 8U),
             static_cast<std::uint8_t>(host)}};
  }

  static bool encapsulate(auto& context, auto& packet, EthernetAddress destination) {
    if (!packet.push(sizeof(EthernetHeader))) return false;
    auto* header = packet.template header<EthernetHeader>();
    header->destination = destination;  // one by one: see EtherEncap
    header->source = *context.parameters().host.ethernet;
    header->type = swap_network(kEthernetIPv4);
    packet.template set<MacHeader>(packet.headroom());
    return true;
  }

  static Output no_next_hop(auto& context) {
    const auto lock = lock_if_shared<std::unique_lock<std::shared_mutex>>(context);
    if (!std::exchange(context.state().warned, true))
      context.message(std::string(context.name()) + ": would query for 0.0.0.0; missing dest IP addr annotation?");
    return drop(no_destination);
  }

  static Output hold(auto& context, auto& packet, IPv4Address ip) {
    const ArpLimits limits = context.parameters().limits();
    const Origin origin = origin_of(packet);
    {
      const auto lock = lock_if_shared<std::unique_lock<std::shared_mutex>>(context);
      auto& state = context.state();
      // Another core may just have learned the address.
      if (const auto* entry = state.table.find(ip, limits, context.now()))
        return encapsulate(context, packet, entry->ethernet) ? to(0) : drop(no_headroom);
      state.table.hold(ip, context.hold(packet), limits, context.now(), dropper(context));
      start_timer(context);
      if (!state.table.ask(ip, context.now())) return held();
    }
    send_query(context, ip, EthernetAddress::broadcast(), origin);
    return held();
  }

  static void poll(auto& context, auto& packet, IPv4Address ip, EthernetAddress destination) {
    {
      const auto lock = lock_if_shared<std::unique_lock<std::shared_mutex>>(context);
      if (!context.state().table.ask(ip, context.now())) return;
    }
    if (context.parameters().broadcast_poll) destination = EthernetAddress::broadcast();
    send_query(context, ip, destination, origin_of(packet));
  }

  /// What a query takes over from the packet that needs it.
  struct Origin {
    std::uint16_t vlan;
    Timestamp time;
  };
  static Origin origin_of(auto& packet) { return {packet.template get<VlanTci>(), packet.template get<ReceiveTime>()}; }
  static void send_query(auto& context, IPv4Address ip, EthernetAddress destination, Origin origin) {
    auto query = context.generate(sizeof(ArpFrame));
    if (!query) return;
    {
      const auto lock = lock_if_shared<std::unique_lock<std::shared_mutex>>(context);
      ++context.state().queries;
    }
    auto view = context.view(query);
    *view.template header<ArpFrame>() =
        make_arp(kArpRequest, *context.parameters().host.ethernet, context.control().ip, {}, ip, destination);
    view.template set<MacHeader>(view.headroom());
    view.template set<VlanTci>(origin.vlan);
    view.template set<ReceiveTime>(origin.time);
    context.emit(context.outputs() - 1, std::move(query));
  }

  /// INTERPRETATION: a reply nobody asked for is learned too, as every host does with a gratuitous one (RFC 5227, 3).
  static Output learn(auto& context, auto& packet) {
    const auto* frame = packet.template header<ArpFrame>();
    if (frame == nullptr || !is_arp(*frame, kArpReply) || frame->arp.sender_ethernet.is_group())
      return drop(not_arp_reply);
    auto waiting = [&] {
      const auto lock = lock_if_shared<std::unique_lock<std::shared_mutex>>(context);
      auto& state = context.state();
      ++state.responses;
      auto& entry = state.table.learn(frame->arp.sender_ip, frame->arp.sender_ethernet, context.parameters().limits(),
                                      context.now(), dropper(context));
      start_timer(context);
      return state.table.release(entry);
    }();
    send(context, waiting, frame->arp.sender_ethernet);
    return consumed();
  }
  static void send(auto& context, auto& packets, EthernetAddress destination) {
    for (auto* waiting : packets) {
      Owned packet(waiting);
      auto view = context.view(packet);
      if (encapsulate(context, view, destination))
        context.emit(0, std::move(packet));
      else
        context.drop(std::move(packet), no_headroom);
    }
  }

  /// At the latest when the oldest entry expires; and when `insert` has made an address known for which packets wait.
  static void timer(auto& context) {
    const ArpLimits limits = context.parameters().limits();
    std::vector<std::pair<EthernetAddress, decltype(context.state().table.entries().front().held)>> inserted;
    {
      const auto lock = lock_if_shared<std::unique_lock<std::shared_mutex>>(context);
      auto& table = context.state().table;
      table.expire(limits, context.now(), dropper(context));
      for (auto& entry : table.entries())
        if (entry.known && !entry.held.empty()) inserted.emplace_back(entry.ethernet, table.release(entry));
      set_timer(context);
    }
    for (auto& [destination, packets] : inserted) send(context, packets, destination);
  }

  /// To when the oldest entry expires. A core other than the timer's cannot set it: with several cores it never rests.
  static void set_timer(auto& context) {
    const auto& entries = context.state().table.entries();
    const Duration timeout = context.parameters().timeout;
    if (timeout > Duration{} && (!entries.empty() || context.cores() > 1))
      context.set_timer((entries.empty() ? context.now() : entries.front().live) + timeout + Duration{1});
  }
  static void start_timer(auto& context) {
    if (context.cores() == 1 && !context.timer_set()) set_timer(context);
  }

  template <class Lock>
  static Lock lock_if_shared(auto& context) {
    return context.cores() > 1 ? Lock(context.state().mutex) : Lock(context.state().mutex, std::defer_lock);
  }
  static auto dropper(auto& context) {
    return [&context](auto packet, Reason reason) { context.drop(std::move(packet), reason); };
  }

  template <class P>
  static std::size_t size(const State<P>& state) {
    return state.table.packets();
  }
  static std::size_t capacity(const auto& element) { return element.parameters().limits().packets; }
  template <class P>
  static Owned<P> drain(State<P>& state) {
    return state.table.take_any();
  }

  static Refusal insert(auto& element, std::string_view text) {
    const std::vector<std::string> words = split_words(text);
    IPv4Address ip;
    EthernetAddress ethernet;
    if (words.size() != 2 || parse(words[0], ip) || parse(words[1], ethernet)) return "expected 'IP ETH'";
    auto context = element.context();
    element.state().table.learn(ip, ethernet, element.parameters().limits(), element.now(), dropper(context));
    element.set_timer(element.now());  // packets that wait for it leave on the packet path
    return std::nullopt;
  }
  static Refusal erase(auto& element, std::string_view text) {
    IPv4Address ip;
    if (const auto wrong = parse(text, ip)) return wrong;
    auto context = element.context();
    element.state().table.erase(ip, cleared, dropper(context));
    return std::nullopt;
  }
  static std::string table_text(const auto& element) {
    std::string text;
    for (const auto& entry : element.state().table.entries())
      text += to_string(entry.ip) + (entry.known ? " 1 " : " 0 ") + to_string(entry.ethernet) + " " +
              to_string(element.now() - entry.live) + "\n";
    return text;
  }

  static constexpr auto handlers =
      describe(read("ipaddr", &Control::ip), write("ipaddr", &Control::ip), read("broadcast", &Parameters::broadcast),
               read("table", [](const auto& element) { return table_text(element); }),
               read("stats",
                    [](const auto& element) {
                      return std::to_string(element.dropped()) + " packets killed\n" +
                             std::to_string(element.state().queries) + " ARP queries sent\n";
                    }),
               read("queries", [](const auto& element) { return element.state().queries; }),
               read("responses", [](const auto& element) { return element.state().responses; }),
               read("drops", [](const auto& element) { return element.dropped(); }),
               read("count", [](const auto& element) { return element.state().table.entries().size(); }),
               read("length", [](const auto& element) { return element.state().table.packets(); }),
               write("insert", [](auto& element, std::string_view text) { return insert(element, text); }),
               write("delete", [](auto& element, std::string_view text) { return erase(element, text); }),
               write("clear", [](auto& element, std::string_view) -> Refusal {
                 auto context = element.context();
                 element.state().table.clear(dropper(context));
                 return std::nullopt;
               }));
};

}  // namespace packetmill
