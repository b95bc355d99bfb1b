#pragma once

#include <vector>

#include "elements/ethernet/arp_entry.h"
#include "elements/ethernet/arp_message.h"
#include "runtime/control_plane.h"
#include "runtime/element.h"

namespace packetmill {

/// ARPResponder: answers ARP requests (RFC 826), for its own addresses or for whole networks (proxy ARP, RFC 1027).
///
/// Ports:     1 input, 1-2 outputs. Input: ARP requests with their Ethernet headers. Output 0: replies. Output 1: what
///            it cannot answer, unchanged; dropped where it is not connected.
/// Arguments: "IP/MASK [IP/MASK...] ETH" each: the Ethernet address that requests for these addresses are answered
///            with. A name of both kinds does alone (AddressInfo). The most specific prefix counts.
/// Handlers:  table (read): "IP/MASK ETH" lines. lookup IP (read): the answer, or nothing. add "IP/MASK [IP/MASK...]
///            ETH", remove "IP/MASK" (write).
/// Example:   c :: Classifier(12/0806 20/0001, ...);
///            c[0] -> ARPResponder(18.26.4.24 18.26.7.0/24 00:00:C0:AE:67:EF) -> ...
/// See also:  ARPQuerier, AddressInfo
struct ARPResponder {
  static constexpr ElementInfo info{.name = "ARPResponder", .ports = "1/1-2", .processing = "a/ah"};

  struct Parameters {
    List<ArpEntry> entries;
  };
  struct Control {
    std::vector<ArpEntry> entries;  ///< the most specific first
  };
  using Writes = Fields<MacHeader, PaintColor, Kind>;

  static void configure(Configuration& configuration, Parameters& parameters) {
    std::vector<ArpEntry> entries;
    for (const Argument& argument : configuration.take_rest())
      if (const auto wrong = parse_arp_entries(argument.text, configuration.names(), entries))
        configuration.error(argument, *wrong);
    parameters.entries = configuration.arena().keep(std::move(entries));
  }
  static Refusal initialize(auto& element) {
    for (const ArpEntry& entry : element.parameters().entries) add_arp_entry(element.control().entries, entry);
    return std::nullopt;
  }

  static const EthernetAddress* lookup(const Control& control, IPv4Address ip) {
    for (const ArpEntry& entry : control.entries)
      if (entry.prefix.contains(ip)) return &entry.ethernet;
    return nullptr;
  }

  static Output process(auto& context, In, auto& packet) {
    auto* frame = packet.template header<ArpFrame>();
    if (frame == nullptr || !is_arp(*frame, kArpRequest)) return to(1);
    const ArpPacket request = frame->arp;
    const EthernetAddress* ethernet = lookup(context.control(), request.target_ip);
    if (ethernet == nullptr) return to(1);
    *frame = make_arp(kArpReply, *ethernet, request.target_ip, request.sender_ethernet, request.sender_ip,
                      request.sender_ethernet);
    packet.take(packet.length() - static_cast<std::uint32_t>(sizeof(ArpFrame)));
    packet.template set<MacHeader>(packet.headroom());
    // The reply is a new packet, of whose annotations only the VLAN is the request's.
    packet.template set<PaintColor>(0);
    packet.template set<Kind>(PacketKind::host);
    return to(0);
  }

  static Refusal add(auto& element, std::string_view text) {
    std::vector<ArpEntry> entries;
    if (const auto wrong = parse_arp_entries(text, kNoNames, entries)) return wrong;
    for (const ArpEntry& entry : entries) add_arp_entry(element.control().entries, entry);
    return std::nullopt;
  }
  static Refusal remove(auto& element, std::string_view text) {
    IPv4Prefix prefix;
    if (const auto wrong = parse(text, prefix)) return wrong;
    prefix.address.network &= prefix.mask.network;
    const auto same = [&](const ArpEntry& entry) { return entry.prefix == prefix; };
    if (std::erase_if(element.control().entries, same) == 0) return to_string(prefix) + " not found";
    return std::nullopt;
  }

  static constexpr auto handlers =
      describe(read("table",
                    [](const auto& element) {
                      std::string text;
                      for (const ArpEntry& entry : element.control().entries)
                        text += to_string(entry.prefix) + " " + to_string(entry.ethernet) + "\n";
                      return text;
                    }),
               read("lookup",
                    [](const auto& element, std::string_view parameter) -> ControlPlane::Answer {
                      IPv4Address ip;
                      if (parse(parameter, ip)) return {false, "expected IP address"};
                      const EthernetAddress* ethernet = lookup(element.control(), ip);
                      return {true, ethernet == nullptr ? "" : to_string(*ethernet)};
                    }),
               write("add", [](auto& element, std::string_view text) { return add(element, text); }),
               write("remove", [](auto& element, std::string_view text) { return remove(element, text); }));
};

}  // namespace packetmill
