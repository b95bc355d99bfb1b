#include "elements/look/Counter.h"

#include <gmock/gmock.h>

#include "tests/support/packets.h"
#include "tests/support/router_test.h"

namespace packetmill::testing {
namespace {

using ::testing::IsEmpty;

TEST(Counter, CountsPacketsAndBytes) {
  ElementTest test("Counter");
  const std::vector<TestPacket> packets{counting(10), counting(0), counting(65535)};
  test.push(0, packets);
  EXPECT_EQ(test.output(), packets);
  EXPECT_EQ(test.read("count"), "3");
  EXPECT_EQ(test.read("byte_count"), "65545");
  for (const std::string reset : {"reset", "reset_counts"}) {
    test.push(0, packets);
    EXPECT_EQ(test.write(reset), "");
    EXPECT_EQ(test.read("count"), "0");
    EXPECT_EQ(test.read("byte_count"), "0");
    EXPECT_EQ(test.read("rate"), "0");
  }
}

TEST(Counter, CountsOnAPullPath) {
  RouterTest test("in :: TestInput -> Queue -> c :: Counter -> Unqueue -> out :: TestOutput;");
  test.push("in", packets({1, 2}));
  EXPECT_EQ(test.read("c.count"), "2");
}

TEST(Counter, RatesFollowTheTraffic) {
  // 10,000 packets of 50 bytes a second, for long enough that the average has come within a thousandth.
  RouterTest test("s :: RatedSource(RATE 10000, LENGTH 50) -> c :: Counter -> Discard;");
  test.advance(Duration::seconds(1));
  EXPECT_NEAR(std::stod(test.read("c.rate")), 10000, 10);
  EXPECT_NEAR(std::stod(test.read("c.byte_rate")), 500000, 500);
  EXPECT_NEAR(std::stod(test.read("c.bit_rate")), 4000000, 4000);
  test.write("s.active", "false");
  test.advance(Duration::seconds(1));
  EXPECT_LT(std::stod(test.read("c.rate")), 1);
}

std::string with_switch(const std::string& counter) {
  return "in :: TestInput -> c :: " + counter +
         " -> sw :: Switch; sw [0] -> before :: TestOutput; sw [1] -> after :: TestOutput;";
}

TEST(Counter, CallsAHandlerWhenThePacketCountIsReached) {
  RouterTest test(with_switch("Counter(COUNT_CALL 2 sw.switch 1)"), 1);
  test.push("in", packets({1, 2, 3}));
  EXPECT_EQ(test.output("before"), packets({1}));
  EXPECT_EQ(test.output("after"), packets({2, 3})) << "the call comes before the packet that it is about";
}

TEST(Counter, CallsOnceUntilItIsReset) {
  RouterTest test(with_switch("Counter(COUNT_CALL 1 sw.switch 1)"));
  test.push("in", packets({1}));
  test.write("sw.switch", "0");
  test.push("in", packets({2}));
  EXPECT_EQ(test.read("sw.switch"), "0");
  test.write("c.reset");
  test.push("in", packets({3}));
  EXPECT_EQ(test.read("sw.switch"), "1");
}

TEST(Counter, CallsAHandlerWhenTheByteCountIsReachedOrExceeded) {
  RouterTest test(with_switch("Counter(BYTE_COUNT_CALL 10 sw.switch 1)"));
  test.push("in", {counting(9)});
  EXPECT_EQ(test.read("sw.switch"), "0");
  test.push("in", {counting(9)});
  EXPECT_EQ(test.read("sw.switch"), "1");
}

TEST(Counter, ANewCallCountsFromWhatHasBeenCounted) {
  RouterTest test(with_switch("Counter"));
  test.push("in", packets({1, 2}));
  EXPECT_EQ(test.write("c.count_call", "3 sw.switch 1"), "");
  EXPECT_EQ(test.write("c.byte_count_call", "100 sw.switch 0"), "");
  test.push("in", packets({3}));
  EXPECT_EQ(test.read("sw.switch"), "1");
  test.push("in", {counting(97)});
  EXPECT_EQ(test.read("sw.switch"), "0");
  EXPECT_EQ(test.write("c.count_call", "5"), "") << "no handler: nothing is called";
  test.push("in", packets({3}));
  EXPECT_THAT(test.messages(), IsEmpty());
  EXPECT_EQ(test.write("c.count_call", "x sw.switch 1"), "invalid number");
}

TEST(Counter, StopsTheDriverByCall) {
  RouterTest test("in :: TestInput -> Counter(COUNT_CALL 2 stop) -> Discard;");
  test.push("in", packets({1}));
  EXPECT_FALSE(test.router().take_stop_request());
  test.push("in", packets({1}));
  EXPECT_TRUE(test.router().take_stop_request());
}

TEST(AverageCounter, RatesCoverTheTimeFromTheFirstToTheLastPacket) {
  RouterTest test("in :: TestInput -> c :: AverageCounter -> out :: TestOutput;");
  EXPECT_EQ(test.read("c.rate"), "0");
  test.advance(Duration::seconds(5));
  test.push("in", {counting(100), counting(100)});
  const Timestamp first = test.router().now();
  test.advance(Timestamp{first.nanoseconds} - first + Duration::seconds(2));
  test.push("in", {counting(100), counting(100)});
  test.advance(Duration::seconds(5));
  EXPECT_EQ(test.arrived(), 4);
  EXPECT_EQ(test.read("c.count"), "4");
  EXPECT_EQ(test.read("c.byte_count"), "400");
  // Two seconds and a microsecond: a round of turns of simulated time.
  EXPECT_NEAR(std::stod(test.read("c.rate")), 2, 0.001);
  EXPECT_NEAR(std::stod(test.read("c.byte_rate")), 200, 0.1);
  EXPECT_NEAR(std::stod(test.read("c.bit_rate")), 1600, 1);
  EXPECT_NEAR(std::stod(test.read("c.link_rate")), 1600 + 2 * 24 * 8, 1);
  EXPECT_EQ(test.write("c.reset"), "");
  EXPECT_EQ(test.read("c.count"), "0");
  EXPECT_EQ(test.read("c.rate"), "0");
}

TEST(AverageCounter, LeavesTheFirstSecondsOut) {
  RouterTest test("in :: TestInput -> c :: AverageCounter(IGNORE 1) -> out :: TestOutput;");
  test.push("in", packets({1, 2, 3}));
  test.advance(Duration::seconds(3));
  test.push("in", packets({4, 5}));
  EXPECT_EQ(test.read("c.count"), "2");
  EXPECT_NEAR(std::stod(test.read("c.rate")), 1, 0.001);
}

TEST(AverageCounter, TakesAMillisecondForAnyShorterTime) {
  ElementTest test("AverageCounter");
  test.push(0, packets({1, 2, 3}));
  EXPECT_EQ(test.read("rate"), "3000");
}

TEST(SetTimestamp, SetsTheTimeOfArrival) {
  ElementTest test("SetTimestamp");
  const Timestamp now = test.router().now();
  test.push(0, packets({1}));
  EXPECT_EQ(test.output()[0].get<ReceiveTime>(), now);
}

TEST(SetTimestamp, SetsAGivenTime) {
  ElementTest test("SetTimestamp", "12.5");
  test.push(0, packets({1}));
  const auto output = test.output();
  EXPECT_EQ(output[0].get<ReceiveTime>().nanoseconds, 12'500'000'000);
  EXPECT_EQ(output[0].get<FirstTimestamp>(), Timestamp{});
}

TEST(SetTimestamp, SetsTheFirstTimestampWhenToldTo) {
  ElementTest test("SetTimestamp", "TIMESTAMP 3, FIRST true");
  test.push(0, packets({1}));
  const auto output = test.output();
  EXPECT_EQ(output[0].get<FirstTimestamp>().nanoseconds, 3'000'000'000);
  EXPECT_EQ(output[0].get<ReceiveTime>(), Timestamp{});
}

TEST(Counter, NoRateLeavesTheRatesAtZero) {
  ElementTest test("Counter", "NO_RATE true");
  for (int i = 0; i < 10; ++i) {
    test.push(0, Bytes(60));
    test.advance(Duration::seconds(1));
  }
  EXPECT_EQ(test.read("count"), "10");
  EXPECT_EQ(test.read("rate"), "0");
  EXPECT_EQ(test.read("bit_rate"), "0");
}

TEST(Counter, CallsOfHandlersThatDoNotExistAreErrorsAtTheStart) {
  const auto errors = [](const std::string& call) {
    return RouterTest("Idle -> c :: Counter(COUNT_CALL 3 " + call + ") -> d :: Discard;").errors();
  };
  EXPECT_EQ(errors("zz.reset"), "no element named 'zz'\n");
  EXPECT_EQ(errors("c.rest"), "no 'c.rest' handler\n");
  EXPECT_EQ(errors("c.count 1"), "no 'c.count' write handler\n");
  EXPECT_EQ(errors("c.reset"), "");
  EXPECT_EQ(errors("stop"), "");
}

}  // namespace
}  // namespace packetmill::testing
