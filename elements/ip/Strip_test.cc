#include <gmock/gmock.h>

#include "tests/support/packets.h"

// Elements that move a packet's ends: Strip, Unstrip, StripToNetworkHeader, Truncate.
namespace packetmill::testing {
namespace {

TEST(Strip, RemovesBytesFromTheFrontAndLeavesHeaderPositions) {
  ElementTest test("Strip", "14");
  test.push(0, TestPacket(counting(20)).at(0, 14, 18));
  const auto out = test.output();
  ASSERT_EQ(out, std::vector<TestPacket>{hex("0e0f10111213")});
  EXPECT_EQ(out[0].mac_offset, -14);
  EXPECT_EQ(out[0].network_offset, 0);
  EXPECT_EQ(out[0].transport_offset, 4);
}

TEST(Strip, LeavesNothingOfAShorterPacket) {
  ElementTest test("Strip", "14");
  test.push(0, {counting(14), counting(13), Bytes{}});
  EXPECT_EQ(test.output(), (std::vector<TestPacket>{Bytes{}, Bytes{}, Bytes{}}));
}

TEST(Strip, NeedsALength) { EXPECT_EQ(ElementTest("Strip").errors(), "LENGTH: required argument missing\n"); }

TEST(Unstrip, AddsBytesToTheFront) {
  ElementTest test("Unstrip", "2");
  test.push(0, counting(3));
  const auto out = test.output();
  ASSERT_EQ(out.size(), 1);
  ASSERT_EQ(out[0].bytes.size(), 5);
  EXPECT_EQ(Bytes(out[0].bytes.begin() + 2, out[0].bytes.end()), counting(3));
}

TEST(Unstrip, DropsWhatItsBufferHasNoRoomFor) {
  ElementTest test("Unstrip", "1000000");
  test.push(0, counting(3));
  EXPECT_EQ(test.drops("no_room"), 1);
}

TEST(StripToNetworkHeader, RemovesWhatPrecedesTheHeader) {
  ElementTest test("StripToNetworkHeader");
  test.push(0, TestPacket(counting(20)).at(0, 18));
  const auto out = test.output();
  ASSERT_EQ(out, std::vector<TestPacket>{hex("1213")});
  EXPECT_EQ(out[0].network_offset, 0);
}

TEST(StripToNetworkHeader, PutsAStrippedHeaderBack) {
  ElementTest test("StripToNetworkHeader");
  test.push(0, TestPacket(counting(4)).at(-1, 0));
  EXPECT_EQ(test.output(), std::vector<TestPacket>{counting(4)});
}

TEST(StripToNetworkHeader, DropsWhatHasNoHeader) {
  ElementTest test("StripToNetworkHeader");
  test.push(0, {TestPacket(counting(20)), TestPacket(counting(4)).at(-1, 5)});
  EXPECT_EQ(test.drops("no_network_header"), 2);
}

TEST(Truncate, CutsAndNotesHowMuch) {
  ElementTest test("Truncate", "4");
  test.push(0, {TestPacket(counting(10)).set<ExtraLength>(100), TestPacket(counting(4)), TestPacket(counting(3))});
  const auto out = test.output();
  ASSERT_EQ(out, (std::vector<TestPacket>{counting(4), counting(4), counting(3)}));
  EXPECT_EQ(out[0].get<ExtraLength>(), 106);
  EXPECT_EQ(out[1].get<ExtraLength>(), 0);
}

TEST(Truncate, ExtraLengthMayBeLeftAlone) {
  ElementTest test("Truncate", "LENGTH 0, EXTRA_LENGTH false");
  test.push(0, counting(10));
  const auto out = test.output();
  ASSERT_EQ(out, std::vector<TestPacket>{Bytes{}});
  EXPECT_EQ(out[0].get<ExtraLength>(), 0);
}

}  // namespace
}  // namespace packetmill::testing
