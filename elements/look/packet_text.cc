#include "elements/look/packet_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

namespace packetmill {
namespace {

/// The header of type T behind the IPv4 header; null where it is not whole. What lies past the IPv4 total length is not
/// the packet's.
template <class T>
const T* behind(const IPv4Header& ip, std::uint32_t available) {
  const std::uint32_t end = std::min<std::uint32_t>(available, swap_network(ip.total_length));
  if (end < ip.header_length() + sizeof(T)) return nullptr;
  return reinterpret_cast<const T*>(reinterpret_cast<const std::uint8_t*>(&ip) + ip.header_length());
}

std::string addresses(const IPv4Header& ip) {
  return fmt::format("{} > {}: ", to_string(ip.source), to_string(ip.destination));
}

std::string endpoints(const IPv4Header& ip, std::uint16_t source, std::uint16_t destination) {
  return fmt::format("{}.{} > {}.{}: ", to_string(ip.source), swap_network(source), to_string(ip.destination),
                     swap_network(destination));
}

std::string tcp_text(const IPv4Header& ip, const TcpHeader& tcp, std::uint32_t packet_length) {
  const std::uint32_t ip_length = swap_network(ip.total_length);
  std::string flags;
  // RFC 9293, 3.4: SYN and FIN take a place in the sequence too. A header that claims more than the packet has none.
  std::uint32_t length = ip_length - std::min(ip_length, ip.header_length() + tcp.header_length());
  if ((tcp.flags & kTcpSyn) != 0) flags += 'S', ++length;
  if ((tcp.flags & kTcpFin) != 0) flags += 'F', ++length;
  if ((tcp.flags & kTcpRst) != 0) flags += 'R';
  if ((tcp.flags & kTcpPsh) != 0) flags += 'P';
  if (flags.empty()) flags = ".";
  const std::uint32_t sequence = swap_network(tcp.sequence);
  std::string text = fmt::format("{}{} {}:{}({},{},{})", endpoints(ip, tcp.source, tcp.destination), flags, sequence,
                                 sequence + length, length, packet_length, ip_length);
  if ((tcp.flags & kTcpAck) != 0) text += fmt::format(" ack {}", swap_network(std::uint32_t{tcp.acknowledgement}));
  text += fmt::format(" win {}", swap_network(std::uint16_t{tcp.window}));
  if ((tcp.flags & kTcpUrg) != 0) text += fmt::format(" urg {}", swap_network(std::uint16_t{tcp.urgent}));
  return text;
}

std::string icmp_text(const IPv4Header& ip, const IcmpHeader& icmp, bool network_order) {
  if (icmp.type != kIcmpEcho && icmp.type != kIcmpEchoReply)
    return addresses(ip) + fmt::format("icmp type {} code {}", icmp.type, icmp.code);
  std::uint16_t identifier = static_cast<std::uint16_t>(swap_network(std::uint32_t{icmp.rest}) >> 16U);
  std::uint16_t sequence = static_cast<std::uint16_t>(swap_network(std::uint32_t{icmp.rest}));
  if (!network_order) {
    identifier = __builtin_bswap16(identifier);
    sequence = __builtin_bswap16(sequence);
  }
  return addresses(ip) +
         fmt::format("icmp {} ({}, {})", icmp.type == kIcmpEcho ? "echo" : "echo-reply", identifier, sequence);
}

std::string transport_text(const IPv4Header& ip, std::uint32_t available, std::uint32_t packet_length,
                           bool network_order) {
  if (ip.later_fragment()) return addresses(ip) + fmt::format("ip-proto-{}", ip.protocol);
  switch (ip.protocol) {
    case kTcp.number:
      if (const auto* tcp = behind<TcpHeader>(ip, available)) return tcp_text(ip, *tcp, packet_length);
      return addresses(ip) + "truncated-tcp";
    case kUdp.number:
      if (const auto* udp = behind<UdpHeader>(ip, available))
        return endpoints(ip, udp->source, udp->destination) +
               fmt::format("udp {}", swap_network(std::uint16_t{udp->length}));
      return addresses(ip) + "truncated-udp";
    case kIcmp.number:
      if (const auto* icmp = behind<IcmpHeader>(ip, available)) return icmp_text(ip, *icmp, network_order);
      return addresses(ip) + "truncated-icmp";
    default:
      return addresses(ip) + fmt::format("ip-proto-{}", ip.protocol);
  }
}

/// As tcpdump: identification, bytes of payload, its place in the datagram, and "+" where more follows.
std::string fragment_text(const IPv4Header& ip) {
  const std::uint16_t fragment = swap_network(ip.fragment);
  if ((fragment & (kMoreFragments | kFragmentOffset)) == 0) return {};
  const int length = std::max(0, swap_network(ip.total_length) - static_cast<int>(ip.header_length()));
  return fmt::format(" (frag {}:{}@{}{})", swap_network(std::uint16_t{ip.identification}), length,
                     (fragment & kFragmentOffset) * 8, (fragment & kMoreFragments) != 0 ? "+" : "");
}

}  // namespace

ParseError parse(std::string_view text, DataStyle& out, const Names&) {
  std::string word(text);
  std::ranges::transform(word, word.begin(), [](unsigned char c) { return std::toupper(c); });
  if (word == "NONE" || word == "FALSE")  // older manuals say `false`
    out.style = DataStyle::none;
  else if (word == "HEX")
    out.style = DataStyle::hex;
  else if (word == "ASCII")
    out.style = DataStyle::ascii;
  else
    return "expected NONE, HEX or ASCII";
  return {};
}

std::string data_text(DataStyle style, const std::uint8_t* data, std::size_t length) {
  std::string text;
  if (style.style == DataStyle::none) return text;
  const std::size_t group = style.style == DataStyle::hex ? 4 : 8;
  for (std::size_t i = 0; i < length; ++i) {
    if (i > 0 && i % group == 0) text += ' ';
    if (style.style == DataStyle::hex)
      fmt::format_to(std::back_inserter(text), "{:02x}", data[i]);
    else
      text += data[i] >= 0x20 && data[i] < 0x7f ? static_cast<char>(data[i]) : '.';
  }
  return text;
}

std::string ip_text(const IPv4Header& ip, std::uint32_t available, std::uint32_t packet_length, bool network_order) {
  if (ip.header_length() < sizeof(IPv4Header)) return addresses(ip) + "bad-header-length";
  return transport_text(ip, available, packet_length, network_order) + fragment_text(ip);
}

std::string arp_text(const ArpPacket& arp) {
  switch (const std::uint16_t operation = swap_network(arp.operation)) {
    case kArpRequest:
      return fmt::format("arp who-has {} tell {}", to_string(arp.target_ip), to_string(arp.sender_ip));
    case kArpReply:
      return fmt::format("arp reply {} is-at {}", to_string(arp.sender_ip), to_string(arp.sender_ethernet));
    default:
      return fmt::format("arp operation {}", operation);
  }
}

std::uint32_t payload_offset(const IPv4Header& ip, std::uint32_t available) {
  std::uint32_t offset = ip.header_length();
  if (!ip.later_fragment()) {
    const auto* tcp = ip.protocol == kTcp.number ? behind<TcpHeader>(ip, available) : nullptr;
    if (tcp != nullptr)
      offset += tcp->header_length();
    else if (ip.protocol == kUdp.number || ip.protocol == kIcmp.number)
      offset += sizeof(UdpHeader);  // as long as ICMP's
  }
  return std::min(offset, available);
}

}  // namespace packetmill
