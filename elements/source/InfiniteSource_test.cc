#include "elements/source/InfiniteSource.h"

#include <gmock/gmock.h>

#include "tests/support/packets.h"
#include "tests/support/router_test.h"

namespace packetmill::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

/// Notes how much room a packet has in front.
struct Headroom {
  static constexpr ElementInfo info{.name = "Headroom"};
  using Writes = Fields<SequenceNumber>;
  static Output process(auto&, In, auto& packet) {
    packet.template set<SequenceNumber>(packet.headroom());
    return to(0);
  }
};
const bool kRegistered = (test_registry().add(engine::factory_of<Headroom>()), true);

constexpr auto kMillisecond = Duration::milliseconds(1);

/// A source whose packets come out, one way or the other.
std::string pushed(const std::string& source) { return "s :: " + source + " -> out :: TestOutput;"; }
std::string pulled(const std::string& source) { return "s :: " + source + " -> u :: Unqueue -> out :: TestOutput;"; }
std::vector<TestPacket> copies(std::size_t count, const Bytes& bytes) { return {count, TestPacket(bytes)}; }

TEST(InfiniteSource, MakesPacketsOfItsData) {
  for (const auto& way : {pushed, pulled})
    for (const int batch_size : {1, 32}) {
      RouterTest test(way("InfiniteSource(\\<01 02 ff>, 5, 2)"), batch_size);
      EXPECT_EQ(test.output(), copies(5, {0x01, 0x02, 0xff}));
      EXPECT_EQ(test.read("s.count"), "5");
      EXPECT_EQ(test.router().ledger().generated, 5);
    }
}

TEST(InfiniteSource, MakesPacketsOf64BytesUnlessToldOtherwise) {
  RouterTest test(pushed("InfiniteSource(LIMIT 1)"));
  EXPECT_EQ(test.output()[0].bytes.size(), 64);
}

TEST(InfiniteSource, RepeatsOrCutsItsDataToTheLength) {
  for (const auto& [length, bytes] :
       {std::pair("7", Bytes{1, 2, 3, 1, 2, 3, 1}), {"2", Bytes{1, 2}}, {"0", Bytes{}}, {"-1", Bytes{1, 2, 3}}}) {
    RouterTest test(pushed("InfiniteSource(\\<010203>, LIMIT 1, LENGTH " + std::string(length) + ")"));
    EXPECT_EQ(test.output(), copies(1, bytes));
  }
  RouterTest zeros(pushed("InfiniteSource(\"\", LIMIT 1, LENGTH 2)"));
  EXPECT_EQ(zeros.output(), copies(1, {0, 0}));
  RouterTest great(pushed("InfiniteSource(LIMIT 1, LENGTH 65535)"));
  EXPECT_EQ(great.output()[0].bytes.size(), 65535);
}

