#include "tests/support/packets.h"

#include "runtime/checksum.h"

namespace packetmill::testing {
namespace {

template <class T>
void append(Bytes& bytes, const T& value) {
  const auto* first = reinterpret_cast<const std::uint8_t*>(&value);
  bytes.insert(bytes.end(), first, first + sizeof(T));
}
void append(Bytes& bytes, const Bytes& more) { bytes.insert(bytes.end(), more.begin(), more.end()); }

std::uint16_t transport_checksum(const Bytes& packet) {
  const auto& ip = *reinterpret_cast<const IPv4Header*>(packet.data());
  const std::size_t offset = ip.header_length();
  const std::size_t length = packet.size() - offset;
  const std::uint64_t pseudo =
      ip.protocol == 1 ? 0 : pseudo_header_sum(ip, ip.protocol, static_cast<std::uint32_t>(length));
  return internet_checksum(packet.data() + offset, length, pseudo);
}

/// Fills in the transport checksum, which lies `at` bytes into the transport header.
Bytes with_checksum(Bytes packet, std::size_t at) {
  const std::size_t place = reinterpret_cast<const IPv4Header*>(packet.data())->header_length() + at;
  std::uint16_t checksum = transport_checksum(packet);
  if (packet[9] == 17 && checksum == 0) checksum = 0xffff;  // RFC 768: zero says that there is none
  std::memcpy(packet.data() + place, &checksum, 2);
  return packet;
}

}  // namespace

Bytes hex(std::string_view text) {
  Bytes bytes;
  int digits = 0;
  for (const char c : text) {
    if (c == ' ' || c == '\n') continue;
    const int value = c <= '9' ? c - '0' : (c | 0x20) - 'a' + 10;
    if (digits++ % 2 == 0)
      bytes.push_back(static_cast<std::uint8_t>(value << 4));
    else
      bytes.back() |= static_cast<std::uint8_t>(value);
  }
  return bytes;
}

Bytes counting(std::size_t count) {
  Bytes bytes(count);
  for (std::size_t i = 0; i < count; ++i) bytes[i] = static_cast<std::uint8_t>(i);
  return bytes;
}

Bytes ipv4(std::uint8_t protocol, const Bytes& payload, const IPv4Options& options) {
  const std::size_t header_length = sizeof(IPv4Header) + options.options.size();
  IPv4Header header{};
  header.version_and_length = static_cast<std::uint8_t>(0x40 | header_length / 4);
  header.tos = options.tos;
  header.total_length = swap_network(static_cast<std::uint16_t>(header_length + payload.size()));
  header.identification = swap_network(options.identification);
  header.fragment = swap_network(options.fragment);
  header.ttl = options.ttl;
  header.protocol = protocol;
  header.source = ip(options.source);
  header.destination = ip(options.destination);
  header.checksum = static_cast<std::uint16_t>(
      ~fold(ones_sum(options.options.data(), options.options.size(), ones_sum(&header, sizeof(header)))));
  Bytes packet;
  append(packet, header);
  append(packet, options.options);
  append(packet, payload);
  return packet;
}

Bytes udp(std::uint16_t source, std::uint16_t destination, const Bytes& data, const IPv4Options& options) {
  Bytes message;
  append(message, UdpHeader{swap_network(source), swap_network(destination),
                            swap_network(static_cast<std::uint16_t>(sizeof(UdpHeader) + data.size())), 0});
  append(message, data);
  return with_checksum(ipv4(17, message, options), 6);
}

Bytes tcp(std::uint16_t source, std::uint16_t destination, std::uint8_t flags, const Bytes& data,
          const IPv4Options& options) {
  Bytes message;
  append(message, TcpHeader{swap_network(source), swap_network(destination), swap_network(1U), swap_network(2U), 0x50,
                            flags, swap_network(std::uint16_t{4096}), 0, 0});
  append(message, data);
  return with_checksum(ipv4(6, message, options), 16);
}

Bytes icmp(std::uint8_t type, std::uint8_t code, std::uint32_t rest, const Bytes& data, const IPv4Options& options) {
  Bytes message;
  append(message, IcmpHeader{type, code, 0, swap_network(rest)});
  append(message, data);
  return with_checksum(ipv4(1, message, options), 2);
}

Bytes ethernet(const Bytes& payload, std::uint16_t type, std::string_view destination, std::string_view source) {
  Bytes frame;
  append(frame, EthernetHeader{ether(destination), ether(source), swap_network(type)});
  append(frame, payload);
  return frame;
}

Bytes arp(std::uint16_t operation, std::string_view sender_ethernet, std::string_view sender_ip,
          std::string_view target_ethernet, std::string_view target_ip) {
  Bytes message;
  append(message, ArpPacket{swap_network(std::uint16_t{1}), swap_network(kEthernetIPv4), 6, 4, swap_network(operation),
                            ether(sender_ethernet), ip(sender_ip), ether(target_ethernet), ip(target_ip)});
  return ethernet(message, kEthernetArp, operation == kArpRequest ? "ff:ff:ff:ff:ff:ff" : target_ethernet,
                  sender_ethernet);
}

TestPacket marked(Bytes packet) {
  const auto header_length = static_cast<int>(reinterpret_cast<const IPv4Header*>(packet.data())->header_length());
  return TestPacket(std::move(packet)).at(-1, 0, header_length);
}

bool checksums_right(const Bytes& packet) {
  const auto& ip = *reinterpret_cast<const IPv4Header*>(packet.data());
  if (fold(ones_sum(packet.data(), ip.header_length())) != 0xffff) return false;
  if (ip.later_fragment() || (ip.protocol != 1 && ip.protocol != 6 && ip.protocol != 17)) return true;
  return transport_checksum(packet) == 0;
}

}  // namespace packetmill::testing
