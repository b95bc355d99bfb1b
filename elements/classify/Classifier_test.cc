#include <gmock/gmock.h>

#include "tests/support/packets.h"

namespace packetmill::testing {
namespace {

using ::testing::IsEmpty;

const Bytes kRequest = arp(kArpRequest, "00:00:00:00:00:01", "1.0.0.1", "00:00:00:00:00:00", "1.0.0.2");
const Bytes kReply = arp(kArpReply, "00:00:00:00:00:01", "1.0.0.1", "00:00:00:00:00:02", "1.0.0.2");

TEST(Classifier, SendsEachPacketToTheFirstPatternThatItMatches) {
  for (const int batch_size : {1, 32}) {
    ElementTest test("Classifier", "12/0806 20/0001, 12/0806 20/0002, 12/0800, -",
                     {.outputs = 4, .batch_size = batch_size});
    const Bytes ipv4_frame = ethernet(udp(1, 2));
    const Bytes other = ethernet(counting(46), kEthernetIPv6);
    test.push(0, {ipv4_frame, kRequest, other, kReply, ipv4_frame});
    EXPECT_EQ(test.output(0), std::vector<TestPacket>{kRequest});
    EXPECT_EQ(test.output(1), std::vector<TestPacket>{kReply});
    EXPECT_EQ(test.output(2), (std::vector<TestPacket>{ipv4_frame, ipv4_frame}));
    EXPECT_EQ(test.output(3), std::vector<TestPacket>{other});
  }
}

TEST(Classifier, DropsWhatMatchesNoPattern) {
  ElementTest test("Classifier", "12/0806");
  test.push(0, ethernet(udp(1, 2)));
  EXPECT_EQ(test.drops("no_match"), 1);
}

TEST(Classifier, MasksQuestionMarksAndNegation) {
  ElementTest test("Classifier", "0/40%f0, 0/?5, !0/ff, -", {.outputs = 4});
  const std::vector<std::pair<std::uint8_t, int>> expected{{0x4f, 0}, {0x40, 0}, {0x65, 1}, {0x66, 2}, {0xff, 3}};
  for (const auto& [byte, output] : expected) {
    test.push(0, Bytes{byte});
    EXPECT_EQ(test.output(output), std::vector<TestPacket>{Bytes{byte}}) << int{byte};
  }
}

TEST(Classifier, ShortPacketsMatchOnlyWhatTheyHave) {
  ElementTest test("Classifier", "12/0800, 0/00, -", {.outputs = 3});
  test.push(0, {Bytes{}, Bytes{0x00}, Bytes(13, 0x08)});
  EXPECT_THAT(test.output(0), IsEmpty());
  EXPECT_EQ(test.output(1), std::vector<TestPacket>{Bytes{0x00}});
  EXPECT_EQ(test.output(2), (std::vector<TestPacket>{Bytes{}, Bytes(13, 0x08)}));
}

TEST(Classifier, ProgramIsTheOneOfTheManualPage) {
  ElementTest test("Classifier", "12/0806 20/0001, 12/0806 20/0002, 12/0800, -", {.outputs = 4});
  EXPECT_EQ(test.read("program"),
            " 0  12/08060000%ffff0000  yes->step 1  no->step 3\n"
            " 1  20/00010000%ffff0000  yes->[0]  no->step 2\n"
            " 2  20/00020000%ffff0000  yes->[1]  no->[3]\n"
            " 3  12/08000000%ffff0000  yes->[2]  no->[3]\n"
            "safe length 22\n"
            "alignment offset 0\n");
}

TEST(Classifier, WarnsOfPatternsThatNoPacketReaches) {
  ElementTest test("Classifier", "12/08??, 12/0800, -", {.outputs = 3});
  EXPECT_EQ(test.errors(), "pattern 1 matches no packets\n");
}

TEST(Classifier, NeedsOneOutputPerPattern) {
  EXPECT_EQ(ElementTest("Classifier", "12/0800, -", {.outputs = 3}).errors(),
            "need 3 arguments, one per output port\n");
}

TEST(Classifier, EachWrongPatternIsAnError) {
  EXPECT_EQ(ElementTest("Classifier", "12/0806, 12/080, x/08", {.outputs = 3}).errors(),
            "pattern 1: the value has an odd number of hex digits\npattern 2: the offset is not a decimal number\n");
}

}  // namespace
}  // namespace packetmill::testing
