#include <gmock/gmock.h>

#include "tests/support/packets.h"

namespace packetmill::testing {
namespace {

// An IPv4 header alone; the checksum by hand: ~(4500 + 0014 + 403b + 0a00 + 0001 + 0a00 + 0002) = 66ad.
const Bytes kPlain = hex("4500 0014 0000 0000 403b 66ad 0a000001 0a000002");
// With DSCP 46 (expedited forwarding, RFC 3246) the first word is 45b8, and the checksum b8 less.
const Bytes kExpedited = hex("45b8 0014 0000 0000 403b 65f5 0a000001 0a000002");

TEST(SetIPDSCP, SetsTheCodePointAndKeepsTheChecksumRight) {
  ElementTest test("SetIPDSCP", "46");
  test.push(0, TestPacket(kPlain).at(-1, 0));
  EXPECT_EQ(test.output(0), std::vector<TestPacket>{kExpedited});
  EXPECT_EQ(test.read("changed"), "1");
}

TEST(SetIPDSCP, LeavesCongestionNotificationAlone) {
  ElementTest test("SetIPDSCP", "0");
  Bytes marked = kExpedited;
  marked[1] |= 3;
  marked[11] -= 3;
  Bytes expected = kPlain;
  expected[1] = 3;
  expected[11] -= 3;
  test.push(0, TestPacket(marked).at(-1, 0));
  EXPECT_EQ(test.output(0), std::vector<TestPacket>{expected});
}

TEST(SetIPDSCP, TheHandlerChangesIt) {
  ElementTest test("SetIPDSCP", "0");
  EXPECT_EQ(test.write("dscp", "46"), "");
  EXPECT_EQ(test.read("dscp"), "46");
  test.push(0, TestPacket(kPlain).at(-1, 0));
  EXPECT_EQ(test.output(0), std::vector<TestPacket>{kExpedited});
  EXPECT_EQ(test.write("dscp", "64"), "out of range, bound 63");
}

TEST(SetIPDSCP, DropsWhatHasNoIPHeader) {
  ElementTest test("SetIPDSCP", "46");
  test.push(0, TestPacket(Bytes{0x45, 0x00}).at(-1, 0));
  EXPECT_EQ(test.drops("no_ip_header"), 1);
}

TEST(SetIPDSCP, ErrorsOfTheConfiguration) {
  EXPECT_EQ(ElementTest("SetIPDSCP", "").errors(), "DSCP: required argument missing\n");
  EXPECT_EQ(ElementTest("SetIPDSCP", "64").errors(), "DSCP: out of range, bound 63\n");
}

}  // namespace
}  // namespace packetmill::testing
