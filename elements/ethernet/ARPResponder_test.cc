#include <gmock/gmock.h>

#include "elements/ethernet/arp_entry.h"
#include "tests/support/packets.h"

namespace packetmill::testing {
namespace {

using Packets = std::vector<TestPacket>;

constexpr const char* kAsker = "00:00:00:00:00:0b";

Bytes query(std::string_view address) { return arp(kArpRequest, kAsker, "10.0.0.9", "0:0:0:0:0:0", address); }
Bytes reply(std::string_view address, std::string_view ethernet) {
  return arp(kArpReply, ethernet, address, kAsker, "10.0.0.9");
}

TEST(ARPResponder, AnswersForItsAddresses) {
  ElementTest test("ARPResponder", "10.0.0.1 00:00:00:00:00:0a");
  Bytes padded = query("10.0.0.1");
  padded.resize(60);
  test.push(0, TestPacket(padded).set<VlanTci>(7).set<PaintColor>(3));
  const Packets out = test.output(0);
  EXPECT_EQ(out, Packets{hex("00000000000b 00000000000a 0806"
                             "0001 0800 06 04 0002 00000000000a 0a000001 00000000000b 0a000009")});
  EXPECT_EQ(out.at(0).get<VlanTci>(), 7);
  EXPECT_EQ(out.at(0).get<PaintColor>(), 0);
}

TEST(ARPResponder, AnswersForNetworksMostSpecificFirst) {
  ElementTest test("ARPResponder",
                   "10/8 11.0.0.0/255.0.0.0 1:1:1:1:1:1, 10.1.0.0/16 2:2:2:2:2:2, 10.1.1.1 3:3:3:3:3:3");
  test.push(0, {query("10.2.0.1"), query("11.1.1.1"), query("10.1.0.1"), query("10.1.1.1")});
  EXPECT_EQ(test.output(0), (Packets{reply("10.2.0.1", "1:1:1:1:1:1"), reply("11.1.1.1", "1:1:1:1:1:1"),
                                     reply("10.1.0.1", "2:2:2:2:2:2"), reply("10.1.1.1", "3:3:3:3:3:3")}));
}

TEST(ARPResponder, WhatItCannotAnswerTakesTheSecondOutput) {
  ElementTest test("ARPResponder", "10.0.0.1 1:1:1:1:1:1");
  const Bytes request = query("10.0.0.1");
  Packets others{query("10.0.0.2"), reply("10.0.0.1", "4:4:4:4:4:4")};
  for (std::size_t length = 0; length < request.size(); ++length)
    others.push_back(Bytes(request.begin(), request.begin() + static_cast<std::ptrdiff_t>(length)));
  for (std::size_t at = 12; at < 22; ++at) {
    Bytes wrong = request;
    wrong[at] ^= 0x40;
    others.push_back(wrong);
  }
  test.push(0, others);
  EXPECT_EQ(test.output(1), others);
  EXPECT_THAT(test.output(0), ::testing::IsEmpty());
}

TEST(ARPResponder, HandlersChangeTheTableBetweenPackets) {
  ElementTest test("ARPResponder", "10/8 1:1:1:1:1:1");
  EXPECT_EQ(test.write("add", "10.1.0.0/16 10.2.2.2 2:2:2:2:2:2"), "");
  EXPECT_EQ(test.read("table"),
            "10.2.2.2/32 02-02-02-02-02-02\n10.1.0.0/16 02-02-02-02-02-02\n10.0.0.0/8 01-01-01-01-01-01\n");
  EXPECT_EQ(test.read("lookup", "10.1.2.3"), "02-02-02-02-02-02");
  EXPECT_EQ(test.read("lookup", "11.1.2.3"), "");
  EXPECT_EQ(test.router().read("element.lookup", "x").text, "expected IP address");
  EXPECT_EQ(test.write("add", "10.1.0.0/16 3:3:3:3:3:3"), "");
  test.push(0, TestPacket(query("10.1.0.1")));
  EXPECT_EQ(test.output(0), Packets{reply("10.1.0.1", "3:3:3:3:3:3")});
  EXPECT_EQ(test.write("remove", "10.1.0.0/16"), "");
  EXPECT_EQ(test.write("remove", "10.1.0.0/16"), "10.1.0.0/16 not found");
  test.push(0, TestPacket(query("10.1.0.1")));
  EXPECT_EQ(test.output(0), Packets{reply("10.1.0.1", "1:1:1:1:1:1")});
}

TEST(ARPResponder, EveryArgumentNeedsPrefixesAndOneEthernetAddress) {
  for (const char* wrong : {"10.0.0.1", "1:1:1:1:1:1", "10.0.0.1 1:1:1:1:1:1 2:2:2:2:2:2", "nobody 1:1:1:1:1:1"})
    EXPECT_EQ(ElementTest("ARPResponder", wrong).errors(), "argument should be 'IP/MASK [IP/MASK...] ETH'\n") << wrong;
}

TEST(ARPResponder, OneNameMayStandForBoth) {
  struct OneHost final : Names {
    std::optional<IPv4Address> find_ipv4(std::string_view) const override { return ip("10.0.0.1"); }
    std::optional<IPv4Prefix> find_ipv4_prefix(std::string_view) const override {
      return IPv4Prefix{ip("10.0.0.1"), ip("255.0.0.0")};
    }
    std::optional<EthernetAddress> find_ethernet(std::string_view) const override { return ether("1:1:1:1:1:1"); }
  };
  std::vector<ArpEntry> entries;
  EXPECT_FALSE(parse_arp_entries("eth0", OneHost(), entries));
  EXPECT_FALSE(parse_arp_entries("eth0:ipnet 2:2:2:2:2:2", OneHost(), entries));
  EXPECT_EQ(to_string(entries.at(0).prefix), "10.0.0.1/32");
  EXPECT_EQ(entries.at(0).ethernet, ether("1:1:1:1:1:1"));
  EXPECT_EQ(to_string(entries.at(1).prefix), "10.0.0.0/8");
}

}  // namespace
}  // namespace packetmill::testing
