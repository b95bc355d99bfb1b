#include "engine/node_of.h"

#include <gmock/gmock.h>

#include "tests/support/router_test.h"

namespace packetmill::testing {
namespace {

using ::testing::ElementsAre;

/// Copies each packet to outputs 1, 0 and 1, and sends the packet itself to output 0.
struct Fan {
  static constexpr ElementInfo info{.name = "Fan", .ports = "1/2", .processing = "h/h"};
  static constexpr bool emits = true;
  static Output process(auto& context, In, auto& packet) {
    for (const int port : {1, 0, 1})
      if (auto copy = context.clone(packet)) context.emit(port, std::move(copy));
    return to(0);
  }
};

/// Sends each packet to the output that its first byte says.
struct Sorter {
  static constexpr ElementInfo info{.name = "Sorter", .ports = "1/1-4", .processing = "a/ah"};
  static Output process(auto&, In, auto& packet) { return to(packet.data()[0]); }
};

/// Does to each packet what its first byte says.
struct Fate {
  static constexpr ElementInfo info{.name = "Fate"};
  static constexpr bool emits = true;
  static constexpr Reason told{0, "told"};
  static constexpr auto drops = describe(told);
  template <class P>
  struct State {
    std::vector<Owned<P>> kept;
  };
  enum : std::uint8_t { pass, discard, consume, send, duplicate, hold };

