#include "runtime/values/address.h"

#include <gtest/gtest.h>

#include <type_traits>

namespace packetmill {
namespace {

template <typename T>
constexpr bool is_parameter_type = std::is_trivially_copyable_v<T> && std::is_standard_layout_v<T>;
static_assert(is_parameter_type<IPv4Address> && sizeof(IPv4Address) == 4);
static_assert(is_parameter_type<IPv4Prefix>);
static_assert(is_parameter_type<IPv6Address> && sizeof(IPv6Address) == 16);
static_assert(is_parameter_type<IPv6Prefix>);
static_assert(is_parameter_type<EthernetAddress> && sizeof(EthernetAddress) == 6);

constexpr IPv4Address kMazu = IPv4Address::from_host(0x121a0409);

TEST(IPv4Address, LiesInNetworkOrderAndComparesInHostOrder) {
  constexpr std::array<uint8_t, 4> kInPacket{18, 26, 4, 9};
  EXPECT_EQ(kMazu.network, std::bit_cast<uint32_t>(kInPacket));
  EXPECT_EQ(kMazu.host(), 0x121a0409u);
  EXPECT_LT(IPv4Address::from_host(0x01020304), IPv4Address::from_host(0x02000000));
  EXPECT_EQ(to_string(kMazu), "18.26.4.9");
}

TEST(IPv4Prefix, KnowsItsLengthUnlessItsMaskHasHoles) {
  const IPv4Prefix prefix{kMazu, IPv4Prefix::mask_of_length(24)};
  EXPECT_EQ(prefix.length(), 24);
  EXPECT_EQ(to_string(prefix), "18.26.4.9/24");
  EXPECT_TRUE(prefix.contains(IPv4Address::from_host(0x121a0400)));
  EXPECT_FALSE(prefix.contains(IPv4Address::from_host(0x121a0500)));
  EXPECT_EQ(to_string(prefix.broadcast()), "18.26.4.255");

  const IPv4Prefix holes{kMazu, IPv4Address::from_host(0xff00ff00)};
  EXPECT_EQ(holes.length(), -1);
  EXPECT_EQ(to_string(holes), "18.26.4.9/255.0.255.0");

  EXPECT_EQ(to_string(IPv4Prefix{}), "0.0.0.0/0");
  EXPECT_EQ((IPv4Prefix{kMazu, IPv4Prefix::mask_of_length(32)}.length()), 32);
}

TEST(IPv6Address, PrintsCompressed) {
  EXPECT_EQ(to_string(IPv6Address{}), "::");
  EXPECT_EQ(to_string(IPv6Address{{0x20, 0x01, 0x0d, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1}}), "2001:db8::1");
  EXPECT_EQ(to_string(IPv6Address{{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 1, 2, 3, 4}}), "::ffff:1.2.3.4");
}

TEST(IPv6Prefix, ComparesTheBitsOfItsLengthOnly) {
  constexpr IPv6Prefix prefix{{{0x20, 0x01, 0x0d, 0xb8}}, 29};
  static_assert(prefix.contains({{0x20, 0x01, 0x0d, 0xbf, 1}}));
  static_assert(!prefix.contains({{0x20, 0x01, 0x0d, 0xb0}}));
  static_assert(IPv6Prefix{}.contains(prefix.address));
  EXPECT_EQ(to_string(prefix), "2001:db8::/29");
}

TEST(EthernetAddress, PrintsAsClickDoes) {
  constexpr EthernetAddress address{{0x00, 0x50, 0xba, 0x85, 0x84, 0xa9}};
  static_assert(!address.is_group() && EthernetAddress::broadcast().is_group());
  EXPECT_EQ(to_string(address), "00-50-BA-85-84-A9");
}

}  // namespace
}  // namespace packetmill
