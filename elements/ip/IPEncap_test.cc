#include <gmock/gmock.h>

#include "tests/support/packets.h"

namespace packetmill::testing {
namespace {

TEST(IPEncap, WritesTheHeaderOfTheManualPage) {
  ElementTest test("IPEncap", "ipip, 18.26.4.24, 140.247.60.147");
  test.push(0, {counting(4), counting(4)});
  // By hand: 4500 + 0018 + 0000 + 0000 + fa04 + 121a + 0418 + 8cf7 + 3c93 = 0x21ed8, folded 0x1eda, complement 0xe125.
  // The second packet's identification is 1, its checksum one less.
  const auto out = test.output();
  ASSERT_EQ(out, (std::vector<TestPacket>{hex("45000018 00000000 fa04e125 121a0418 8cf73c93 00010203"),
                                          hex("45000018 00010000 fa04e124 121a0418 8cf73c93 00010203")}));
  EXPECT_EQ(out[0].network_offset, 0);
  EXPECT_EQ(out[0].transport_offset, 20);
  EXPECT_EQ(out[0].get<DestinationAddress>(), ip("140.247.60.147"));
}

/// Bytes 1 (TOS), 6 (flags) and 8 (TTL) of the header that IPEncap writes.
Bytes fields(const std::string& keywords) {
  ElementTest test("IPEncap", "4, 1.1.1.1, 2.2.2.2, " + keywords);
  test.push(0, Bytes{});
  const auto out = test.output();
  EXPECT_TRUE(checksums_right(out.at(0).bytes));
  return {out.at(0).bytes[1], out.at(0).bytes[6], out.at(0).bytes[8]};
}

TEST(IPEncap, KeywordsFillTheFields) {
  EXPECT_EQ(fields("TTL 3"), hex("00 00 03"));
  EXPECT_EQ(fields("DSCP 63"), hex("fc 00 fa"));
  EXPECT_EQ(fields("ECT true"), hex("01 00 fa"));
  EXPECT_EQ(fields("ECT 2"), hex("02 00 fa"));
  EXPECT_EQ(fields("CE true, DSCP 1"), hex("07 00 fa"));
  EXPECT_EQ(fields("TOS 0xff"), hex("ff 00 fa"));
  EXPECT_EQ(fields("DF true"), hex("00 40 fa"));
}

TEST(IPEncap, DestinationMayComeFromTheAnnotation) {
  ElementTest test("IPEncap", "4, 1.1.1.1, DST_ANNO");
  test.push(0, TestPacket(Bytes{}).set<DestinationAddress>(ip("9.8.7.6")));
  const auto out = test.output();
  EXPECT_EQ(Bytes(out.at(0).bytes.begin() + 16, out.at(0).bytes.end()), hex("09080706"));
  EXPECT_EQ(out.at(0).get<DestinationAddress>(), ip("9.8.7.6"));
}

TEST(IPEncap, AddressesMayBeRewritten) {
  ElementTest test("IPEncap", "4, 1.1.1.1, 2.2.2.2");
  EXPECT_EQ(test.write("src", "3.3.3.3"), "");
  EXPECT_EQ(test.write("dst", "4.4.4.4"), "");
  EXPECT_EQ(test.read("src"), "3.3.3.3");
  EXPECT_EQ(test.read("dst"), "4.4.4.4");
  test.push(0, Bytes{});
  const auto out = test.output();
  EXPECT_EQ(Bytes(out.at(0).bytes.begin() + 12, out.at(0).bytes.end()), hex("03030303 04040404"));
  EXPECT_EQ(test.write("dst", "DST_ANNO"), "");
  EXPECT_EQ(test.read("dst"), "DST_ANNO");
  EXPECT_NE(test.write("dst", "nowhere"), "");
}

TEST(IPEncap, DropsWhatWouldBeTooLong) {
  ElementTest test("IPEncap", "4, 1.1.1.1, 2.2.2.2");
  test.push(0, {counting(65515), counting(65516)});
  EXPECT_EQ(test.output().at(0).bytes.size(), 65535);
  EXPECT_EQ(test.drops("too_long"), 1);
}

TEST(IPEncap, MistakesInTheConfiguration) {
  EXPECT_EQ(ElementTest("IPEncap", "4, 1.1.1.1").errors(), "DST: required argument missing\n");
  EXPECT_EQ(ElementTest("IPEncap", "4, 1.1.1.1, 2.2.2.2, DSCP 64").errors(), "DSCP: out of range, bound 63\n");
  EXPECT_EQ(ElementTest("IPEncap", "4, 1.1.1.1, 2.2.2.2, TOS 1, CE true").errors(),
            "give either TOS, or DSCP, ECT and CE\n");
}

TEST(UDPIPEncap, WritesBothHeaders) {
  ElementTest test("UDPIPEncap", "1.0.0.1, 1234, 2.0.0.2, 4321");
  test.push(0, hex("0001f203f4f5f6f7"));
  // IP by hand: 4500 + 0024 + 0000 + 0000 + fa11 + 0100 + 0001 + 0200 + 0002 = 0x14238, folded 0x4239, complement
  // 0xbdc6. UDP: the data are RFC 1071's example, whose sum is 0xddf2; + 0100 + 0001 + 0200 + 0002 + 0011 + 0010 +
  // 04d2 + 10e1 + 0010 = 0xf6d9, complement 0x0926.
  const auto out = test.output();
  ASSERT_EQ(out, std::vector<TestPacket>{hex("45000024 00000000 fa11bdc6 01000001 02000002"
                                             "04d210e1 00100926 0001f203f4f5f6f7")});
  EXPECT_EQ(out[0].network_offset, 0);
  EXPECT_EQ(out[0].transport_offset, 20);
  EXPECT_EQ(out[0].get<DestinationAddress>(), ip("2.0.0.2"));
}

TEST(UDPIPEncap, ChecksumMayBeLeftOutAndIsNeverZeroOtherwise) {
  ElementTest without("UDPIPEncap", "1.0.0.1, 1, 2.0.0.2, 2, false");
  without.push(0, counting(3));
  const Bytes packet = without.output().at(0).bytes;
  EXPECT_EQ(Bytes(packet.begin() + 26, packet.begin() + 28), hex("0000"));

  // RFC 768: a checksum that is computed as zero is sent as all ones. Some value of these two bytes makes it zero.
  ElementTest with("UDPIPEncap", "1.0.0.1, 1, 2.0.0.2, 2, CHECKSUM true");
  std::vector<TestPacket> packets;
  for (unsigned i = 0; i < 65536; ++i)
    packets.push_back(Bytes{static_cast<std::uint8_t>(i >> 8), static_cast<std::uint8_t>(i)});
  with.push(0, packets);
  int all_ones = 0;
  const auto sent = with.output();
  ASSERT_EQ(sent.size(), 65536);
  for (const TestPacket& out : sent) {
    const unsigned checksum = out.bytes[26] << 8U | out.bytes[27];
    ASSERT_NE(checksum, 0);
    ASSERT_TRUE(checksum == 0xffff || checksums_right(out.bytes));
    all_ones += checksum == 0xffff ? 1 : 0;
  }
  EXPECT_GE(all_ones, 1);
}

TEST(UDPIPEncap, AddressesAndPortsMayBeRewritten) {
  ElementTest test("UDPIPEncap", "1.0.0.1, 1, DST_ANNO, 2");
  EXPECT_EQ(test.read("dst"), "DST_ANNO");
  EXPECT_EQ(test.write("src", "3.0.0.3"), "");
  EXPECT_EQ(test.write("dst", "4.0.0.4"), "");
  EXPECT_EQ(test.write("sport", "7"), "");
  EXPECT_EQ(test.write("dport", "domain"), "");
  EXPECT_EQ(test.read("src") + " " + test.read("sport") + " " + test.read("dst") + " " + test.read("dport"),
            "3.0.0.3 7 4.0.0.4 53");
  test.push(0, Bytes{});
  const Bytes packet = test.output().at(0).bytes;
  EXPECT_EQ(Bytes(packet.begin() + 12, packet.begin() + 24), hex("03000003 04000004 00070035"));
  EXPECT_TRUE(checksums_right(packet));
}

TEST(UDPIPEncap, DropsWhatWouldBeTooLong) {
  ElementTest test("UDPIPEncap", "1.0.0.1, 1, 2.0.0.2, 2");
  test.push(0, {counting(65507), counting(65508)});
  EXPECT_EQ(test.output().at(0).bytes.size(), 65535);
  EXPECT_EQ(test.drops("too_long"), 1);
}

}  // namespace
}  // namespace packetmill::testing
