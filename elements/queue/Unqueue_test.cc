#include "elements/queue/Unqueue.h"

#include <gmock/gmock.h>

#include "tests/support/router_test.h"

namespace packetmill::testing {
namespace {

using ::testing::IsEmpty;

std::string queue_to(const std::string& element) {
  return "in :: TestInput -> q :: Queue -> u :: " + element + " -> out :: TestOutput;";
}
std::vector<TestPacket> many(std::size_t count) { return std::vector<TestPacket>(count, Bytes{7}); }
constexpr auto kMillisecond = Duration::milliseconds(1);

TEST(Unqueue, MovesPacketsInTheirOrder) {
  for (const int batch_size : {1, 32})
    for (const std::string burst : {"", "BURST 2", "8", "-1"}) {
      RouterTest test(queue_to("Unqueue(" + burst + ")"), batch_size);
      test.push("in", packets({1, 2, 3}));
      EXPECT_EQ(test.output(), packets({1, 2, 3}));
      EXPECT_EQ(test.read("u.count"), "3");
    }
}

TEST(Unqueue, MovesAsManyPacketsATurnAsBurstSays) {
  // A second queue of three places shows how many packets come at once.
  for (const auto& [burst, drops] : {std::pair("1", "0"), {"5", "2"}, {"-1", "7"}}) {
    RouterTest test("in :: TestInput -> q :: Queue -> u :: Unqueue(ACTIVE false, BURST " + std::string(burst) +
                    ") -> small :: Queue(3) -> Unqueue(BURST 3) -> out :: TestOutput;");
    test.push("in", many(10));
    test.write("u.active", "true");
    if (std::string(burst) == "5")
      EXPECT_EQ(test.read("small.drops"), "4") << "two each time";
    else
      EXPECT_EQ(test.read("small.drops"), drops);
  }
}

TEST(Unqueue, WaitsWhileInactive) {
  RouterTest test(queue_to("Unqueue(ACTIVE false)"));
  test.push("in", packets({1}));
  EXPECT_THAT(test.output(), IsEmpty());
  EXPECT_EQ(test.read("u.scheduled"), "false");
  EXPECT_EQ(test.write("u.active", "true"), "");
  EXPECT_EQ(test.output(), packets({1}));
}

TEST(Unqueue, StopsAtItsLimitUntilResetOrALargerOne) {
  RouterTest test(queue_to("Unqueue(LIMIT 2, BURST 5)"));
  test.push("in", packets({1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(test.output(), packets({1, 2}));
  EXPECT_EQ(test.write("u.reset"), "");
  EXPECT_EQ(test.output(), packets({3, 4}));
  EXPECT_EQ(test.write("u.limit", "3"), "");
  EXPECT_EQ(test.output(), packets({5}));
  EXPECT_EQ(test.write("u.limit", "-1"), "");
  EXPECT_EQ(test.output(), packets({6}));
  EXPECT_EQ(test.read("u.limit"), "-1");
  EXPECT_EQ(test.read("u.count"), "4");
}

TEST(Unqueue, BurstIsReadableAndWritable) {
  RouterTest test(queue_to("Unqueue"));
  EXPECT_EQ(test.read("u.burst"), "1");
  EXPECT_EQ(test.write("u.burst", "16"), "");
  EXPECT_EQ(test.read("u.burst"), "16");
  EXPECT_EQ(test.write("u.burst", "x"), "invalid number");
}

TEST(RatedUnqueue, MovesPacketsAtItsRate) {
  RouterTest test(queue_to("RatedUnqueue(100, BURST_SIZE 1)"));
  test.push("in", many(50));
  EXPECT_EQ(test.arrived(), 1) << "one packet may go at once";
  test.advance(kMillisecond * 9);
  EXPECT_EQ(test.arrived(), 0);
  test.advance(kMillisecond * 1);
  EXPECT_EQ(test.arrived(), 1);
  test.advance(kMillisecond * 200);
  EXPECT_EQ(test.arrived(), 20);
}

TEST(RatedUnqueue, CatchesUpByABurstAtMost) {
  for (const auto& [burst, expected] : {std::pair("", 20), {", BURST_DURATION 5ms", 5}, {", BURST_SIZE 3", 3}}) {
    RouterTest test(queue_to("RatedUnqueue(1000" + std::string(burst) + ")"));
    test.advance(kMillisecond * 500);
    test.push("in", many(100));
    EXPECT_EQ(test.arrived(), expected) << burst;
  }
}

TEST(RatedUnqueue, RateMayChange) {
  RouterTest test(queue_to("RatedUnqueue(RATE 0)"));
  test.push("in", many(100));
  test.advance(kMillisecond * 100);
  EXPECT_EQ(test.arrived(), 1) << "the first token";
  EXPECT_EQ(test.write("u.rate", "1000"), "");
  EXPECT_EQ(test.read("u.rate"), "1000");
  test.advance(kMillisecond * 10);
  EXPECT_EQ(test.arrived(), 10);
}

TEST(RatedUnqueue, ConfigurationErrors) {
  EXPECT_EQ(RouterTest(queue_to("RatedUnqueue")).errors(), "RATE: required argument missing\n");
  EXPECT_EQ(RouterTest(queue_to("RatedUnqueue(1, BURST_SIZE 1, BURST_DURATION 1s)")).errors(),
            "cannot specify both BURST_DURATION and BURST_SIZE\n");
}

TEST(DelayUnqueue, LetsEachPacketGoWhenItIsOldEnough) {
  RouterTest test(queue_to("DelayUnqueue(10ms)"));
  test.push("in", packets({1}));
  test.advance(kMillisecond * 4);
  test.push("in", packets({2}));
  test.advance(kMillisecond * 5);
  EXPECT_THAT(test.output(), IsEmpty());
  EXPECT_EQ(test.router().ledger().held, 2);
  test.advance(kMillisecond * 1);
  EXPECT_EQ(test.output(), packets({1}));
  // The second one was pulled when the first one left: it had no time of its own.
  test.advance(kMillisecond * 9);
  EXPECT_THAT(test.output(), IsEmpty());
  test.advance(kMillisecond * 1);
  EXPECT_EQ(test.output(), packets({2}));
}

TEST(DelayUnqueue, CountsFromThePacketsTimeAndMovesIt) {
  RouterTest test(queue_to("DelayUnqueue(DELAY 10ms)"));
  const Timestamp start = test.router().now();
  TestPacket early(Bytes{1});
  early.set<ReceiveTime>(start - kMillisecond * 8);
  TestPacket late(Bytes{2});
  late.set<ReceiveTime>(start - kMillisecond * 20);
  test.push("in", {early, late});
  test.advance(kMillisecond * 2);
  const auto output = test.output();
  ASSERT_EQ(output, packets({1, 2}));
  EXPECT_EQ(output[0].get<ReceiveTime>(), start + kMillisecond * 2);
  EXPECT_EQ(output[1].get<ReceiveTime>(), start - kMillisecond * 10);
}

TEST(DelayUnqueue, DelayIsReadableAndWritable) {
  RouterTest test(queue_to("DelayUnqueue(10)"));
  EXPECT_EQ(test.read("u.delay"), "10.000000000");
  EXPECT_EQ(test.write("u.delay", "1ms"), "");
  test.push("in", packets({1}));
  test.advance(kMillisecond * 1);
  EXPECT_EQ(test.output(), packets({1}));
}

TEST(DelayUnqueue, LosesNothingWhenTheRunEnds) {
  RouterTest test(queue_to("DelayUnqueue(1s)"));
  test.push("in", packets({1, 2}));
  EXPECT_EQ(test.router().ledger().held, 2);
}

}  // namespace
}  // namespace packetmill::testing
