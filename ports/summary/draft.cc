#include "ports/summary/draft.h"

#include <algorithm>
#include <cstring>

#include "runtime/checksum.h"

namespace packetmill::summary {
namespace {

using Bytes = std::vector<std::uint8_t>;

template <class T>
void append(Bytes& bytes, const T& header) {
  const auto* first = reinterpret_cast<const std::uint8_t*>(&header);
  bytes.insert(bytes.end(), first, first + sizeof(T));
}

/// Where the checksum lies in the protocol's header; none where it has none.
std::optional<std::size_t> checksum_place(std::uint8_t protocol) {
  switch (protocol) {
    case kTcp.number:
      return 16;
    case kUdp.number:
      return 6;
    case kIcmp.number:
      return 2;
    default:
      return {};
  }
}

void set_checksums(Bytes& packet) {
  auto& ip = *reinterpret_cast<IPv4Header*>(packet.data());
  const std::size_t start = ip.header_length();
  ip.checksum = 0;
  ip.checksum = internet_checksum(packet.data(), start);
  const auto place = checksum_place(ip.protocol);
  const bool fragment = (ip.fragment & swap_network(std::uint16_t{kMoreFragments | kFragmentOffset})) != 0;
  if (!place || fragment || packet.size() < start + *place + 2) return;
  const std::size_t length = packet.size() - start;
  std::memset(&packet[start + *place], 0, 2);
  const std::uint64_t pseudo =
      ip.protocol == kIcmp.number ? 0 : pseudo_header_sum(ip, ip.protocol, static_cast<std::uint32_t>(length));
  std::uint16_t checksum = internet_checksum(&packet[start], length, pseudo);
  if (checksum == 0 && ip.protocol == kUdp.number) checksum = 0xffff;  // RFC 768: zero means none
  std::memcpy(&packet[start + *place], &checksum, 2);
}

}  // namespace

Bytes Draft::transport_header() const {
  Bytes bytes;
  if (later_fragment()) return bytes;
  switch (protocol) {
    case kTcp.number: {
      // At most 60 bytes: the options are at most 40, and no line may say more than four bits hold.
      const std::size_t length = std::max<std::size_t>(sizeof(TcpHeader) + tcp_options.size(), tcp_header_length);
      append(bytes,
             TcpHeader{swap_network(source_port), swap_network(destination_port), swap_network(tcp_sequence),
                       swap_network(tcp_acknowledgement),
                       static_cast<std::uint8_t>((length / 4) << 4U | (tcp_flags >> 8U & 1U)),
                       static_cast<std::uint8_t>(tcp_flags), swap_network(tcp_window), 0, swap_network(tcp_urgent)});
      bytes.insert(bytes.end(), tcp_options.begin(), tcp_options.end());
      bytes.resize(length);
      break;
    }
    case kUdp.number: {
      const std::uint32_t header = sizeof(IPv4Header) + static_cast<std::uint32_t>(ip_options.size());
      const std::uint32_t known =
          length ? *length - std::min(*length, header)
                 : sizeof(UdpHeader) + payload_length.value_or(static_cast<std::uint32_t>(payload.size()));
      const auto udp_bytes = static_cast<std::uint16_t>(std::min<std::uint32_t>(known, 0xffff));
      append(bytes, UdpHeader{swap_network(source_port), swap_network(destination_port),
                              swap_network(udp_length.value_or(udp_bytes)), 0});
      break;
    }
    case kIcmp.number: {
      const std::uint16_t low = icmp_next_mtu.value_or(icmp_sequence);
      append(bytes, IcmpHeader{icmp_type, icmp_code, 0, swap_network(std::uint32_t{icmp_flow} << 16U | low)});
      break;
    }
    default:
      break;
  }
  return bytes;
}

std::uint32_t Draft::ip_length() const {
  if (length) return std::min(*length, 0xffffU);
  const std::size_t headers = sizeof(IPv4Header) + ip_options.size() + transport_header().size();
  return static_cast<std::uint32_t>(
      std::min<std::size_t>(headers + std::max<std::size_t>(payload_length.value_or(0), payload.size()), 0xffff));
}

Bytes Draft::build(bool checksum_all) const {
  const std::size_t header = sizeof(IPv4Header) + ip_options.size();
  const std::uint32_t total = ip_length();
  Bytes packet;
  append(packet, IPv4Header{static_cast<std::uint8_t>(0x40 | header / 4), tos,
                            swap_network(static_cast<std::uint16_t>(total)), swap_network(identification),
                            swap_network(fragment), ttl, protocol, swap_network(checksum), source, destination});
  packet.insert(packet.end(), ip_options.begin(), ip_options.end());
  const Bytes transport = transport_header();
  packet.insert(packet.end(), transport.begin(), transport.end());
  packet.insert(packet.end(), payload.begin(), payload.end());
  // Never less than the IP header, and never more than the IP length; ip_capture_len says how much of it there was.
  std::size_t size = std::min<std::size_t>(packet.size(), total);
  if (captured) size = std::min<std::size_t>(total, *captured);
  if (checksum_all) size = total;
  packet.resize(std::max(size, header));
  if (checksum_all) set_checksums(packet);
  return packet;
}

}  // namespace packetmill::summary
