#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

namespace packetmill::dpdk {

/// The hash by which NICs spread flows over queues: "Introduction to Receive Side Scaling" and "RSS hashing functions"
/// in Microsoft's driver documentation. Here for devices that have no RSS, and to know what a NIC will do.
using RssKey = std::array<std::uint8_t, 40>;

/// The key of Microsoft's verification suite, which most NICs have as their default.
inline constexpr RssKey kDefaultRssKey = {0x6d, 0x5a, 0x56, 0xda, 0x25, 0x5b, 0x0e, 0xc2, 0x41, 0x67,
                                          0x25, 0x3d, 0x43, 0xa3, 0x8f, 0xb0, 0xd0, 0xca, 0x2b, 0xcb,
                                          0xae, 0x7b, 0x30, 0xb4, 0x77, 0xcb, 0x2d, 0xa3, 0x80, 0x30,
                                          0xf2, 0x0c, 0x6a, 0x42, 0xb7, 0x3b, 0xbe, 0xac, 0x01, 0xfa};

/// A key of period 16 bits: both directions of a flow hash alike (Woo and Park, "Scalable TCP Session Monitoring with
/// Symmetric Receive-side Scaling", 2012).
inline constexpr RssKey kSymmetricRssKey = [] {
  RssKey key{};
  for (std::size_t i = 0; i < key.size(); ++i) key[i] = i % 2 == 0 ? 0x6d : 0x5a;
  return key;
}();

class Toeplitz {
 public:
  explicit Toeplitz(const RssKey& key);

  /// The hash of at most 36 bytes (an IPv6 4-tuple: addresses, ports), in network byte order.
  [[nodiscard]] std::uint32_t hash(std::span<const std::uint8_t> input) const;

  /// The hash of an Ethernet frame's flow: addresses and ports of TCP and UDP over IPv4 and IPv6, addresses only of
  /// other IP packets and of all fragments; at most two VLAN tags are stepped over. 0 for what is not IP or is cut
  /// short.
  [[nodiscard]] std::uint32_t hash_frame(std::span<const std::uint8_t> frame) const;

 private:
  static constexpr std::size_t kMaximumInput = 36;
  /// What each value of each input byte contributes; the hash is linear over exclusive or.
  using Table = std::array<std::array<std::uint32_t, 256>, kMaximumInput>;
  std::unique_ptr<Table> table_;
};

}  // namespace packetmill::dpdk
