#include "graph/nearest.h"

#include <gtest/gtest.h>

namespace packetmill {
namespace {

TEST(DidYouMean, SuggestsTheNearestName) {
  const std::vector<std::string_view> names{"Discard", "Idle", "Queue", "SimpleQueue"};
  EXPECT_EQ(did_you_mean("Discrad", names), "did you mean 'Discard'?");
  EXPECT_EQ(did_you_mean("queue", names), "did you mean 'Queue'?");
  EXPECT_EQ(did_you_mean("Quueue", names), "did you mean 'Queue'?");
}

TEST(DidYouMean, SaysNothingWhereNothingIsNear) {
  EXPECT_EQ(did_you_mean("Nonsense", {"Discard", "Idle"}), "");
  EXPECT_EQ(did_you_mean("x", {"y"}), "") << "every letter would be another";
  EXPECT_EQ(did_you_mean("", {"y"}), "");
  EXPECT_EQ(did_you_mean(std::string(1000, 'x'), {"y"}), "");
}

}  // namespace
}  // namespace packetmill
