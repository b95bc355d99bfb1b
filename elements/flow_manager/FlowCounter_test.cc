#include <gmock/gmock.h>

#include "tests/support/packets.h"

namespace packetmill::testing {
namespace {

const Script kScript{"in0 :: TestInput -> FlowIPManager(TIMEOUT 10) -> element :: FlowCounter -> out0 :: TestOutput"};

TEST(FlowCounter, CountsFlowsAndTheirPackets) {
  ElementTest test(kScript);
  const std::vector<TestPacket> packets{marked(udp(1, 1)), marked(udp(2, 2)), marked(udp(1, 1)), marked(udp(3, 3))};
  test.push(0, packets);
  EXPECT_EQ(test.output(0), packets);
  EXPECT_EQ(test.read("count"), "3");
  EXPECT_EQ(test.read("open"), "3");
  EXPECT_EQ(test.read("lengths"), "");
  test.advance(Duration::seconds(8));
  test.push(0, marked(udp(3, 3)));
  test.advance(Duration::seconds(3));
  EXPECT_EQ(test.read("count"), "3");
  EXPECT_EQ(test.read("open"), "1");
  EXPECT_EQ(test.read("lengths"), "1 1\n2 1\n");
}

TEST(FlowCounter, SharesTheFlowsWithOthers) {
  ElementTest test(
      Script{"in0 :: TestInput -> FlowIPManager -> FlowIPNAT(192.0.2.1) -> FlowCounter"
             " -> element :: FlowCounter -> out0 :: TestOutput"});
  test.push(0, {marked(udp(1, 1)), marked(udp(1, 1))});
  const auto out = test.output(0);
  EXPECT_EQ(out.at(0), out.at(1));
  EXPECT_EQ(test.read("count"), "1");
}

TEST(FlowCounter, OnlyAsManyElementsAsAFlowHasRoomFor) {
  std::string chain;
  for (int i = 0; i < 6; ++i) chain += " -> FlowCounter";
  EXPECT_EQ(ElementTest(Script{"in0 :: TestInput -> FlowIPManager" + chain + " -> out0 :: TestOutput"}).errors(), "");
  EXPECT_EQ(ElementTest(Script{"in0 :: TestInput -> FlowIPManager" + chain + " -> FlowCounter -> out0 :: TestOutput"})
                .errors(),
            "the manager's flows have no room left\n");
}

TEST(FlowCounter, NeedsAManagerAndPacketsThatPassedIt) {
  EXPECT_EQ(ElementTest("FlowCounter").errors(), "no FlowIPManager upstream\n");
  ElementTest test(
      Script{"in0 :: TestInput -> FlowIPManager -> element :: FlowCounter -> out0 :: TestOutput;"
             "in1 :: TestInput -> element"});
  test.push(1, marked(udp(1, 2)));
  EXPECT_EQ(test.drops("no_flow"), 1);
}

}  // namespace
}  // namespace packetmill::testing