TEST(InfiniteSource, StampsItsPacketsUnlessToldNotTo) {
  RouterTest stamped(pushed("InfiniteSource(LIMIT 1)"));
  EXPECT_EQ(stamped.output()[0].get<ReceiveTime>(), Timestamp{} + Duration::seconds(1'000'000'000));
  RouterTest plain(pushed("InfiniteSource(LIMIT 1, TIMESTAMP false)"));
  EXPECT_EQ(plain.output()[0].get<ReceiveTime>(), Timestamp{});
}

TEST(InfiniteSource, LeavesTheHeadroomThatItIsToldTo) {
  for (const std::uint32_t headroom : {1U, 40U, 65535U}) {
    RouterTest test(pushed("InfiniteSource(LIMIT 1, HEADROOM " + std::to_string(headroom) + ") -> Headroom"));
    EXPECT_EQ(test.output()[0].get<SequenceNumber>(), headroom);
  }
}

TEST(InfiniteSource, WithoutALimitGoesOn) {
  RouterTest test(pushed("InfiniteSource(LIMIT -1)"));
  const auto before = test.arrived();
  test.advance(kMillisecond);
  EXPECT_GT(test.arrived(), before);
}

TEST(InfiniteSource, MakesNothingWhileInactive) {
  for (const auto& way : {pushed, pulled}) {
    RouterTest test(way("InfiniteSource(X, 2, 1, false)"));
    EXPECT_THAT(test.output(), IsEmpty());
    EXPECT_EQ(test.write("s.active", "true"), "");
    EXPECT_EQ(test.output(), copies(2, {'X'}));
  }
}

TEST(InfiniteSource, ResetLetsAsManyMoreFollow) {
  for (const auto& way : {pushed, pulled}) {
    RouterTest test(way("InfiniteSource(X, 2)"));
    EXPECT_EQ(test.arrived(), 2);
    EXPECT_EQ(test.write("s.reset"), "");
    EXPECT_EQ(test.arrived(), 2);
    EXPECT_EQ(test.read("s.count"), "2");
    EXPECT_EQ(test.write("s.limit", "3"), "");
    EXPECT_EQ(test.arrived(), 1);
  }
}

TEST(InfiniteSource, ParametersAreReadableAndWritable) {
  RouterTest test(pushed("InfiniteSource(X, LIMIT 0, LENGTH 2, BURST 3)"));
  EXPECT_EQ(test.read("s.data"), "X");
  EXPECT_EQ(test.read("s.length"), "2");
  EXPECT_EQ(test.read("s.burst"), "3");
  EXPECT_EQ(test.read("s.limit"), "0");
  EXPECT_EQ(test.read("s.active"), "true");
  EXPECT_EQ(test.write("s.data", "\"a b\""), "");
  EXPECT_EQ(test.write("s.length", "-1"), "");
  EXPECT_EQ(test.write("s.burst", "1"), "");
  EXPECT_EQ(test.write("s.length", "65536"), "out of range, bound 65535");
  EXPECT_EQ(test.write("s.limit", "1"), "");
  EXPECT_EQ(test.output(), copies(1, {'a', ' ', 'b'}));
}

TEST(InfiniteSource, StopsTheDriverAfterItsLimit) {
  for (const auto& way : {pushed, pulled}) {
    RouterTest test(way("InfiniteSource(X, 3, STOP true)"));
    EXPECT_EQ(test.arrived(), 3) << "all of them arrive first";
    EXPECT_TRUE(test.router().take_stop_request());
    EXPECT_FALSE(test.router().take_stop_request()) << "one request";
  }
}

TEST(InfiniteSource, CallsAHandlerAfterItsLimit) {
  RouterTest test(pushed("InfiniteSource(X, 3, END_CALL sw.switch 1)") +
                  "a :: TestInput -> sw :: Switch;"
                  "sw [0] -> Discard; sw [1] -> Discard;");
  EXPECT_EQ(test.read("sw.switch"), "1");
}

TEST(InfiniteSource, SaysWhatIsWrongWithItsCall) {
  RouterTest test(pushed("InfiniteSource(X, 1, END_CALL s.limit many)"));
  EXPECT_THAT(test.messages(), ElementsAre("s: s.limit: invalid number"));
}

TEST(InfiniteSource, ConfigurationErrors) {
  EXPECT_EQ(RouterTest(pushed("InfiniteSource(STOP true, END_CALL a.b)")).errors(),
            "END_CALL and STOP are mutually exclusive\n");
  EXPECT_EQ(RouterTest(pushed("InfiniteSource(LENGTH 65536)")).errors(), "LENGTH: out of range, bound 65535\n");
  EXPECT_EQ(RouterTest(pushed("InfiniteSource(LIMIT many)")).errors(), "LIMIT: invalid number\n");
}

TEST(RatedSource, MakesTenPacketsASecondUnlessToldOtherwise) {
  RouterTest test(pushed("RatedSource"));
  EXPECT_EQ(test.arrived(), 1) << "the first one at once";
  test.advance(Duration::seconds(3));
  EXPECT_EQ(test.arrived(), 30);
}

TEST(RatedSource, MakesPacketsOfItsDataAtItsRate) {
  for (const auto& way : {pushed, pulled}) {
    RouterTest test(way("RatedSource(\\<01 02>, 100, 4)"));
    EXPECT_EQ(test.output(), copies(1, {1, 2}));
    test.advance(kMillisecond * 9);
    EXPECT_EQ(test.arrived(), 0);
    test.advance(kMillisecond * 1);
    EXPECT_EQ(test.arrived(), 1);
    test.advance(Duration::seconds(1));
    EXPECT_EQ(test.output(), copies(2, {1, 2})) << "four in all";
    EXPECT_EQ(test.write("s.reset"), "");
    test.advance(Duration::seconds(1));
    EXPECT_EQ(test.arrived(), 4);
  }
}

TEST(RatedSource, PacketsAreStampedWithTheTimeOfTheirMaking) {
  RouterTest test(pushed("RatedSource(RATE 1000)"));
  const Timestamp start = test.output()[0].get<ReceiveTime>();
  test.advance(kMillisecond * 2);
  const auto output = test.output();
  ASSERT_EQ(output.size(), 2);
  EXPECT_EQ(output[0].get<ReceiveTime>(), start + kMillisecond * 1);
  EXPECT_EQ(output[1].get<ReceiveTime>(), start + kMillisecond * 2);
}

TEST(RatedSource, BandwidthDividedByTheLengthIsTheRate) {
  // 8 Mbit/s are 1,000,000 bytes a second: 1000 packets of 1000 bytes.
  RouterTest test(pushed("RatedSource(LENGTH 1000, BANDWIDTH 8Mbps)"));
  EXPECT_EQ(test.read("s.rate"), "1000");
}

TEST(RatedSource, RateMayChange) {
  RouterTest test(pushed("RatedSource(RATE 0)"));
  EXPECT_EQ(test.arrived(), 1) << "the first token";
  test.advance(Duration::seconds(10));
  EXPECT_EQ(test.arrived(), 0);
  EXPECT_EQ(test.write("s.rate", "100"), "");
  test.advance(Duration::seconds(1));
  EXPECT_EQ(test.arrived(), 100);
}

TEST(RatedSource, StopsTheDriverAndMakesNothingWhileInactive) {
  for (const auto& way : {pushed, pulled}) {
    RouterTest test(way("RatedSource(X, 100, 2, false, STOP true)"));
    test.advance(Duration::seconds(1));
    EXPECT_EQ(test.arrived(), 0);
    EXPECT_EQ(test.write("s.active", "true"), "");
    test.advance(Duration::seconds(1));
    EXPECT_EQ(test.arrived(), 2);
    EXPECT_TRUE(test.router().take_stop_request());
  }
}

TEST(RatedSource, SleepsWhileTheQueueBehindItIsFull) {
  RouterTest test("s :: RatedSource(RATE 1000) -> q :: Queue(5) -> Unqueue(ACTIVE false) -> out :: TestOutput;");
  test.advance(Duration::seconds(1));
  EXPECT_EQ(test.read("s.count"), "5");
  EXPECT_EQ(test.read("q.drops"), "0");
}

TEST(TimedSource, MakesAPacketAfterEachInterval) {
  RouterTest test(pushed("TimedSource(0.1, X)"));
  EXPECT_EQ(test.arrived(), 0);
  test.advance(kMillisecond * 99);
  EXPECT_EQ(test.arrived(), 0);
  test.advance(kMillisecond * 1);
  EXPECT_EQ(test.output(), copies(1, {'X'}));
  test.advance(Duration::seconds(1));
  EXPECT_EQ(test.arrived(), 10);
  EXPECT_EQ(test.read("s.count"), "11");
}

TEST(TimedSource, WaitsForHalfASecondUnlessToldOtherwise) {
  RouterTest test(pushed("TimedSource"));
  test.advance(Duration::seconds(2));
  EXPECT_EQ(test.arrived(), 4);
}

TEST(TimedSource, StopsTheDriverAfterItsLimit) {
  RouterTest test(pushed("TimedSource(1, X, LIMIT 2, STOP true)"));
  test.advance(kMillisecond * 2500);
  EXPECT_EQ(test.arrived(), 2);
  EXPECT_FALSE(test.router().take_stop_request());
  test.advance(Duration::seconds(10));
  EXPECT_EQ(test.arrived(), 0);
  EXPECT_TRUE(test.router().take_stop_request());
}

TEST(TimedSource, ParametersAreReadableAndWritable) {
  RouterTest test(pushed("TimedSource(ACTIVE false)"));
  test.advance(Duration::seconds(2));
  EXPECT_EQ(test.arrived(), 0);
  EXPECT_EQ(test.write("s.interval", "2"), "");
  EXPECT_EQ(test.read("s.interval"), "2.000000000");
  EXPECT_EQ(test.write("s.data", "Y"), "");
  EXPECT_EQ(test.read("s.data"), "Y");
  EXPECT_EQ(test.write("s.limit", "1"), "");
  EXPECT_EQ(test.read("s.limit"), "1");
  EXPECT_EQ(test.write("s.active", "true"), "");
  test.advance(Duration::seconds(9));
  EXPECT_EQ(test.output(), copies(1, {'Y'}));
  EXPECT_EQ(test.write("s.reset"), "");
  test.advance(Duration::seconds(9));
  EXPECT_EQ(test.output(), copies(1, {'Y'}));
}

TEST(TimedSource, IsPushOnly) { EXPECT_NE(RouterTest(pulled("TimedSource")).errors(), ""); }

}  // namespace
}  // namespace packetmill::testing
