#include "ports/dpdk/toeplitz.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace packetmill::dpdk {
namespace {

using Bytes = std::vector<std::uint8_t>;

Bytes operator+(Bytes a, const Bytes& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

Bytes port(unsigned number) { return {static_cast<std::uint8_t>(number >> 8), static_cast<std::uint8_t>(number)}; }

// "Verifying the RSS Hash Calculation", Microsoft's driver documentation: source, destination, both ports, and
// the hashes with and without ports.
struct Vector {
  Bytes source, destination;
  unsigned source_port, destination_port;
  std::uint32_t addresses_only, with_ports;
};

const Vector kVectors[] = {
    {{66, 9, 149, 187}, {161, 142, 100, 80}, 2794, 1766, 0x323e8fc2, 0x51ccc178},
    {{199, 92, 111, 2}, {65, 69, 140, 83}, 14230, 4739, 0xd718262a, 0xc626b0ea},
    {{24, 19, 198, 95}, {12, 22, 207, 184}, 12898, 38024, 0xd2d0a5de, 0x5c2b394a},
    {{38, 27, 205, 30}, {209, 142, 163, 6}, 48228, 2217, 0x82989176, 0xafc7327f},
    {{153, 39, 163, 191}, {202, 188, 127, 2}, 44251, 1303, 0x5d1809c5, 0x10e828a2},
    // 3ffe:2501:200:1fff::7 -> 3ffe:2501:200:3::1
    {{0x3f, 0xfe, 0x25, 0x01, 0x02, 0x00, 0x1f, 0xff, 0, 0, 0, 0, 0, 0, 0, 7},
     {0x3f, 0xfe, 0x25, 0x01, 0x02, 0x00, 0x00, 0x03, 0, 0, 0, 0, 0, 0, 0, 1},
     2794,
     1766,
     0x2cc18cd5,
     0x40207d3d},
    // 3ffe:501:8::260:97ff:fe40:efab -> ff02::1
    {{0x3f, 0xfe, 0x05, 0x01, 0x00, 0x08, 0, 0, 0x02, 0x60, 0x97, 0xff, 0xfe, 0x40, 0xef, 0xab},
     {0xff, 0x02, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1},
     14230,
     4739,
     0x0f0c461c,
     0xdde51bbf},
    // 3ffe:1900:4545:3:200:f8ff:fe21:67cf -> fe80::200:f8ff:fe21:67cf
    {{0x3f, 0xfe, 0x19, 0x00, 0x45, 0x45, 0x00, 0x03, 0x02, 0x00, 0xf8, 0xff, 0xfe, 0x21, 0x67, 0xcf},
     {0xfe, 0x80, 0, 0, 0, 0, 0, 0, 0x02, 0x00, 0xf8, 0xff, 0xfe, 0x21, 0x67, 0xcf},
     44251,
     38024,
     0x4b61e985,
     0x02d1feef},
};

TEST(Toeplitz, AgreesWithTheVerificationSuite) {
  const Toeplitz toeplitz(kDefaultRssKey);
  for (const Vector& v : kVectors) {
    EXPECT_EQ(toeplitz.hash(v.source + v.destination), v.addresses_only);
    EXPECT_EQ(toeplitz.hash(v.source + v.destination + port(v.source_port) + port(v.destination_port)), v.with_ports);
  }
}

TEST(Toeplitz, TheSymmetricKeyHashesBothDirectionsAlike) {
  const Toeplitz toeplitz(kSymmetricRssKey);
  for (const Vector& v : kVectors)
    EXPECT_EQ(toeplitz.hash(v.source + v.destination + port(v.source_port) + port(v.destination_port)),
              toeplitz.hash(v.destination + v.source + port(v.destination_port) + port(v.source_port)));
}

const Bytes kMacs(12, 0x02);

Bytes ipv4(const Vector& v, std::uint8_t protocol, Bytes flags_and_offset = {0, 0}) {
  return Bytes{0x45, 0, 0, 40, 0, 1} + flags_and_offset + Bytes{64, protocol, 0, 0} + v.source + v.destination +
         port(v.source_port) + port(v.destination_port) + Bytes(16);
}

Bytes ipv6(const Vector& v, std::uint8_t next_header) {
  return Bytes{0x60, 0, 0, 0, 0, 20, next_header, 64} + v.source + v.destination + port(v.source_port) +
         port(v.destination_port) + Bytes(16);
}

TEST(HashFrame, UsesPortsForTcpAndUdpOnly) {
  const Toeplitz toeplitz(kDefaultRssKey);
  const Bytes ip{0x08, 0x00}, ip6{0x86, 0xdd};
  EXPECT_EQ(toeplitz.hash_frame(kMacs + ip + ipv4(kVectors[0], 6)), 0x51ccc178);
  EXPECT_EQ(toeplitz.hash_frame(kMacs + ip + ipv4(kVectors[0], 17)), 0x51ccc178);
  EXPECT_EQ(toeplitz.hash_frame(kMacs + ip + ipv4(kVectors[0], 1)), 0x323e8fc2);
  EXPECT_EQ(toeplitz.hash_frame(kMacs + ip6 + ipv6(kVectors[5], 6)), 0x40207d3d);
  EXPECT_EQ(toeplitz.hash_frame(kMacs + ip6 + ipv6(kVectors[5], 58)), 0x2cc18cd5);
}

TEST(HashFrame, KeepsTheFragmentsOfAPacketTogether) {
  const Toeplitz toeplitz(kDefaultRssKey);
  const Bytes first_fragment{0x20, 0x00}, later_fragment{0x00, 0x64}, unfragmentable{0x40, 0x00}, ip{0x08, 0x00};
  EXPECT_EQ(toeplitz.hash_frame(kMacs + ip + ipv4(kVectors[0], 17, first_fragment)), 0x323e8fc2);
  EXPECT_EQ(toeplitz.hash_frame(kMacs + ip + ipv4(kVectors[0], 17, later_fragment)), 0x323e8fc2);
  EXPECT_EQ(toeplitz.hash_frame(kMacs + ip + ipv4(kVectors[0], 17, unfragmentable)), 0x51ccc178);
}

TEST(HashFrame, StepsOverVlanTags) {
  const Toeplitz toeplitz(kDefaultRssKey);
  const Bytes tag{0x81, 0x00, 0x00, 0x05}, outer{0x88, 0xa8, 0x00, 0x07}, ip{0x08, 0x00};
  EXPECT_EQ(toeplitz.hash_frame(kMacs + tag + ip + ipv4(kVectors[0], 6)), 0x51ccc178);
  EXPECT_EQ(toeplitz.hash_frame(kMacs + outer + tag + ip + ipv4(kVectors[0], 6)), 0x51ccc178);
}

TEST(HashFrame, EveryTruncationIsHashedWithinItsBounds) {
  const Toeplitz toeplitz(kDefaultRssKey);
  const Bytes whole = kMacs + Bytes{0x81, 0x00, 0x00, 0x05, 0x08, 0x00} + ipv4(kVectors[0], 6);
  for (std::size_t size = 0; size <= whole.size(); ++size) {
    const Bytes cut(whole.begin(),
                    whole.begin() + static_cast<std::ptrdiff_t>(size));  // a heap block of its own, for ASan
    const std::size_t header_end = 18 + 20;
    EXPECT_EQ(toeplitz.hash_frame(cut), size < header_end       ? 0U
                                        : size < header_end + 4 ? 0x323e8fc2U
                                                                : 0x51ccc178U)
        << size << " bytes";
  }
}

TEST(HashFrame, WhatIsNotIpHashesToZero) {
  EXPECT_EQ(Toeplitz(kDefaultRssKey).hash_frame(kMacs + Bytes{0x08, 0x06} + Bytes(28, 1)), 0U);
}

}  // namespace
}  // namespace packetmill::dpdk
