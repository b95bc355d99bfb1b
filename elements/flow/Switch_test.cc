#include "elements/flow/Switch.h"

#include <gmock/gmock.h>

#include <map>
#include <set>

#include "tests/support/router_test.h"

namespace packetmill::testing {
namespace {

TEST(Switch, SendsPacketsToTheOutputThatItIsSetTo) {
  ElementTest test("Switch", "", {.outputs = 3});
  test.push(0, packets({1}));
  EXPECT_EQ(test.output(0), packets({1}));
  EXPECT_EQ(test.write("switch", "2"), "");
  EXPECT_EQ(test.read("switch"), "2");
  test.push(0, packets({2, 3}));
  EXPECT_EQ(test.output(2), packets({2, 3}));
}

TEST(Switch, DropsPacketsWhenItIsSetToANegativeOutput) {
  ElementTest test("Switch", "-1", {.outputs = 1});
  test.push(0, packets({1, 2}));
  EXPECT_EQ(test.drops("switched_off"), 2);
}

TEST(Switch, IsOffWhenItIsSetToAnOutputThatDoesNotExist) {
  ElementTest test("Switch", "OUTPUT 1", {.outputs = 2});
  EXPECT_EQ(test.write("switch", "2"), "");
  EXPECT_EQ(test.read("switch"), "-1");
  EXPECT_EQ(test.write("switch", "x"), "Switch output must be integer");
  EXPECT_EQ(test.read("switch"), "-1");
}

TEST(Switch, MustBeginWithAnOutputThatExists) {
  EXPECT_EQ(ElementTest("Switch", "2", {.outputs = 2}).errors(), "OUTPUT must be < 2\n");
}

TEST(RoundRobinSwitch, SendsPacketsToItsOutputsInTurn) {
  for (const int batch_size : {1, 32}) {
    ElementTest test("RoundRobinSwitch", "", {.outputs = 3, .batch_size = batch_size});
    test.push(0, packets({1, 2, 3, 4, 5}));
    EXPECT_EQ(test.output(0), packets({1, 4}));
    EXPECT_EQ(test.output(1), packets({2, 5}));
    EXPECT_EQ(test.output(2), packets({3}));
    test.push(0, packets({6}));
    EXPECT_EQ(test.output(2), packets({6}));
  }
}

TEST(RoundRobinSwitch, SplitbatchFalseSendsWholeBatchesInTurn) {
  ElementTest test("RoundRobinSwitch", "SPLITBATCH false", {.outputs = 2, .batch_size = 2});
  test.push(0, packets({1, 2, 3, 4, 5}));
  EXPECT_EQ(test.output(0), packets({1, 2, 5}));
  EXPECT_EQ(test.output(1), packets({3, 4}));
}

TEST(HashSwitch, SendsPacketsThatAreAlikeInTheBytesToTheSameOutput) {
  ElementTest test("HashSwitch", "1, 9", {.outputs = 4});
  for (std::uint8_t i = 0; i < 200; ++i) {
    const auto last =
        static_cast<std::uint8_t>(i % 50);  // of the nine bytes; the first and the last byte differ always
    test.push(0, TestPacket(Bytes{i, 1, 2, 3, 4, 5, 6, 7, 8, last, i}));
  }
  std::map<int, std::set<int>> outputs;
  for (int port = 0; port < 4; ++port) {
    const auto frames = test.output(port);
    EXPECT_GT(frames.size(), 12U) << port;
    for (const auto& frame : frames) outputs[frame.bytes[9]].insert(port);
  }
  EXPECT_EQ(outputs.size(), 50U);
  for (const auto& [last, ports] : outputs) EXPECT_EQ(ports.size(), 1U) << last;
}

TEST(HashSwitch, SendsPacketsThatEndBeforeTheBytesToOutput0) {
  ElementTest test("HashSwitch", "4294967295, 4", {.outputs = 2});
  test.push(0, packets({1, 2, 3}));
  EXPECT_EQ(test.output(0), packets({1, 2, 3}));
}

TEST(HashSwitch, HashesAtLeastOneByte) {
  EXPECT_EQ(ElementTest("HashSwitch", "0, 0", {.outputs = 2}).errors(), "LENGTH must be 1 to 256\n");
}

}  // namespace
}  // namespace packetmill::testing
