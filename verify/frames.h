#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "runtime/values/address.h"

namespace packetmill::verify {

/// Frames of all kinds for one configuration: right ones to and from the addresses that its text names, ARP, fragments,
/// IP options, and each of them wrong: a field changed, cut short, bytes at random, and nothing at all.
class Frames {
 public:
  Frames(std::uint64_t seed, const std::string& configuration);
  [[nodiscard]] std::vector<std::uint8_t> next();
  /// A number below `bound`, from the same seed.
  [[nodiscard]] std::uint32_t below(std::uint32_t bound) { return static_cast<std::uint32_t>(random_() % bound); }

 private:
  [[nodiscard]] bool one_in(std::uint32_t n) { return below(n) == 0; }
  [[nodiscard]] IPv4Address address();
  [[nodiscard]] EthernetAddress ethernet();
  [[nodiscard]] std::vector<std::uint8_t> ip_frame();
  [[nodiscard]] std::vector<std::uint8_t> arp_frame();

  std::mt19937_64 random_;
  std::vector<IPv4Address> addresses_;
  std::vector<EthernetAddress> ethernets_;
};

}  // namespace packetmill::verify
