#include <gmock/gmock.h>

#include "tests/support/packets.h"

// EtherEncap, EtherMirror, EtherRewrite, HostEtherFilter, MarkMACHeader.

namespace packetmill::testing {
namespace {

using ::testing::IsEmpty;
using Packets = std::vector<TestPacket>;

const Bytes kFrame = hex("020202020202 010101010101 0800 abcd");

TEST(EtherEncap, PutsTheHeaderInFront) {
  ElementTest test("EtherEncap", "0x0800, 1:1:1:1:1:1, 2:2:2:2:2:2");
  test.push(0, TestPacket(hex("abcd")));
  const Packets out = test.output();
  EXPECT_EQ(out, Packets{kFrame});
  EXPECT_EQ(out.at(0).mac_offset, 0);
}

TEST(EtherEncap, HandlersChangeTheHeaderBetweenPackets) {
  ElementTest test("EtherEncap", "ETHERTYPE 0x0800, SRC 1:1:1:1:1:1, DST 2:2:2:2:2:2");
  EXPECT_EQ(test.read("src"), "01-01-01-01-01-01");
  EXPECT_EQ(test.read("dst"), "02-02-02-02-02-02");
  EXPECT_EQ(test.read("ethertype"), "2048");
  EXPECT_EQ(test.write("src", "3:3:3:3:3:3"), "");
  EXPECT_EQ(test.write("dst", "4:4:4:4:4:4"), "");
  EXPECT_EQ(test.write("ethertype", "0x86dd"), "");
  EXPECT_EQ(test.write("dst", "4:4:4"), "invalid Ethernet address");
  test.push(0, TestPacket(Bytes()));
  EXPECT_EQ(test.output(), Packets{hex("040404040404 030303030303 86dd")});
}

TEST(EtherEncap, ReplaceIsAStripBefore) {
  ElementTest test("EtherEncap", "0x0800, 1:1:1:1:1:1, 2:2:2:2:2:2, REPLACE 4");
  test.push(0, Packets{hex("01234567 abcd"), hex("0123")});
  EXPECT_EQ(test.output(), (Packets{kFrame, hex("020202020202 010101010101 0800")}));
}

TEST(EtherEncap, AllArgumentsAreNeeded) {
  EXPECT_EQ(ElementTest("EtherEncap", "0x0800, 1:1:1:1:1:1").errors(), "DST: required argument missing\n");
}

TEST(EtherMirror, SwapsTheAddresses) {
  ElementTest test("EtherMirror");
  test.push(0, TestPacket(kFrame));
  EXPECT_EQ(test.output(), Packets{hex("010101010101 020202020202 0800 abcd")});
}

TEST(EtherMirror, DropsWhatIsNoFrame) {
  ElementTest test("EtherMirror");
  test.push(0, Packets{Bytes(), counting(13), counting(14)});
  EXPECT_EQ(test.drops("too_short"), 2);
}

TEST(EtherRewrite, WritesTheAddressesAndKeepsTheType) {
  ElementTest test("EtherRewrite", "1:1:1:1:1:1, 2:2:2:2:2:2");
  test.push(0, TestPacket(hex("0a0a0a0a0a0a 0b0b0b0b0b0b 0800 abcd")));
  EXPECT_EQ(test.output(), Packets{kFrame});
  EXPECT_EQ(test.write("src", "3:3:3:3:3:3"), "");
  EXPECT_EQ(test.write("dst", "4:4:4:4:4:4"), "");
  EXPECT_EQ(test.read("src") + test.read("dst"), "03-03-03-03-03-0304-04-04-04-04-04");
  test.push(0, TestPacket(kFrame));
  EXPECT_EQ(test.output(), Packets{hex("040404040404 030303030303 0800 abcd")});
}

TEST(EtherRewrite, DropsWhatIsNoFrame) {
  ElementTest test("EtherRewrite", "1:1:1:1:1:1, 2:2:2:2:2:2");
  test.push(0, TestPacket(counting(13)));
  EXPECT_EQ(test.drops("too_short"), 1);
}

Bytes frame(std::string_view destination, std::string_view source = "9:9:9:9:9:9") {
  return ethernet({}, kEthernetIPv4, destination, source);
}

TEST(HostEtherFilter, MarksWhomAFrameIsForAndFiltersOtherHosts) {
  ElementTest test("HostEtherFilter", "4:4:4:4:4:4");
  test.push(0, {frame("4:4:4:4:4:4", "4:4:4:4:4:4"), frame("ff:ff:ff:ff:ff:ff"), frame("1:0:5e:0:0:1")});
  std::vector<PacketKind> kinds;
  for (const TestPacket& packet : test.output(0)) kinds.push_back(packet.get<Kind>());
  EXPECT_EQ(kinds, (std::vector{PacketKind::host, PacketKind::broadcast, PacketKind::multicast}));
  test.push(0, TestPacket(frame("2:2:2:2:2:2")));
  EXPECT_EQ(test.output(1).at(0).get<Kind>(), PacketKind::other_host);
}

TEST(HostEtherFilter, OwnFramesAreFilteredOnRequest) {
  ElementTest test("HostEtherFilter", "4:4:4:4:4:4, true", {.outputs = 1});
  test.push(0, TestPacket(frame("ff:ff:ff:ff:ff:ff", "4:4:4:4:4:4")));
  EXPECT_THAT(test.output(0), IsEmpty());
  EXPECT_EQ(test.drops("output_not_connected"), 1);
}

TEST(HostEtherFilter, OtherHostsMayPass) {
  ElementTest test("HostEtherFilter", "4:4:4:4:4:4, DROP_OTHER false");
  test.push(0, TestPacket(frame("2:2:2:2:2:2")));
  EXPECT_EQ(test.output(0).at(0).get<Kind>(), PacketKind::other_host);
}

TEST(HostEtherFilter, OffsetSaysWhereTheHeaderBegins) {
  ElementTest test("HostEtherFilter", "4:4:4:4:4:4, OFFSET 2");
  test.push(0, TestPacket(hex("ffff 040404040404 090909090909 0800")));
  EXPECT_EQ(test.output(0).at(0).get<Kind>(), PacketKind::host);
  test.push(0, TestPacket(counting(15)));
  EXPECT_EQ(test.drops("too_short"), 1);
}

TEST(MarkMACHeader, MarksTheStartAndWithLengthTheNetworkHeaderToo) {
  ElementTest without("MarkMACHeader");
  without.push(0, TestPacket(kFrame));
  EXPECT_EQ(without.output().at(0).mac_offset, 0);
  ElementTest test("MarkMACHeader", "1, 14");
  test.push(0, TestPacket(counting(20)));
  const TestPacket out = test.output().at(0);
  EXPECT_EQ(out.mac_offset, 1);
  EXPECT_EQ(out.network_offset, 15);
}

TEST(MarkMACHeader, DropsWhatEndsBeforeTheHeader) {
  ElementTest test("MarkMACHeader", "2, 0xFFFFFFFF");
  test.push(0, Packets{Bytes(), counting(1), counting(2)});
  EXPECT_EQ(test.drops("too_short"), 3);
}

}  // namespace
}  // namespace packetmill::testing
