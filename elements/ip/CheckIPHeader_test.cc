#include <gmock/gmock.h>

#include "tests/support/packets.h"

namespace packetmill::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

/// RFC 791, 3.1, by hand: 4500 + 001c + 0001 + 0000 + 4011 + 0a00 + 0001 + 0a00 + 0102 = 0x9a31, complement 0x65ce.
const Bytes kGood = hex("4500001c 00010000 401165ce 0a000001 0a000102 0001000200080000");

TEST(CheckIPHeader, NotesWhereTheHeadersAreAndTheDestination) {
  ElementTest test("CheckIPHeader");
  test.push(0, kGood);
  const auto out = test.output(0);
  ASSERT_EQ(out, std::vector<TestPacket>{kGood});
  EXPECT_EQ(out[0].network_offset, 0);
  EXPECT_EQ(out[0].transport_offset, 20);
  EXPECT_EQ(out[0].get<DestinationAddress>(), ip("10.0.1.2"));
  EXPECT_EQ(test.read("count"), "1");
  EXPECT_EQ(test.read("drops"), "0");
}

TEST(CheckIPHeader, TransportHeaderComesAfterTheOptions) {
  ElementTest test("CheckIPHeader");
  test.push(0, udp(1, 2, counting(8), {.options = hex("01010100")}));
  EXPECT_EQ(test.output(0).at(0).transport_offset, 24);
}

TEST(CheckIPHeader, CutsOffWhatIsBehindTheTotalLength) {
  ElementTest test("CheckIPHeader");
  Bytes padded = kGood;
  padded.resize(46);
  test.push(0, padded);
  EXPECT_EQ(test.output(0), std::vector<TestPacket>{kGood});
}

TEST(CheckIPHeader, OffsetMayBeGivenByPlaceOrByName) {
  for (const char* configuration : {"14", "OFFSET 14", "14, VERBOSE true"}) {
    ElementTest test("CheckIPHeader", configuration);
    Bytes frame = ethernet(kGood);
    const Bytes unpadded = frame;
    frame.resize(60);
    test.push(0, frame);
    const auto out = test.output(0);
    ASSERT_EQ(out, std::vector<TestPacket>{unpadded}) << configuration;
    EXPECT_EQ(out[0].network_offset, 14);
    EXPECT_EQ(out[0].transport_offset, 34);
  }
}

struct Fault {
  const char* reason;
  Bytes packet;
};
std::vector<Fault> faults() {
  std::vector<Fault> result;
  const auto wrong = [&](const char* reason, std::size_t byte, std::uint8_t value) {
    Bytes packet = kGood;
    packet[byte] = value;
    result.push_back({reason, packet});
  };
  result.push_back({"tiny_packet", {}});
  result.push_back({"tiny_packet", Bytes(kGood.begin(), kGood.begin() + 19)});
  wrong("bad_ip_version", 0, 0x65);
  wrong("bad_ip_header_length", 0, 0x44);
  wrong("bad_ip_length", 0, 0x4f);  // a header of 60 bytes in a packet of 28
  wrong("bad_ip_length", 3, 29);
  wrong("bad_ip_length", 3, 19);
  wrong("bad_ip_checksum", 8, 63);
  return result;
}

TEST(CheckIPHeader, EachFaultGoesToOutput1Unchanged) {
  for (const Fault& fault : faults()) {
    ElementTest test("CheckIPHeader");
    test.push(0, fault.packet);
    EXPECT_THAT(test.output(0), IsEmpty()) << fault.reason;
    EXPECT_EQ(test.output(1), std::vector<TestPacket>{fault.packet}) << fault.reason;
    EXPECT_EQ(test.read("drops"), "1");
    EXPECT_EQ(test.read("count"), "0");
  }
}

TEST(CheckIPHeader, EachFaultIsADropReasonWhereOutput1IsNotConnected) {
  for (const Fault& fault : faults()) {
    ElementTest test("CheckIPHeader", "", {.outputs = 1});
    test.push(0, fault.packet);
    EXPECT_EQ(test.drops(fault.reason), 1);
  }
}

TEST(CheckIPHeader, DropDetailsCountsByReasonWhereDetailsAreAskedFor) {
  ElementTest test("CheckIPHeader", "DETAILS true");
  for (const Fault& fault : faults()) test.push(0, fault.packet);
  EXPECT_EQ(test.read("drop_details"),
            "2\ttiny packet\n1\tbad IP version\n1\tbad IP header length\n3\tbad IP length\n1\tbad IP checksum\n"
            "0\tbad source address\n");
  EXPECT_FALSE(ElementTest("CheckIPHeader").router().read("element.drop_details").ok);
}

TEST(CheckIPHeader, TellsOfTheFirstBadPacketOrOfAllOfThem) {
  const std::string line = "element: IP header check failed: tiny packet";
  ElementTest quiet("CheckIPHeader");
  quiet.push(0, {TestPacket(), TestPacket()});
  EXPECT_THAT(quiet.messages(), ElementsAre(line));
  ElementTest verbose("CheckIPHeader", "VERBOSE true");
  verbose.push(0, {TestPacket(), TestPacket()});
  EXPECT_THAT(verbose.messages(), ElementsAre(line, line));
}

