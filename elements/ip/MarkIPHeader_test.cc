#include <gmock/gmock.h>

#include "tests/support/packets.h"

// Elements that set metadata: MarkIPHeader, GetIPAddress, SetIPAddress; and DropBroadcasts, which looks at it.
namespace packetmill::testing {
namespace {

TEST(MarkIPHeader, MarksWithoutChecking) {
  ElementTest test("MarkIPHeader");
  test.push(0, hex("f6"));  // version 15, header length 24
  const auto out = test.output();
  EXPECT_EQ(out.at(0).network_offset, 0);
  EXPECT_EQ(out.at(0).transport_offset, 24);
  EXPECT_EQ(out.at(0).get<DestinationAddress>(), IPv4Address{});
}

TEST(MarkIPHeader, AtAnOffset) {
  ElementTest test("MarkIPHeader", "14");
  test.push(0, ethernet(udp(1, 2)));
  const auto out = test.output();
  EXPECT_EQ(out.at(0).network_offset, 14);
  EXPECT_EQ(out.at(0).transport_offset, 34);
}

TEST(MarkIPHeader, LeavesAPacketThatEndsBeforeWithoutMarks) {
  ElementTest test("MarkIPHeader", "14");
  test.push(0, counting(14));
  EXPECT_EQ(test.output().at(0).network_offset, -1);
}

TEST(GetIPAddress, CopiesFromAnOffset) {
  ElementTest test("GetIPAddress", "16");
  test.push(0, {udp(1, 2), counting(19)});
  const auto out = test.output();
  EXPECT_EQ(out.at(0).get<DestinationAddress>(), ip("10.0.1.2"));
  EXPECT_EQ(out.at(1).get<DestinationAddress>(), IPv4Address{});
}

TEST(GetIPAddress, CopiesSourceOrDestination) {
  ElementTest source("GetIPAddress", "IP src");
  source.push(0, {marked(udp(1, 2)), TestPacket(udp(1, 2))});
  const auto out = source.output();
  EXPECT_EQ(out.at(0).get<DestinationAddress>(), ip("10.0.0.1"));
  EXPECT_EQ(out.at(1).get<DestinationAddress>(), IPv4Address{}) << "without a network header";
  ElementTest destination("GetIPAddress", "IP dst");
  destination.push(0, marked(udp(1, 2)));
  EXPECT_EQ(destination.output().at(0).get<DestinationAddress>(), ip("10.0.1.2"));
}

TEST(GetIPAddress, ToAnotherAnnotation) {
  ElementTest test("GetIPAddress", "12, 24");
  test.push(0, udp(1, 2));
  const auto out = test.output();
  EXPECT_EQ(out.at(0).get<DestinationAddress>(), IPv4Address{});
  EXPECT_EQ(out.at(0).get<ExtraPackets>(), ip("10.0.0.1").network) << "the field at offset 24";
}

TEST(GetIPAddress, MistakesInTheConfiguration) {
  EXPECT_EQ(ElementTest("GetIPAddress").errors(), "OFFSET: required argument missing\n");
  EXPECT_EQ(ElementTest("GetIPAddress", "IP foo").errors(),
            "IP: should be 'src' or 'dst'\nOFFSET: required argument missing\n");
  EXPECT_EQ(ElementTest("GetIPAddress", "16, IP src").errors(), "give either OFFSET or IP\n");
  EXPECT_EQ(ElementTest("GetIPAddress", "16, 46").errors(), "ANNO: out of range, bound 44\n");
  EXPECT_EQ(ElementTest("GetIPAddress", "16, 20/2").errors(), "ANNO: an address takes 4 bytes, not 2\n");
}

TEST(SetIPAddress, SetsTheAnnotationAndMayBeChanged) {
  ElementTest test("SetIPAddress", "1.2.3.4");
  test.push(0, counting(1));
  EXPECT_EQ(test.output().at(0).get<DestinationAddress>(), ip("1.2.3.4"));
  EXPECT_EQ(test.read("addr"), "1.2.3.4");
  EXPECT_EQ(test.write("addr", "5.6.7.8"), "");
  EXPECT_NE(test.write("addr", "5.6.7"), "");
  EXPECT_EQ(test.read("addr"), "5.6.7.8");
  test.push(0, counting(1));
  EXPECT_EQ(test.output().at(0).get<DestinationAddress>(), ip("5.6.7.8"));
}

TEST(SetIPAddress, SetsAnotherAnnotation) {
  ElementTest test("SetIPAddress", "1.2.3.4, ANNO 28");
  test.push(0, counting(1));
  EXPECT_EQ(test.output().at(0).get<ExtraLength>(), ip("1.2.3.4").network);
}

TEST(DropBroadcasts, SendsBroadcastsAndMulticastsToOutput1) {
  ElementTest test("DropBroadcasts");
  const auto of = [](PacketKind kind) { return TestPacket(Bytes{static_cast<std::uint8_t>(kind)}).set<Kind>(kind); };
  test.push(0, {of(PacketKind::host), of(PacketKind::broadcast), of(PacketKind::multicast), of(PacketKind::other_host),
                of(PacketKind::outgoing)});
  EXPECT_EQ(test.output(0),
            (std::vector<TestPacket>{of(PacketKind::host), of(PacketKind::other_host), of(PacketKind::outgoing)}));
  EXPECT_EQ(test.output(1), (std::vector<TestPacket>{of(PacketKind::broadcast), of(PacketKind::multicast)}));
  EXPECT_EQ(test.read("drops"), "2");
}

TEST(DropBroadcasts, DropsThemWhereOutput1IsNotConnected) {
  ElementTest test("DropBroadcasts", "", {.outputs = 1});
  test.push(0, TestPacket(counting(1)).set<Kind>(PacketKind::broadcast));
  EXPECT_EQ(test.drops("link_broadcast"), 1);
}

}  // namespace
}  // namespace packetmill::testing
