#include "runtime/checksum.h"

#include <gtest/gtest.h>

#include <random>
#include <vector>

namespace packetmill {
namespace {

using Bytes = std::vector<std::uint8_t>;

/// RFC 1071, section 1, word for word: 16-bit words of network byte order, one's complement sum, complemented.
std::uint16_t by_the_book(const Bytes& bytes) {
  std::uint32_t sum = 0;
  for (std::size_t i = 0; i < bytes.size(); i += 2) {
    sum += static_cast<std::uint32_t>(bytes[i] << 8U) + (i + 1 < bytes.size() ? bytes[i + 1] : 0U);
    if (sum > 0xffff) sum = (sum & 0xffff) + 1;
  }
  return static_cast<std::uint16_t>(~sum);
}

Bytes random_bytes(std::size_t length, std::mt19937& random) {
  Bytes bytes(length);
  for (auto& byte : bytes) byte = static_cast<std::uint8_t>(random());
  return bytes;
}

TEST(Checksum, OfTheExampleInRfc1071) {
  // Section 3: 00 01 f2 03 f4 f5 f6 f7 add up to ddf2.
  const Bytes bytes{0x00, 0x01, 0xf2, 0x03, 0xf4, 0xf5, 0xf6, 0xf7};
  EXPECT_EQ(swap_network(fold(ones_sum(bytes.data(), bytes.size()))), 0xddf2);
  EXPECT_EQ(swap_network(internet_checksum(bytes.data(), bytes.size())), 0x220d);
}

TEST(Checksum, IsThatOfTheBookForEveryLength) {
  std::mt19937 random(1);
  for (std::size_t length = 0; length < 300; ++length) {
    const Bytes bytes = random_bytes(length, random);
    EXPECT_EQ(swap_network(internet_checksum(bytes.data(), length)), by_the_book(bytes)) << length;
  }
}

TEST(Checksum, OfTheLongestFrameDoesNotOverflow) {
  const Bytes ones(65535, 0xff);
  EXPECT_EQ(swap_network(internet_checksum(ones.data(), ones.size())), by_the_book(ones));
}

TEST(Checksum, GoesOnFromAnEarlierSum) {
  std::mt19937 random(2);
  const Bytes bytes = random_bytes(100, random);
  for (std::size_t cut = 0; cut <= 100; cut += 2)
    EXPECT_EQ(internet_checksum(bytes.data() + cut, 100 - cut, ones_sum(bytes.data(), cut)),
              internet_checksum(bytes.data(), 100));
}

TEST(Checksum, OverDataThatContainsItsOwnFoldsToAllOnes) {
  std::mt19937 random(3);
  Bytes bytes = random_bytes(20, random);
  bytes[10] = bytes[11] = 0;
  const std::uint16_t checksum = internet_checksum(bytes.data(), 20);
  std::memcpy(&bytes[10], &checksum, 2);
  EXPECT_EQ(fold(ones_sum(bytes.data(), 20)), 0xffff);
}

TEST(UpdateChecksum, OfTheExamplesInRfc1624) {
  // Section 4: HC = dd2f, m = 5555, m' = 3285; equation 3 gives 0000 where equation 2 of RFC 1141 gave ffff.
  EXPECT_EQ(update_checksum(0xdd2f, 0x5555, 0x3285), 0x0000);
}

TEST(UpdateChecksum, IsACompleteOneForEveryChangeOfAWord) {
  std::mt19937 random(4);
  for (int round = 0; round < 2000; ++round) {
    Bytes bytes = random_bytes(20, random);
    const std::uint16_t checksum = internet_checksum(bytes.data(), 20);
    std::uint16_t before;
    std::memcpy(&before, &bytes[4], 2);
    const auto after = static_cast<std::uint16_t>(round < 1000 ? random() : (round % 2 != 0 ? 0xffff : 0));
    std::memcpy(&bytes[4], &after, 2);
    const std::uint16_t updated = update_checksum(checksum, before, after);
    EXPECT_EQ(updated, internet_checksum(bytes.data(), 20));
  }
}

TEST(UpdateChecksum, OfA32BitFieldIsThatOfItsTwoWords) {
  std::mt19937 random(5);
  for (int round = 0; round < 2000; ++round) {
    Bytes bytes = random_bytes(20, random);
    const std::uint16_t checksum = internet_checksum(bytes.data(), 20);
    std::uint32_t before;
    std::memcpy(&before, &bytes[12], 4);
    const auto after = static_cast<std::uint32_t>(random());
    std::memcpy(&bytes[12], &after, 4);
    EXPECT_EQ(update_checksum32(checksum, before, after), internet_checksum(bytes.data(), 20));
  }
}

TEST(PseudoHeader, AddsAddressesProtocolAndLength) {
  // A UDP packet by hand: 10.0.0.1:1 -> 10.0.0.2:2, length 8, no data. Words of pseudo-header and header:
  // 0a00 0001 0a00 0002 0011 0008 + 0001 0002 0008 0000 = 1427, complemented ebd8.
  IPv4Header ip{};
  ip.source = IPv4Address::from_host(0x0a000001);
  ip.destination = IPv4Address::from_host(0x0a000002);
  const Bytes udp{0, 1, 0, 2, 0, 8, 0, 0};
  EXPECT_EQ(swap_network(internet_checksum(udp.data(), 8, pseudo_header_sum(ip, 17, 8))), 0xebd8);
}

}  // namespace
}  // namespace packetmill
