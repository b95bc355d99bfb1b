#include "elements/queue/PrioSched.h"

#include <gmock/gmock.h>

#include "tests/support/router_test.h"

namespace packetmill::testing {
namespace {

/// Three queues into one scheduler, from which nothing is pulled until `u` is activated.
std::string three_queues(const std::string& scheduler) {
  return "a :: TestInput -> qa :: Queue -> [0] s :: " + scheduler +
         "; b :: TestInput -> qb :: Queue -> [1] s; c :: TestInput -> qc :: Queue -> [2] s;"
         "s -> u :: Unqueue(ACTIVE false) -> out :: TestOutput;";
}

TEST(PrioSched, PullsFromTheFirstInputThatHasAPacket) {
  RouterTest test(three_queues("PrioSched"));
  test.push("c", packets({31, 32}));
  test.push("a", packets({11, 12}));
  test.push("b", packets({21}));
  test.write("u.active", "true");
  EXPECT_EQ(test.output(), packets({11, 12, 21, 31, 32}));
}

TEST(RoundRobinSched, PullsFromTheInputsInTurn) {
  RouterTest test(three_queues("RoundRobinSched"));
  test.push("a", packets({11, 12, 13}));
  test.push("b", packets({21}));
  test.push("c", packets({31, 32}));
  test.write("u.active", "true");
  EXPECT_EQ(test.output(), packets({11, 21, 31, 12, 32, 13}));
}

TEST(RoundRobinSched, GoesOnAfterTheInputThatGaveTheLastPacket) {
  RouterTest test(three_queues("RoundRobinSched"));
  test.write("u.active", "true");
  test.push("b", packets({21}));
  test.write("u.active", "false");
  test.push("a", packets({11}));
  test.push("c", packets({31}));
  test.write("u.active", "true");
  EXPECT_EQ(test.output(), packets({21, 31, 11}));
}

TEST(Schedulers, WakeTheirPullerWhicheverInputAPacketComesTo) {
  for (const std::string scheduler : {"PrioSched", "RoundRobinSched"}) {
    RouterTest test(three_queues(scheduler));
    test.write("u.active", "true");
    EXPECT_EQ(test.read("u.scheduled"), "false");
    for (const std::string input : {"a", "b", "c"}) {
      test.push(input, packets({1}));
      EXPECT_EQ(test.arrived(), 1) << scheduler << " " << input;
      EXPECT_EQ(test.read("u.scheduled"), "false");
    }
  }
}

TEST(Schedulers, MayStandBehindEachOther) {
  RouterTest test(
      "a :: TestInput -> Queue -> [0] rr :: RoundRobinSched -> [0] p :: PrioSched -> u :: Unqueue(ACTIVE false)"
      " -> out :: TestOutput; b :: TestInput -> Queue -> [1] rr; c :: TestInput -> Queue -> [1] p;");
  test.push("c", packets({31}));
  test.push("a", packets({11, 12}));
  test.push("b", packets({21}));
  test.write("u.active", "true");
  EXPECT_EQ(test.output(), packets({11, 21, 12, 31}));
}

TEST(Schedulers, WithoutInputsGiveNothing) {
  for (const std::string scheduler : {"PrioSched", "RoundRobinSched"}) {
    RouterTest test(scheduler + " -> Unqueue -> out :: TestOutput;");
    EXPECT_EQ(test.arrived(), 0);
  }
}

}  // namespace
}  // namespace packetmill::testing
