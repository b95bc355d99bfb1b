#include "graph/passes/codes.h"

#include <gtest/gtest.h>

namespace packetmill {
namespace {

std::pair<int, int> counts(std::string_view code, int used_inputs, int used_outputs) {
  const PortCounts result = port_counts(code, {used_inputs, used_outputs});
  return {result.inputs, result.outputs};
}

TEST(PortCount, IsWhatTheElementNeedsWithinItsRange) {
  EXPECT_EQ(counts("1/1", 0, 0), std::pair(1, 1));
  EXPECT_EQ(counts("1/1", 3, 2), std::pair(1, 1)) << "the surplus connections are errors";
  EXPECT_EQ(counts("1/1-2", 1, 0), std::pair(1, 1));
  EXPECT_EQ(counts("1/1-2", 1, 2), std::pair(1, 2));
  EXPECT_EQ(counts("1/1-2", 1, 3), std::pair(1, 2));
  EXPECT_EQ(counts("1-/-", 0, 4), std::pair(1, 4));
  EXPECT_EQ(counts("0", 1, 1), std::pair(0, 0)) << "one part is for both sides";
}

TEST(PortCount, OutputsMayFollowInputs) {
  EXPECT_EQ(counts("1-/=", 3, 1), std::pair(3, 3));
  EXPECT_EQ(counts("1-/=", 1, 3), std::pair(3, 3));
  EXPECT_EQ(counts("1-/=+", 2, 1), std::pair(2, 3));
  EXPECT_EQ(counts("1/=+", 1, 5), std::pair(1, 2));
}

TEST(ProcessingCode, IsALetterAPortAndTheLastForAllFurther) {
  EXPECT_EQ(processing_code("a/ah", false, 0), 'a');
  EXPECT_EQ(processing_code("a/ah", true, 0), 'a');
  EXPECT_EQ(processing_code("a/ah", true, 1), 'h');
  EXPECT_EQ(processing_code("a/ah", true, 9), 'h');
  EXPECT_EQ(processing_code("l", true, 0), 'l');
}

TEST(FlowCode, ConnectsPortsWithACommonLetter) {
  EXPECT_TRUE(flows("x/x", 3, 5));
  EXPECT_FALSE(flows("x/y", 0, 0));
  EXPECT_EQ(reachable_outputs("xy/x", 0, 2), (std::vector{0, 1}));
  EXPECT_EQ(reachable_outputs("xy/x", 1, 2), std::vector<int>{});
  EXPECT_EQ(reachable_outputs("xyz/[xy]z", 1, 3), std::vector{0});
  EXPECT_EQ(reachable_outputs("x/[^x]x", 0, 2), std::vector{1});
}

TEST(FlowCode, TakesNumberSignsForPortNumbers) {
  EXPECT_EQ(reachable_outputs("#/#", 1, 3), std::vector{1});
  EXPECT_EQ(reachable_outputs("#/[^#]", 1, 3), (std::vector{0, 2}));
}

TEST(FlowCode, SurvivesWhatIsNoCode) {
  EXPECT_FALSE(flows("", 0, 0));
  EXPECT_FALSE(flows("[/]", 0, 0));
  EXPECT_FALSE(flows("x/[", 0, 0));
}

}  // namespace
}  // namespace packetmill
