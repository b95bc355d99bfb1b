#include "elements/queue/Queue.h"

#include <gmock/gmock.h>

#include "tests/support/router_test.h"

namespace packetmill::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

/// A queue whose packets wait until the Unqueue is activated.
std::string waiting(const std::string& queue) {
  return "in :: TestInput -> q :: " + queue + " -> u :: Unqueue(ACTIVE false) -> out :: TestOutput;";
}

class AnyQueue : public ::testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(All, AnyQueue, ::testing::Values("Queue", "SimpleQueue", "FullNoteQueue"));

TEST_P(AnyQueue, KeepsPacketsInTheirOrder) {
  for (const int batch_size : {1, 32}) {
    RouterTest test(waiting(GetParam()), batch_size);
    test.push("in", packets({1, 2, 3}));
    EXPECT_EQ(test.read("q.length"), "3");
    EXPECT_THAT(test.output(), IsEmpty());
    test.write("u.active", "true");
    EXPECT_EQ(test.output(), packets({1, 2, 3}));
    EXPECT_EQ(test.read("q.length"), "0");
    EXPECT_EQ(test.read("q.highwater_length"), "3");
  }
}

TEST_P(AnyQueue, HoldsAThousandPacketsUnlessToldOtherwise) {
  RouterTest test(waiting(GetParam()));
  EXPECT_EQ(test.read("q.capacity"), "1000");
  test.push("in", std::vector<TestPacket>(1001, Bytes{7}));
  EXPECT_EQ(test.read("q.length"), "1000");
  EXPECT_EQ(test.read("q.drops"), "1");
}

TEST_P(AnyQueue, DropsTheNewestWhenFullAndSaysSoOnce) {
  RouterTest test(waiting(GetParam() + "(2)"));
  test.push("in", packets({1, 2, 3, 4}));
  EXPECT_EQ(test.read("q.drops"), "2");
  EXPECT_EQ(test.read("q.drop_reasons"), "overflow 2\nflushed 0\noutput_not_connected 0\nno_buffer 0\n");
  EXPECT_THAT(test.messages(), ElementsAre("q :: " + test.read("q.class") + ": overflow"));
  test.write("u.active", "true");
  EXPECT_EQ(test.output(), packets({1, 2}));
}

TEST_P(AnyQueue, PushesWhatItHasNoRoomForToItsSecondOutput) {
  RouterTest test(waiting(GetParam() + "(1)") + "q [1] -> full :: TestOutput;");
  test.push("in", packets({1, 2, 3}));
  EXPECT_EQ(test.output("full"), packets({2, 3}));
  EXPECT_EQ(test.read("q.drops"), "2");
  EXPECT_EQ(test.router().ledger().dropped, 0);
}

TEST_P(AnyQueue, OfNoCapacityDropsEverything) {
  RouterTest test(waiting(GetParam() + "(CAPACITY 0)"));
  test.push("in", packets({1}));
  EXPECT_EQ(test.read("q.drops"), "1");
  EXPECT_THAT(test.messages(), IsEmpty());
}

TEST_P(AnyQueue, CapacityMayBeRaisedAndLoweredWhileItHoldsPackets) {
  RouterTest test(waiting(GetParam() + "(3)"));
  test.push("in", packets({1, 2, 3}));
  EXPECT_EQ(test.write("q.capacity", "4"), "");
  test.push("in", packets({4, 5}));
  EXPECT_EQ(test.read("q.length"), "4");
  EXPECT_EQ(test.write("q.capacity", "2"), "");
  EXPECT_EQ(test.read("q.length"), "2");
  EXPECT_EQ(test.router().read("drops").text, "q overflow 1\nq flushed 2\n");
  test.write("u.active", "true");
  EXPECT_EQ(test.output(), packets({1, 2}));
}

TEST_P(AnyQueue, RaisedCapacityComesWithBuffers) {
  RouterTest test(waiting(GetParam() + "(1)"));
  EXPECT_EQ(test.write("q.capacity", "40000"), "");
  test.push("in", std::vector<TestPacket>(40000, Bytes{7}));
  EXPECT_EQ(test.read("q.length"), "40000");
}

TEST_P(AnyQueue, RefusesACapacityThatIsNone) {
  RouterTest test(waiting(GetParam() + "(3)"));
  EXPECT_EQ(test.write("q.capacity", "many"), "invalid number");
  EXPECT_EQ(test.write("q.capacity", "4000000000"), "CAPACITY: out of range, bound 16777216");
  EXPECT_EQ(test.read("q.capacity"), "3");
  EXPECT_EQ(RouterTest(waiting(GetParam() + "(4000000000)")).errors(), "CAPACITY: out of range, bound 16777216\n");
}

TEST_P(AnyQueue, ResetDropsWhatItHoldsAndResetCountsForgetsDrops) {
  RouterTest test(waiting(GetParam() + "(2)"));
  test.push("in", packets({1, 2, 3}));
  EXPECT_EQ(test.write("q.reset"), "");
  EXPECT_EQ(test.read("q.length"), "0");
  EXPECT_EQ(test.read("q.highwater_length"), "2");
  EXPECT_EQ(test.read("q.drops"), "1");
  EXPECT_EQ(test.write("q.reset_counts"), "");
  EXPECT_EQ(test.read("q.highwater_length"), "0");
  EXPECT_EQ(test.read("q.drops"), "0");
}

TEST_P(AnyQueue, ThatIsEmptyLetsItsPullerSleep) {
  RouterTest test("in :: TestInput -> q :: " + GetParam() + " -> u :: Unqueue -> out :: TestOutput;");
  EXPECT_EQ(test.read("u.scheduled"), "false");
  test.push("in", packets({1}));
  EXPECT_EQ(test.arrived(), 1);
  EXPECT_EQ(test.read("u.scheduled"), "false");
}

TEST(Queue, ThatIsFullLetsItsSourceSleepUntilThereIsRoom) {
  RouterTest test("s :: InfiniteSource -> q :: Queue(3) -> u :: Unqueue(ACTIVE false) -> out :: TestOutput;");
  EXPECT_EQ(test.read("s.scheduled"), "false");
  EXPECT_EQ(test.read("s.count"), "3");
  test.write("u.limit", "2");
  test.write("u.active", "true");
  EXPECT_EQ(test.arrived(), 2);
  EXPECT_EQ(test.read("s.count"), "5");
  test.write("q.reset");
  EXPECT_EQ(test.read("s.count"), "8");
  EXPECT_EQ(test.read("q.drops"), "0");
}

TEST(SimpleQueue, ThatIsFullDoesNotStopItsSource) {
  RouterTest test("s :: InfiniteSource(LIMIT 5) -> q :: SimpleQueue(3) -> Unqueue(ACTIVE false) -> out :: TestOutput;");
  EXPECT_EQ(test.read("s.count"), "5");
  EXPECT_EQ(test.read("q.drops"), "2");
}

}  // namespace
}  // namespace packetmill::testing
