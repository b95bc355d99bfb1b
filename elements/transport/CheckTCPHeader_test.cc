#include <gmock/gmock.h>

#include "tests/support/packets.h"

// CheckTCPHeader, CheckUDPHeader and CheckICMPHeader.
namespace packetmill::testing {
namespace {

using ::testing::ElementsAre;

/// `packet` with one byte changed.
Bytes with(Bytes packet, std::size_t byte, std::uint8_t value) {
  packet.at(byte) = value;
  return packet;
}
/// The first `length` bytes of `packet`.
TestPacket cut(Bytes packet, std::size_t length) {
  packet.resize(length);
  return TestPacket(packet).at(-1, 0);
}

/// What a checker says of one packet: "good", or the reason for which it is dropped where output 1 is not connected.
/// Where it is connected, the packet must come out of it unchanged.
std::string verdict(const std::string& checker, const TestPacket& packet, const std::string& configuration = {}) {
  ElementTest test(checker, configuration);
  test.push(0, packet);
  const bool good = test.output(0) == std::vector<TestPacket>{packet};
  const bool bad = test.output(1) == std::vector<TestPacket>{packet};
  EXPECT_NE(good, bad);
  EXPECT_EQ(test.read("count"), good ? "1" : "0");
  EXPECT_EQ(test.read("drops"), bad ? "1" : "0");

  ElementTest dropping(checker, configuration, {.outputs = 1});
  dropping.push(0, packet);
  if (good) return "good";
  for (const engine::DropCount& drop : dropping.router().find("element")->drops())
    if (drop.count == 1) return std::string(drop.reason);
  return "not dropped";
}

/// A TCP segment by hand, RFC 9293, 3.1: ports 1 and 2, sequence 0, acknowledgement 0, offset 5, no flag, window 0.
/// Its sum with the pseudo-header: 0a00 + 0001 + 0a00 + 0102 + 0006 + 0014 + 0001 + 0002 + 5000 = 0x6520, complement
/// 0x9adf.
const Bytes kTcp =
    hex("45000028 00000000 4006ffff 0a000001 0a000102"
        "00010002 00000000 00000000 50000000 9adf0000");

TEST(CheckTCPHeader, GoodAndBadSegments) {
  EXPECT_EQ(verdict("CheckTCPHeader", marked(kTcp)), "good");
  EXPECT_EQ(verdict("CheckTCPHeader", marked(tcp(80, 1024, kTcpSyn, counting(7)))), "good");
  EXPECT_EQ(verdict("CheckTCPHeader", marked(tcp(1, 2, kTcpAck, {}, {.options = hex("01010101")}))), "good");
  EXPECT_EQ(verdict("CheckTCPHeader", TestPacket(kTcp)), "not_tcp") << "no network header";
  EXPECT_EQ(verdict("CheckTCPHeader", marked(udp(1, 2))), "not_tcp");
  EXPECT_EQ(verdict("CheckTCPHeader", marked(with(kTcp, 32, 0x40))), "bad_packet_length") << "header of 16 bytes";
  EXPECT_EQ(verdict("CheckTCPHeader", marked(with(kTcp, 32, 0x60))), "bad_packet_length") << "header of 24 bytes";
  EXPECT_EQ(verdict("CheckTCPHeader", marked(with(kTcp, 3, 39))), "bad_packet_length") << "IP length too short";
  EXPECT_EQ(verdict("CheckTCPHeader", cut(kTcp, 39)), "bad_packet_length") << "packet too short";
  EXPECT_EQ(verdict("CheckTCPHeader", marked(with(kTcp, 0, 0x44))), "bad_packet_length") << "IP header of 16 bytes";
  EXPECT_EQ(verdict("CheckTCPHeader", marked(with(kTcp, 24, 1))), "bad_tcp_checksum");
  EXPECT_EQ(verdict("CheckTCPHeader", marked(with(kTcp, 12, 1))), "bad_tcp_checksum") << "in the pseudo-header";
  EXPECT_EQ(verdict("CheckTCPHeader", marked(with(kTcp, 24, 1)), "CHECKSUM false"), "good");
}

TEST(CheckUDPHeader, GoodAndBadDatagrams) {
  const Bytes good = udp(1, 2, counting(5));
  EXPECT_EQ(verdict("CheckUDPHeader", marked(good)), "good");
  EXPECT_EQ(verdict("CheckUDPHeader", marked(udp(1, 2, {}))), "good");
  Bytes unprotected = with(with(good, 26, 0), 27, 0);
  EXPECT_EQ(verdict("CheckUDPHeader", marked(unprotected)), "good") << "RFC 768: no checksum";
  EXPECT_EQ(verdict("CheckUDPHeader", TestPacket(good)), "not_udp");
  EXPECT_EQ(verdict("CheckUDPHeader", marked(kTcp)), "not_udp");
  EXPECT_EQ(verdict("CheckUDPHeader", cut(good, 27)), "bad_packet_length");
  EXPECT_EQ(verdict("CheckUDPHeader", cut(good, 32)), "bad_packet_length");
  EXPECT_EQ(verdict("CheckUDPHeader", marked(with(good, 25, 7))), "bad_packet_length") << "less than a header";
  EXPECT_EQ(verdict("CheckUDPHeader", marked(with(good, 25, 14))), "bad_packet_length") << "more than there is";
  EXPECT_EQ(verdict("CheckUDPHeader", marked(with(good, 28, 9))), "bad_udp_checksum");
  EXPECT_EQ(verdict("CheckUDPHeader", marked(with(good, 28, 9)), "CHECKSUM false"), "good");
}

TEST(CheckICMPHeader, GoodAndBadMessages) {
  // By hand: 0800 + 0001 + 0002 = 0x0803, complement 0xf7fc.
  EXPECT_EQ(verdict("CheckICMPHeader", marked(ipv4(1, hex("0800f7fc 00010002")))), "good");
  EXPECT_EQ(verdict("CheckICMPHeader", marked(ipv4(1, hex("0800f7fb 00010002")))), "bad_icmp_checksum");
  EXPECT_EQ(verdict("CheckICMPHeader", marked(icmp(kIcmpEcho, 0, 1, counting(3)))), "good");
  EXPECT_EQ(verdict("CheckICMPHeader", TestPacket(icmp(kIcmpEcho, 0))), "not_icmp");
  EXPECT_EQ(verdict("CheckICMPHeader", marked(kTcp)), "not_icmp");
  EXPECT_EQ(verdict("CheckICMPHeader", marked(ipv4(1, counting(7)))), "bad_packet_length");
  for (const std::uint8_t type :
       {kIcmpUnreachable, kIcmpSourceQuench, kIcmpRedirect, kIcmpTimeExceeded, kIcmpParameterProblem}) {
    EXPECT_EQ(verdict("CheckICMPHeader", marked(icmp(type, 0, 0, counting(20)))), "good") << int{type};
    EXPECT_EQ(verdict("CheckICMPHeader", marked(icmp(type, 0, 0, counting(19)))), "bad_packet_length") << int{type};
  }
  for (const std::uint8_t type : {kIcmpTimestamp, kIcmpTimestampReply}) {
    EXPECT_EQ(verdict("CheckICMPHeader", marked(icmp(type, 0, 0, counting(12)))), "good") << int{type};
    EXPECT_EQ(verdict("CheckICMPHeader", marked(icmp(type, 0, 0, counting(11)))), "bad_packet_length") << int{type};
  }
}

TEST(CheckTransportHeaders, DetailsAndMessages) {
  struct Checker {
    const char* name;
    const char* protocol;
  };
  for (const Checker& checker :
       {Checker{"CheckTCPHeader", "TCP"}, Checker{"CheckUDPHeader", "UDP"}, Checker{"CheckICMPHeader", "ICMP"}}) {
    const std::string protocol = checker.protocol;
    const std::string line = "element: " + protocol + " header check failed: not " + protocol;
    ElementTest test(checker.name, "DETAILS true");
    test.push(0, {TestPacket(), TestPacket()});
    EXPECT_THAT(test.messages(), ElementsAre(line));
    EXPECT_EQ(test.read("drop_details"),
              "2\tnot " + protocol + "\n0\tbad packet length\n0\tbad " + protocol + " checksum\n");
    ElementTest verbose(checker.name, "VERBOSE true");
    verbose.push(0, {TestPacket(), TestPacket()});
    EXPECT_THAT(verbose.messages(), ElementsAre(line, line));
    EXPECT_FALSE(verbose.router().read("element.drop_details").ok);
  }
}

}  // namespace
}  // namespace packetmill::testing
