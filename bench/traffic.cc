#include "bench/traffic.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

#include "runtime/checksum.h"
#include "runtime/headers.h"

namespace packetmill::bench {
namespace {

/// SplitMix64 (Steele, Lea and Flood, 2014).
std::uint64_t mix(std::uint64_t value) {
  value = (value ^ value >> 30U) * 0xbf58476d1ce4e5b9U;
  value = (value ^ value >> 27U) * 0x94d049bb133111ebU;
  return value ^ value >> 31U;
}

constexpr std::uint32_t kCheckSequence = 4;
constexpr EthernetAddress kSource{{0xb8, 0x83, 0x03, 0x6f, 0x43, 0x39}};
constexpr EthernetAddress kDestination{{0x98, 0x03, 0x9b, 0x33, 0xfe, 0xe2}};
constexpr IPv4Prefix kBenchmarking{IPv4Address::from_host(0xc6120000), IPv4Prefix::mask_of_length(15)};

/// What a campus sends: acknowledgements, full segments, and a little in between; 981 bytes in the mean.
struct Share {
  double up_to;
  std::uint32_t size;
};
constexpr std::array<Share, 3> kCampus = {{{0.3164, 64}, {0.3864, 576}, {1.0, 1500}}};

}  // namespace

Traffic::Traffic(const TrafficOptions& options) : options_(options), state_(mix(options.seed + 1)) {
  if (options_.destinations.empty()) options_.destinations.push_back(kBenchmarking);
  if (options_.zipf <= 0) return;
  double sum = 0;
  for (std::uint32_t i = 0; i < options_.flows; ++i)
    popularity_.push_back(sum += std::pow(static_cast<double>(i) + 1, -options_.zipf));
}

std::uint64_t Traffic::random() { return mix(state_ += 0x9e3779b97f4a7c15U); }

std::uint32_t Traffic::pick_flow() {
  if (popularity_.empty()) return static_cast<std::uint32_t>(random() % options_.flows);
  const double point = uniform() * popularity_.back();
  return static_cast<std::uint32_t>(std::ranges::upper_bound(popularity_, point) - popularity_.begin());
}

std::uint32_t Traffic::pick_size() {
  if (options_.size) return *options_.size;
  const double point = uniform();
  return std::ranges::find_if(kCampus, [&](const Share& share) { return point < share.up_to; })->size;
}

const std::vector<std::uint8_t>& Traffic::next() {
  const std::uint32_t flow = pick_flow();
  const std::uint32_t size = std::max(pick_size(), 64U) - kCheckSequence;
  // What a flow is follows from the seed and its number alone.
  const std::uint64_t one = mix(options_.seed ^ mix(flow + 1));
  const std::uint64_t other = mix(one + 1);
  const IPv4Prefix& to = options_.destinations[other % options_.destinations.size()];
  const double kind = static_cast<double>(mix(other) >> 11U) * 0x1p-53;

  frame_.assign(size, 0);
  EthernetHeader ethernet{kDestination, kSource, swap_network(kEthernetIPv4)};
  IPv4Header ip{};
  const auto ip_length = static_cast<std::uint16_t>(size - sizeof ethernet);
  ip.version_and_length = 0x45;
  ip.total_length = swap_network(ip_length);
  ip.ttl = 64;
  ip.source = IPv4Address::from_host(0x0a000000U | static_cast<std::uint32_t>(one & 0xffffffU));
  ip.destination = {to.address.network | (static_cast<std::uint32_t>(other >> 32U) & ~to.mask.network)};
  const std::uint16_t segment_length = ip_length - sizeof ip;
  std::uint8_t* segment = frame_.data() + sizeof ethernet + sizeof ip;
  const auto source_port = static_cast<std::uint16_t>(1024 + (one >> 24U) % 64512);
  const auto destination_port = static_cast<std::uint16_t>(1 + (one >> 40U) % 1023);
  std::size_t checksum_at = 0;
  if (kind < options_.tcp) {
    ip.protocol = 6;
    TcpHeader tcp{};
    tcp.source = swap_network(source_port);
    tcp.destination = swap_network(destination_port);
    tcp.offset_and_reserved = 0x50;
    tcp.flags = kTcpAck;
    tcp.window = 0xffff;
    std::memcpy(segment, &tcp, sizeof tcp);
    checksum_at = offsetof(TcpHeader, checksum);
  } else if (kind < options_.tcp + options_.icmp) {
    ip.protocol = 1;
    const IcmpHeader icmp{kIcmpEcho, 0, 0, static_cast<std::uint32_t>(one)};
    std::memcpy(segment, &icmp, sizeof icmp);
    checksum_at = offsetof(IcmpHeader, checksum);
  } else {
    ip.protocol = 17;
    const UdpHeader udp{swap_network(source_port), swap_network(destination_port), swap_network(segment_length), 0};
    std::memcpy(segment, &udp, sizeof udp);
    checksum_at = offsetof(UdpHeader, checksum);
  }
  ip.checksum = internet_checksum(&ip, sizeof ip);
  const std::uint64_t pseudo = ip.protocol == 1 ? 0 : pseudo_header_sum(ip, ip.protocol, segment_length);
  std::uint16_t checksum = internet_checksum(segment, segment_length, pseudo);
  if (ip.protocol == 17 && checksum == 0) checksum = 0xffff;  // RFC 768: zero would say that there is none
  std::memcpy(segment + checksum_at, &checksum, sizeof checksum);
  std::memcpy(frame_.data(), &ethernet, sizeof ethernet);
  std::memcpy(frame_.data() + sizeof ethernet, &ip, sizeof ip);
  return frame_;
}

}  // namespace packetmill::bench
