#include "verify/frames.h"

#include <cctype>
#include <cstring>

#include "runtime/checksum.h"
#include "runtime/headers.h"
#include "runtime/values/parse.h"

namespace packetmill::verify {
namespace {

/// The words of a text that may be addresses.
std::vector<std::string> address_words(const std::string& text) {
  std::vector<std::string> words(1);
  for (const char c : text) {
    if (std::isxdigit(static_cast<unsigned char>(c)) != 0 || c == '.' || c == ':' || c == '-')
      words.back() += c;
    else if (!words.back().empty())
      words.emplace_back();
  }
  return words;
}

template <class T>
void append(std::vector<std::uint8_t>& frame, const T& header) {
  const auto* bytes = reinterpret_cast<const std::uint8_t*>(&header);
  frame.insert(frame.end(), bytes, bytes + sizeof header);
}

}  // namespace

Frames::Frames(std::uint64_t seed, const std::string& configuration) : random_(seed) {
  for (const std::string& word : address_words(configuration)) {
    IPv4Address ip;
    EthernetAddress ether;
    if (word.find('.') != std::string::npos && !parse(word, ip)) addresses_.push_back(ip);
    if (word.find(':') != std::string::npos && !parse(word, ether)) ethernets_.push_back(ether);
  }
}

IPv4Address Frames::address() {
  const std::uint32_t any = static_cast<std::uint32_t>(random_());
  switch (below(8)) {
    case 0:
      return IPv4Address::from_host(any);
    case 1:
      return IPv4Address::from_host(0xe0000000U | (any & 0xffU));
    case 2:
      return IPv4Address::from_host(one_in(2) ? 0xffffffffU : 0);
    case 3:
      return IPv4Address::from_host(0x0a000000U | (any & 0x3ffU));
    default:
      if (addresses_.empty()) return IPv4Address::from_host(0x0a000000U | (any & 0xfU));
      const IPv4Address known = addresses_[below(static_cast<std::uint32_t>(addresses_.size()))];
      // The address itself, or a neighbour.
      return one_in(3) ? known : IPv4Address::from_host((known.host() & ~0xfU) | (any & 0xfU));
  }
}

EthernetAddress Frames::ethernet() {
  if (one_in(6)) return EthernetAddress::broadcast();
  if (!ethernets_.empty() && !one_in(4)) return ethernets_[below(static_cast<std::uint32_t>(ethernets_.size()))];
  return {{static_cast<std::uint8_t>(below(2)), 0, 0, 0, 0, static_cast<std::uint8_t>(below(4))}};
}

std::vector<std::uint8_t> Frames::arp_frame() {
  std::vector<std::uint8_t> frame;
  append(frame, EthernetHeader{ethernet(), ethernet(), swap_network(kEthernetArp)});
  append(frame,
         ArpPacket{swap_network(std::uint16_t{1}), swap_network(kEthernetIPv4), 6, 4,
                   swap_network(one_in(2) ? kArpRequest : kArpReply), ethernet(), address(), ethernet(), address()});
  return frame;
}

std::vector<std::uint8_t> Frames::ip_frame() {
  std::vector<std::uint8_t> frame;
  append(frame, EthernetHeader{ethernet(), ethernet(), swap_network(kEthernetIPv4)});
  const std::uint32_t options = one_in(8) ? below(11) * 4 : 0;
  const std::uint32_t data = one_in(16) ? below(1960) : below(64);
  IPv4Header ip{};
  constexpr std::uint8_t kProtocols[] = {6, 6, 6, 17, 17, 17, 1, 47};
  ip.protocol = kProtocols[below(8)];
  const std::uint32_t header = ip.protocol == 6 ? sizeof(TcpHeader) : sizeof(UdpHeader);
  ip.version_and_length = static_cast<std::uint8_t>(0x45 + options / 4);
  ip.tos = one_in(4) ? static_cast<std::uint8_t>(below(256)) : 0;
  ip.total_length = swap_network(static_cast<std::uint16_t>(sizeof ip + options + header + data));
  ip.identification = static_cast<std::uint16_t>(below(65536));
  if (one_in(8)) ip.fragment = swap_network(static_cast<std::uint16_t>(one_in(2) ? kDontFragment : below(0x4000)));
  ip.ttl = static_cast<std::uint8_t>(one_in(8) ? below(3) : 64);
  ip.source = address();
  ip.destination = address();
  std::vector<std::uint8_t> packet;
  append(packet, ip);
  for (std::uint32_t i = 0; i < options; ++i) {
    constexpr std::uint8_t kOptions[] = {0, 1, 7, 68, 131, 137, 4, 8};
    packet.push_back(one_in(3) ? static_cast<std::uint8_t>(below(256)) : kOptions[below(8)]);
  }
  const std::uint16_t checksum = internet_checksum(packet.data(), packet.size());
  std::memcpy(packet.data() + offsetof(IPv4Header, checksum), &checksum, sizeof checksum);

  std::vector<std::uint8_t> segment(header + data);
  for (std::uint8_t& byte : segment) byte = static_cast<std::uint8_t>(below(256));
  const auto put16 = [&](std::size_t at, std::uint16_t value) {
    std::memcpy(segment.data() + at, &value, sizeof value);
  };
  const auto port = [&] {
    return swap_network(static_cast<std::uint16_t>(one_in(3) ? below(1024) : 1024 + below(32)));
  };
  std::size_t checksum_at = offsetof(UdpHeader, checksum);
  if (ip.protocol == 6) {
    checksum_at = offsetof(TcpHeader, checksum);
    segment[offsetof(TcpHeader, offset_and_reserved)] = 0x50;
  } else if (ip.protocol == 1) {
    checksum_at = offsetof(IcmpHeader, checksum);
    constexpr std::uint8_t kTypes[] = {0, 8, 8, 3, 11, 13};
    segment[0] = kTypes[below(6)];
    segment[1] = 0;
  }
  if (ip.protocol != 1) put16(0, port()), put16(2, port());
  if (ip.protocol == 17) put16(offsetof(UdpHeader, length), swap_network(static_cast<std::uint16_t>(segment.size())));
  put16(checksum_at, 0);
  const std::uint64_t pseudo =
      ip.protocol == 1 ? 0 : pseudo_header_sum(ip, ip.protocol, static_cast<std::uint32_t>(segment.size()));
  put16(checksum_at, internet_checksum(segment.data(), segment.size(), pseudo));

  frame.insert(frame.end(), packet.begin(), packet.end());
  frame.insert(frame.end(), segment.begin(), segment.end());
  return frame;
}

std::vector<std::uint8_t> Frames::next() {
  std::vector<std::uint8_t> frame = one_in(8) ? arp_frame() : ip_frame();
  switch (below(16)) {
    case 0:  // a field of the headers is wrong
      frame[below(std::min<std::uint32_t>(static_cast<std::uint32_t>(frame.size()), 60))] ^=
          static_cast<std::uint8_t>(1U << below(8));
      break;
    case 1:
      frame.resize(below(static_cast<std::uint32_t>(frame.size()) + 1));
      break;
    case 2:
      for (std::size_t i = 12; i < frame.size(); ++i) frame[i] = static_cast<std::uint8_t>(below(256));
      break;
    case 3:  // more than the IP packet says
      frame.resize(frame.size() + below(20));
      break;
    default:
      break;
  }
  return frame;
}

}  // namespace packetmill::verify
