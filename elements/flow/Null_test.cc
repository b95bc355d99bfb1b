#include "elements/flow/Null.h"

#include <gmock/gmock.h>

#include "tests/support/router_test.h"

namespace packetmill::testing {
namespace {

TEST(Null, PassesPacketsByPushAndByPull) {
  RouterTest test(
      "in :: TestInput -> Null -> PushNull -> q :: Queue -> Null -> PullNull -> Unqueue -> out :: TestOutput;");
  test.push("in", packets({1, 2, 3}));
  EXPECT_EQ(test.output(), packets({1, 2, 3}));
}

TEST(PushNull, IsPushOnlyAndPullNullPullOnly) {
  EXPECT_NE(RouterTest("TestInput -> Queue -> PushNull -> TestOutput;").errors(), "");
  EXPECT_NE(RouterTest("TestInput -> PushNull -> PullNull -> Unqueue -> TestOutput;").errors(), "");
}

TEST(Idle, DropsWhatIsPushedIntoIt) {
  RouterTest test("in :: TestInput -> idle :: Idle;");
  test.push("in", packets({1, 2}));
  EXPECT_EQ(test.router().read("drops").text, "idle discarded 2\n");
}

TEST(Idle, NeverPullsAndGivesNothing) {
  RouterTest test("in :: TestInput -> q :: Queue -> Idle; Idle -> u :: Unqueue -> out :: TestOutput;");
  test.push("in", packets({1, 2}));
  EXPECT_EQ(test.read("q.length"), "2");
  EXPECT_EQ(test.arrived(), 0);
  EXPECT_EQ(test.read("u.scheduled"), "false");
}

TEST(Idle, MayHaveAnyNumberOfPorts) {
  EXPECT_EQ(RouterTest("Idle;").errors(), "");
  EXPECT_EQ(RouterTest("i :: Idle; i [0] -> Discard; i [1] -> Queue -> [0] i; Idle -> [1] i;").errors(), "");
}

TEST(Discard, DropsAndCounts) {
  ElementTest test("Discard", "", {.outputs = 0});
  test.push(0, packets({1, 2}));
  EXPECT_EQ(test.read("count"), "2");
  EXPECT_EQ(test.drops("discarded"), 2);
  EXPECT_EQ(test.write("reset_counts"), "");
  EXPECT_EQ(test.read("count"), "0");
}

TEST(Discard, PullsWhileItIsActive) {
  RouterTest test("in :: TestInput -> q :: Queue -> d :: Discard(ACTIVE false);");
  test.push("in", packets({1, 2, 3}));
  EXPECT_EQ(test.read("d.count"), "0");
  EXPECT_EQ(test.write("d.active", "true"), "");
  EXPECT_EQ(test.read("d.count"), "3");
  EXPECT_EQ(test.read("d.scheduled"), "false");
  EXPECT_EQ(test.read("d.active"), "true");
}

TEST(Discard, PullsAsManyPacketsATurnAsBurstSays) {
  // A source of one packet a turn keeps the queue as long as Discard leaves it.
  for (const auto& [burst, longest] : {std::pair("1", "10"), {"4", "10"}}) {
    RouterTest test("in :: TestInput -> q :: Queue -> d :: Discard(BURST " + std::string(burst) + ");");
    test.push("in", std::vector<TestPacket>(10, Bytes{1}));
    EXPECT_EQ(test.read("q.highwater_length"), longest);
    EXPECT_EQ(test.read("d.count"), "10");
  }
}

}  // namespace
}  // namespace packetmill::testing
