#include "elements/flow/Switch.h"

#include <gmock/gmock.h>

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

}  // namespace
}  // namespace packetmill::testing