  static Output process(auto& context, In, auto& packet) {
    switch (packet.data()[0]) {
      case discard:
        return drop(told);
      case consume:
        return consumed();
      case send:
        return sent();
      case duplicate:
        if (auto copy = context.clone(packet)) context.emit(0, std::move(copy));
        return to(0);
      case hold:
        context.state().kept.push_back(context.hold(packet));
        return held();
      default:
        return to(0);
    }
  }
  static std::size_t size(const auto& state) { return state.kept.size(); }
  static std::size_t capacity(const auto&) { return 1000; }
  static auto drain(auto& state) {
    typename std::remove_cvref_t<decltype(state.kept)>::value_type packet;
    if (state.kept.empty()) return packet;
    packet = std::move(state.kept.back());
    state.kept.pop_back();
    return packet;
  }
};

const bool kRegistered = [] {
  test_registry().add(engine::factory_of<Fan>());
  test_registry().add(engine::factory_of<Sorter>());
  test_registry().add(engine::factory_of<Fate>());
  return true;
}();

/// What has arrived, as "byte:colour".
std::vector<std::string> arrived(RouterTest& test) {
  std::vector<std::string> result;
  for (const TestPacket& packet : test.output())
    result.push_back(std::to_string(packet.bytes[0]) + ":" + std::to_string(packet.get<PaintColor>()));
  return result;
}

std::string fan() {
  return "in :: TestInput -> f :: Fan; f [0] -> Paint(0) -> out :: TestOutput; f [1] -> Paint(1) -> out;";
}

TEST(Emitter, AtABatchOfOneEveryPacketLeavesAtOnce) {
  RouterTest test(fan(), 1);
  test.push("in", packets({1, 2}));
  EXPECT_THAT(arrived(test), ElementsAre("1:1", "1:0", "1:1", "1:0", "2:1", "2:0", "2:1", "2:0"));
}

TEST(Emitter, AtALargerBatchOutputsGoInAscendingOrder) {
  RouterTest test(fan(), 32);
  test.push("in", packets({1, 2}));
  EXPECT_THAT(arrived(test), ElementsAre("1:0", "1:0", "2:0", "2:0", "1:1", "1:1", "2:1", "2:1"));
}

TEST(Emitter, SendsWhatHasComeTogetherWhenABatchIsFull) {
  RouterTest test(fan(), 2);
  test.push("in", packets({1, 2}));
  EXPECT_THAT(arrived(test), ElementsAre("1:0", "1:1", "1:0", "1:1", "2:0", "2:1", "2:0", "2:1"));
}

TEST(Batches, AreSplitByOutputAndKeepTheirOrder) {
  for (const int batch_size : {1, 3, 32}) {
    RouterTest test(
        "in :: TestInput -> s :: Sorter; s [0] -> a :: TestOutput; s [1] -> b :: TestOutput; s [2] -> c :: TestOutput;",
        batch_size);
    std::vector<TestPacket> all;
    for (std::uint8_t i = 0; i < 99; ++i) all.emplace_back(Bytes{static_cast<std::uint8_t>(i * 7 % 3), i});
    test.push("in", all);
    std::size_t count = 0;
    for (const std::string output : {"a", "b", "c"}) {
      int last = -1;
      for (const TestPacket& packet : test.output(output)) {
        EXPECT_EQ(packet.bytes[0], output[0] - 'a');
        EXPECT_GT(packet.bytes[1], last);
        last = packet.bytes[1];
        ++count;
      }
    }
    EXPECT_EQ(count, 99);
  }
}

TEST(Batches, AreNeverLongerThanTheInterpreterCanHold) {
  RouterTest test("in :: TestInput -> Null -> f :: Fan; f [0] -> out :: TestOutput; f [1] -> Discard;", 100000);
  test.push("in", std::vector<TestPacket>(1000, Bytes{1}));
  EXPECT_EQ(test.arrived(), 2000);
}

TEST(UnconnectedOutputs, DropAndCount) {
  for (const int batch_size : {1, 32}) {
    RouterTest test("in :: TestInput -> s :: Sorter -> out :: TestOutput;", batch_size);
    test.push("in", packets({0, 3, 0, 200, 1}));
    EXPECT_EQ(test.output(), packets({0, 0}));
    EXPECT_EQ(test.router().read("drops").text, "s output_not_connected 3\n");
  }
}

TEST(PullPaths, PushWhatTakesASideExit) {
  RouterTest test(
      "in :: TestInput -> q :: Queue -> s :: Sorter -> Unqueue(BURST -1) -> out :: TestOutput; s [1] -> side :: "
      "TestOutput;");
  test.push("in", packets({0, 1, 0, 1, 1, 2, 0}));
  EXPECT_EQ(test.output(), packets({0, 0, 0}));
  EXPECT_EQ(test.output("side"), packets({1, 1, 1}));
  EXPECT_EQ(test.router().read("drops").text, "s output_not_connected 1\n");
  EXPECT_EQ(test.read("q.length"), "0");
}

TEST(PullPaths, EndInSinksThatPullForThemselves) {
  RouterTest test("in :: TestInput -> q :: Queue -> Null -> out :: TestOutput;");
  test.push("in", packets({1, 2, 3}));
  EXPECT_EQ(test.output(), packets({1, 2, 3}));
}

/// Whatever becomes of packets, the ledger says so.
class Conservation : public ::testing::TestWithParam<int> {
 protected:
  /// The ledger after ten packets of each fate have passed `path`.
  static Ledger after(const std::string& path) {
    RouterTest test("in :: TestInput -> " + path + " -> out :: TestOutput;", GetParam());
    std::vector<TestPacket> all;
    for (std::uint8_t i = 0; i < 60; ++i) all.emplace_back(Bytes{static_cast<std::uint8_t>(i % 6)});
    test.push("in", all);
    return test.router().ledger();
  }
};
INSTANTIATE_TEST_SUITE_P(BatchSizes, Conservation, ::testing::Values(1, 3, 32));

TEST_P(Conservation, OfEveryFateOnAPushPath) {
  // Sent: those that passed, those that were sent at once, and both of each pair.
  EXPECT_EQ(after("Fate"),
            (Ledger{.received = 60, .cloned = 10, .sent = 10 + 10 + 20, .dropped = 10, .consumed = 10, .held = 10}));
}

TEST_P(Conservation, OfEveryFateOnAPullPath) {
  // A copy for the very output that is being pulled has nowhere to go: one pull gives one packet.
  EXPECT_EQ(after("Queue -> Fate -> Unqueue"),
            (Ledger{.received = 60, .cloned = 10, .sent = 10 + 10 + 10, .dropped = 20, .consumed = 10, .held = 10}));
}

}  // namespace
}  // namespace packetmill::testing
