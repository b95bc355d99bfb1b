#include "elements/flow/Tee.h"

#include <gmock/gmock.h>

#include "tests/support/packets.h"
#include "tests/support/router_test.h"

namespace packetmill::testing {
namespace {

using ::testing::IsEmpty;

TEST(Tee, SendsACopyToEachOutput) {
  for (const int batch_size : {1, 32}) {
    ElementTest test("Tee", "", {.outputs = 3, .batch_size = batch_size});
    test.push(0, packets({1, 2}));
    for (int port = 0; port < 3; ++port) EXPECT_EQ(test.output(port), packets({1, 2}));
    EXPECT_EQ(test.ledger().cloned, 4);
  }
}

TEST(Tee, CopiesAreWhole) {
  // Metadata, header positions, and what was stripped: all that later elements may look at.
  ElementTest test("Tee", "", {.outputs = 2});
  TestPacket packet(udp(1, 2));
  packet.at(-1, 0, 20).set<PaintColor>(7).set<DestinationAddress>(ip("10.9.8.7"));
  test.push(0, packet);
  for (int port = 0; port < 2; ++port) {
    const auto output = test.output(port);
    ASSERT_EQ(output.size(), 1);
    EXPECT_EQ(output[0], packet);
    EXPECT_EQ(output[0].network_offset, 0);
    EXPECT_EQ(output[0].transport_offset, 20);
    EXPECT_EQ(output[0].get<PaintColor>(), 7);
    EXPECT_EQ(output[0].get<DestinationAddress>(), ip("10.9.8.7"));
  }
}

TEST(Tee, CopiesShareNothing) {
  RouterTest test("in :: TestInput -> t :: Tee; t [0] -> DecIPTTL -> a :: TestOutput; t [1] -> b :: TestOutput;");
  test.push("in", {marked(udp(1, 2, counting(8), {.ttl = 9}))});
  EXPECT_EQ(test.output("a"), std::vector<TestPacket>{udp(1, 2, counting(8), {.ttl = 8})});
  EXPECT_EQ(test.output("b"), std::vector<TestPacket>{udp(1, 2, counting(8), {.ttl = 9})});
}

TEST(Tee, AtABatchOfOneACopyGoesAllItsWayBeforeTheNextIsMade) {
  RouterTest test("in :: TestInput -> t :: Tee; t [0] -> out :: TestOutput; t [1] -> Paint(1) -> out;", 1);
  test.push("in", packets({1, 2}));
  EXPECT_EQ(test.output(), packets({1, 1, 2, 2}));
}

TEST(Tee, OfEmptyAndGreatestPackets) {
  ElementTest test("Tee", "", {.outputs = 2});
  const std::vector<TestPacket> extremes{Bytes{}, counting(65535)};
  test.push(0, extremes);
  EXPECT_EQ(test.output(0), extremes);
  EXPECT_EQ(test.output(1), extremes);
}

TEST(Tee, NMustBeTheNumberOfOutputs) {
  EXPECT_EQ(ElementTest("Tee", "2", {.outputs = 2}).errors(), "");
  EXPECT_EQ(ElementTest("Tee", "N 3", {.outputs = 2}).errors(), "2 outputs are connected, N is 3\n");
  EXPECT_EQ(ElementTest("Tee", "x", {.outputs = 2}).errors(), "N: invalid number\n");
}

TEST(PullTee, PushesACopyOfWhatIsPulled) {
  RouterTest test(
      "in :: TestInput -> Queue -> t :: PullTee(3) -> u :: Unqueue(ACTIVE false) -> out :: TestOutput;"
      "t [1] -> a :: TestOutput; t [2] -> b :: TestOutput;");
  test.push("in", packets({1, 2}));
  EXPECT_THAT(test.output("a"), IsEmpty());
  test.write("u.active", "true");
  EXPECT_EQ(test.output(), packets({1, 2}));
  EXPECT_EQ(test.output("a"), packets({1, 2}));
  EXPECT_EQ(test.output("b"), packets({1, 2}));
}

TEST(PullTee, LetsItsPullerSleep) {
  RouterTest test(
      "in :: TestInput -> Queue -> t :: PullTee -> u :: Unqueue -> out :: TestOutput; t [1] -> a :: TestOutput;");
  EXPECT_EQ(test.read("u.scheduled"), "false");
  test.push("in", packets({1}));
  EXPECT_EQ(test.output("a"), packets({1}));
}

}  // namespace
}  // namespace packetmill::testing
