#include <gmock/gmock.h>

#include "tests/support/packets.h"

namespace packetmill::testing {
namespace {

TEST(DecIPTTL, DecrementsAndKeepsTheChecksumRight) {
  ElementTest test("DecIPTTL");
  test.push(0, marked(udp(1, 2, counting(8), {.ttl = 64})));
  EXPECT_EQ(test.output(0), std::vector<TestPacket>{udp(1, 2, counting(8), {.ttl = 63})});
}

TEST(DecIPTTL, SendsExpiredPacketsUnchangedToItsSecondOutput) {
  ElementTest test("DecIPTTL");
  for (const std::uint8_t ttl : {0, 1}) {
    const Bytes packet = udp(1, 2, counting(8), {.ttl = ttl});
    test.push(0, marked(packet));
    EXPECT_EQ(test.output(1), std::vector<TestPacket>{packet});
  }
  EXPECT_THAT(test.output(0), ::testing::IsEmpty());
  EXPECT_EQ(test.read("drops"), "2");
}

TEST(DecIPTTL, DropsExpiredPacketsWhereTheSecondOutputIsNotConnected) {
  ElementTest test("DecIPTTL", "", {.outputs = 1});
  test.push(0, marked(udp(1, 2, {}, {.ttl = 1})));
  EXPECT_EQ(test.drops("output_not_connected"), 1);
}

TEST(DecIPTTL, LeavesMulticastAloneWhenToldTo) {
  ElementTest test("DecIPTTL", "MULTICAST false");
  const Bytes packet = udp(1, 2, {}, {.destination = "224.0.0.1", .ttl = 1});
  test.push(0, marked(packet));
  EXPECT_EQ(test.output(0), std::vector<TestPacket>{packet});
}

TEST(DecIPTTL, LeavesTheChecksumAloneWhenToldTo) {
  ElementTest test("DecIPTTL", "CALC_CHECKSUM false");
  Bytes packet = udp(1, 2, {}, {.ttl = 64});
  test.push(0, marked(packet));
  packet[8] = 63;
  EXPECT_EQ(test.output(0), std::vector<TestPacket>{packet});
}

TEST(DecIPTTL, ChecksumOfAllOnesIsNeverWritten) {
  // RFC 1624, section 4: a header whose checksum becomes zero must not get 0xffff. Every identification is tried, so
  // the wrap is among them.
  ElementTest test("DecIPTTL");
  std::vector<TestPacket> packets;
  for (unsigned id = 0; id < 65536; ++id)
    packets.push_back(marked(ipv4(59, {}, {.identification = static_cast<std::uint16_t>(id)})));
  test.push(0, packets);
  const auto out = test.output(0);
  ASSERT_EQ(out.size(), 65536);
  for (const TestPacket& packet : out) {
    ASSERT_TRUE(checksums_right(packet.bytes));
    ASSERT_FALSE(packet.bytes[10] == 0xff && packet.bytes[11] == 0xff);
  }
}

TEST(DecIPTTL, ActiveIsReadableAndWritable) {
  ElementTest test("DecIPTTL");
  EXPECT_EQ(test.write("active", "false"), "");
  EXPECT_EQ(test.read("active"), "false");
  const Bytes packet = udp(1, 2, {}, {.ttl = 1});
  test.push(0, marked(packet));
  EXPECT_EQ(test.output(0), std::vector<TestPacket>{packet});
}

TEST(DecIPTTL, DropsWhatHasNoIPHeader) {
  ElementTest test("DecIPTTL");
  test.push(0, TestPacket(counting(10)));
  EXPECT_EQ(test.drops("no_ip_header"), 1);
}

TEST(DecIPTTL, UnknownKeywordIsAnErrorWithAHint) {
  ElementTest test("DecIPTTL", "MULTICATS false");
  EXPECT_EQ(test.errors(), "MULTICATS: unknown argument\n");
}

}  // namespace
}  // namespace packetmill::testing
