#include "ir/decision_graph.h"

#include <gtest/gtest.h>

#include <array>

namespace packetmill::ir {
namespace {

/// Ethernet type IPv4 to output 0, ARP to output 1, the rest nowhere: as a milled binary holds it.
constexpr Node kNodes[] = {
    {{Base::packet, 12, 0xffff0000, Relation::equal, 0x08000000}, end_with(0), 1},
    {{Base::packet, 12, 0xffff0000, Relation::equal, 0x08060000}, end_with(1), end_with(kNoOutput)},
};
constexpr DecisionGraph kGraph{{kNodes, 2}, 0};

constexpr int outcome(std::span<const uint8_t> packet) {
  return evaluate(kGraph, [&](Base) { return packet; });
}

constexpr std::array<uint8_t, 14> frame(uint8_t high, uint8_t low) {
  return {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, high, low};
}

TEST(DecisionGraph, IsEvaluatedAtCompileTimeToo) {
  static_assert(outcome(frame(0x08, 0x00)) == 0);
  static_assert(outcome(frame(0x08, 0x06)) == 1);
  static_assert(outcome(frame(0x86, 0xdd)) == kNoOutput);
  EXPECT_EQ(outcome(frame(0x08, 0x06)), 1);
}

TEST(DecisionGraph, ATestNeedsTheBytesUnderItsMaskAndNoMore) {
  const auto arp = frame(0x08, 0x06);
  EXPECT_EQ(outcome(std::span(arp).first(14)), 1) << "the four bytes at 12 go two beyond the end";
  EXPECT_EQ(outcome(std::span(arp).first(13)), kNoOutput);
  EXPECT_EQ(outcome({}), kNoOutput);
}

TEST(DecisionGraph, GreaterComparesUnsignedBigEndianNumbers) {
  constexpr ir::Test test{Base::packet, 0, 0xffff0000, Relation::greater, 0x7fff0000};
  EXPECT_TRUE(holds(test, std::array<uint8_t, 2>{0x80, 0x00}));
  EXPECT_FALSE(holds(test, std::array<uint8_t, 2>{0x7f, 0xff}));
  EXPECT_FALSE(holds(test, std::array<uint8_t, 1>{0xff}));
}

TEST(DecisionGraph, PrintsItsProgram) {
  EXPECT_EQ(to_string(kGraph),
            " 0  12/08000000%ffff0000  yes->[0]  no->step 1\n"
            " 1  12/08060000%ffff0000  yes->[1]  no->[X]\n");
  EXPECT_EQ(to_string(DecisionGraph{}), "all->[X]\n");
}

TEST(DecisionProgram, KnowsWhichOutputsItReaches) {
  const DecisionProgram program{{std::begin(kNodes), std::end(kNodes)}, 0};
  EXPECT_TRUE(program.reaches(0));
  EXPECT_TRUE(program.reaches(kNoOutput));
  EXPECT_FALSE(program.reaches(2));
  EXPECT_TRUE(DecisionProgram{}.reaches(kNoOutput));
}

}  // namespace
}  // namespace packetmill::ir