TEST(CheckIPHeader, ChecksumMayBeLeftAlone) {
  ElementTest test("CheckIPHeader", "CHECKSUM false");
  Bytes packet = kGood;
  packet[10] ^= 0xff;
  test.push(0, packet);
  EXPECT_EQ(test.output(0).size(), 1);
}

TEST(CheckIPHeader, ChecksumCoversTheOptions) {
  ElementTest test("CheckIPHeader");
  Bytes packet = udp(1, 2, counting(8), {.options = hex("01010100")});
  packet[22] = 0;
  test.push(0, packet);
  EXPECT_EQ(test.output(1).size(), 1);
}

/// Whether a packet passes CheckIPHeader(configuration).
bool passes(const std::string& configuration, std::string_view source, std::string_view destination) {
  ElementTest test("CheckIPHeader", configuration, {.outputs = 1});
  EXPECT_EQ(test.errors(), "");
  test.push(0, udp(1, 2, {}, {.source = source, .destination = destination}));
  const bool passed = test.output(0).size() == 1;
  EXPECT_EQ(test.drops("bad_source_address"), passed ? 0 : 1);
  return passed;
}

TEST(CheckIPHeader, BadSourcesAreRefusedUnlessTheDestinationIsGood) {
  const std::string configuration = "BADSRC 1.0.0.255 2.0.0.255, GOODDST 3.0.0.1";
  EXPECT_TRUE(passes(configuration, "1.0.0.1", "5.0.0.1"));
  EXPECT_FALSE(passes(configuration, "1.0.0.255", "5.0.0.1"));
  EXPECT_FALSE(passes(configuration, "2.0.0.255", "5.0.0.1"));
  EXPECT_TRUE(passes(configuration, "2.0.0.255", "3.0.0.1"));
  EXPECT_TRUE(passes(configuration, "255.255.255.255", "5.0.0.1"));
}

TEST(CheckIPHeader, InterfacesGiveBadSourcesAndGoodDestinations) {
  // The manual's example: BADSRC 18.26.4.255 18.32.9.47 0.0.0.0 255.255.255.255, GOODDST 18.26.4.9 18.32.9.44.
  const std::string configuration = "INTERFACES 18.26.4.9/24 18.32.9.44/28";
  for (const char* bad : {"18.26.4.255", "18.32.9.47", "0.0.0.0", "255.255.255.255"}) {
    EXPECT_FALSE(passes(configuration, bad, "5.0.0.1")) << bad;
    EXPECT_TRUE(passes(configuration, bad, "18.26.4.9"));
    EXPECT_TRUE(passes(configuration, bad, "18.32.9.44"));
  }
  EXPECT_TRUE(passes(configuration, "18.26.4.254", "5.0.0.1"));
  // RFC 3021: no broadcast address here.
  EXPECT_TRUE(passes("INTERFACES 18.26.4.9/32", "18.26.4.9", "5.0.0.1"));
}

TEST(CheckIPHeader, OldSyntaxTakesBadSourcesThenTheOffset) {
  EXPECT_FALSE(passes("18.26.4.255", "18.26.4.255", "5.0.0.1"));
  EXPECT_FALSE(passes("18.26.4.255 18.32.9.47", "18.32.9.47", "5.0.0.1"));
  EXPECT_FALSE(passes("\"18.26.4.255 18.32.9.47\", 0", "18.32.9.47", "5.0.0.1"));
  EXPECT_FALSE(passes("18.26.4.255", "0.0.0.0", "5.0.0.1"));
  EXPECT_TRUE(passes("18.26.4.255", "18.26.4.1", "5.0.0.1"));
  ElementTest test("CheckIPHeader", "18.26.4.255, 14");
  test.push(0, ethernet(kGood));
  EXPECT_EQ(test.output(0).at(0).network_offset, 14);
}

TEST(CheckIPHeader, MistakesInTheConfiguration) {
  EXPECT_EQ(ElementTest("CheckIPHeader", "BADSRC 1.2.3.4 1.2.3").errors().substr(0, 15), "BADSRC: '1.2.3'");
  EXPECT_EQ(ElementTest("CheckIPHeader", "CHEKSUM false").errors(), "CHEKSUM: unknown argument\n");
  EXPECT_EQ(ElementTest("CheckIPHeader", "14, 20").errors(), "too many arguments\n");
}

TEST(CheckIPHeader2, LeavesTheChecksumAloneUnlessToldTo) {
  Bytes packet = kGood;
  packet[10] ^= 0xff;
  ElementTest test("CheckIPHeader2");
  test.push(0, packet);
  EXPECT_EQ(test.output(0).size(), 1);
  ElementTest strict("CheckIPHeader2", "CHECKSUM true");
  strict.push(0, packet);
  EXPECT_EQ(strict.output(1).size(), 1);
}

}  // namespace
}  // namespace packetmill::testing
