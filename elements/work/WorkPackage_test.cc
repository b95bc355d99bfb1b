#include "elements/work/WorkPackage.h"

#include <gmock/gmock.h>

#include "tests/support/packets.h"

namespace packetmill::testing {
namespace {

using ::testing::IsEmpty;

WorkPackage::State& state_of(ElementTest& test) {
  auto* node = dynamic_cast<engine::NodeOf<WorkPackage>*>(test.router().find("element"));
  return engine::ElementView<WorkPackage>(*node).state();
}

TEST(WorkPackage, PacketsPassUnchangedFromEachInputToItsOutput) {
  ElementTest test("WorkPackage", "S 1, N 3, W 4, R 50, PAYLOAD true", {.inputs = 2, .outputs = 2});
  test.push(1, TestPacket(counting(64)));
  EXPECT_THAT(test.output(0), IsEmpty());
  EXPECT_EQ(test.output(1), std::vector<TestPacket>{counting(64)});
}

TEST(WorkPackage, TheArrayIsReallyReadAsOftenAsConfigured) {
  ElementTest test("WorkPackage", "1, 5");
  auto& state = state_of(test);
  EXPECT_EQ(state.memory.size() * 4, 1U << 20U);
  state.memory.assign(state.memory.size(), 1000);
  test.push(0, TestPacket(counting(64)));
  EXPECT_EQ(state.sink, 5 * 1000);
}

TEST(WorkPackage, ThePercentageGoesToThePacketAndOnlyToItsHeaderUnlessToldOtherwise) {
  Bytes packet(54, 7);        // headers
  packet.resize(1500, 0xff);  // payload
  ElementTest headers("WorkPackage", "S 1, N 40, R 100");
  headers.push(0, TestPacket(packet));
  EXPECT_EQ(state_of(headers).sink, 40 * 7);

  ElementTest all("WorkPackage", "S 1, N 40, R 100, PAYLOAD true");
  all.push(0, TestPacket(Bytes(1500, 3)));
  EXPECT_EQ(state_of(all).sink, 40 * 3);

  ElementTest some("WorkPackage", "S 1, N 1000, R 25");
  state_of(some).memory.assign(state_of(some).memory.size(), 1);
  some.push(0, TestPacket(Bytes(54, 0)));
  EXPECT_NEAR(state_of(some).sink, 750, 60);  // four standard deviations
}

TEST(WorkPackage, TheNumbersAreTheElementsOwnGenerator) {
  ElementTest test("WorkPackage", "S 0, N 0, W 3");
  Random same(1, "element", 0);
  const std::uint32_t sum = same.next() + same.next() + same.next();
  test.push(0, TestPacket(counting(64)));
  EXPECT_EQ(state_of(test).sink, sum);
}

TEST(WorkPackage, NeitherAnEmptyPacketNorAnEmptyArrayIsRead) {
  ElementTest test("WorkPackage", "S 0, N 100, R 50");
  test.push(0, TestPacket(Bytes{}));
  EXPECT_EQ(test.output(0).size(), 1);
  EXPECT_EQ(state_of(test).sink, 0);
}

TEST(WorkPackage, AnalysisCountsRoundsAndCycles) {
  ElementTest test("WorkPackage", "S 0, N 0, W 100, ANALYSIS true");
  test.push(0, std::vector<TestPacket>(3, TestPacket(counting(64))));
  EXPECT_EQ(test.read("cycles_work"), "3");
  EXPECT_NE(test.read("cycles"), "0");
  EXPECT_EQ(std::stoull(test.read("cycles_per_work")), std::stoull(test.read("cycles")) / 3);

  ElementTest without("WorkPackage", "S 0, N 0, W 100");
  without.push(0, TestPacket(counting(64)));
  EXPECT_EQ(without.read("cycles"), "0");
  EXPECT_EQ(without.read("cycles_work"), "0");
  EXPECT_EQ(without.read("cycles_per_work"), "0");
}

TEST(WorkPackage, ConfigurationErrors) {
  EXPECT_EQ(ElementTest("WorkPackage", "S 1, N 1, R 101").errors(), "R: out of range, bound 100\n");
  EXPECT_EQ(ElementTest("WorkPackage", "S 8193, N 1").errors(), "S: out of range, bound 8192\n");
}

}  // namespace
}  // namespace packetmill::testing
