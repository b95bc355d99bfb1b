#include "plan/plan.h"

#include <gmock/gmock.h>

#include <algorithm>

namespace packetmill {
namespace {

TEST(Plan, PresetsAreThePapersScenariosAndOurs) {
  EXPECT_EQ(to_string(*preset("vanilla")),
            "dispatch = virtual\nparameters = runtime\nloops = vector\nbatches = vector\nbatch = 32\nstage = 8\n"
            "metadata = copying\noffloads = software\npasses = none\nobserve = none\nlink = objects\ncores = 1\n");
  EXPECT_EQ(preset("devirtualize")->dispatch, Dispatch::direct);
  EXPECT_EQ(preset("constants")->parameters, ParameterChoice::constant);
  EXPECT_EQ(preset("static-graph")->dispatch, Dispatch::static_graph);
  EXPECT_EQ(preset("all")->loops, Loops::fused);
  EXPECT_FALSE(preset("fastest"));
  for (const std::string_view name : preset_names()) EXPECT_TRUE(preset(name)) << name;
}

TEST(Plan, FileOfPresetAndChoices) {
  Diagnostics diagnostics;
  const Plan plan =
      parse_plan("p", "# ours\npreset = all\nmetadata=copying  # to compare\n\n batch = 64\r\n", diagnostics);
  EXPECT_EQ(diagnostics.errors(), 0);
  Plan expected = *preset("all");
  expected.name = "p";
  expected.metadata = MetadataModel::copying;
  expected.batch = 64;
  EXPECT_EQ(plan, expected);
}

TEST(Plan, PassesAreAllNoneOrSomeInTheirOwnOrder) {
  Plan plan;
  EXPECT_FALSE(set_choice(plan, "passes", "merge, dead"));
  EXPECT_THAT(plan.passes, testing::ElementsAre("dead", "merge"));
  EXPECT_THAT(to_string(plan), testing::HasSubstr("\npasses = dead,merge\n"));
  EXPECT_FALSE(set_choice(plan, "passes", "all"));
  EXPECT_EQ(plan.passes, preset("all")->passes);
  EXPECT_EQ(set_choice(plan, "passes", "merge,fastest"),
            "passes is all, none, or some of unreachable, no-ops, dead, merge, combine, early-drops");
  EXPECT_FALSE(set_choice(plan, "passes", "none"));
  EXPECT_TRUE(plan.passes.empty());
}

TEST(Plan, WhatIsPrintedIsReadAgain) {
  for (const std::string_view name : preset_names()) {
    Diagnostics diagnostics;
    Plan plan = parse_plan("p", to_string(*preset(name)), diagnostics);
    plan.name = name;
    EXPECT_EQ(plan, *preset(name));
  }
}

TEST(Plan, EveryChoiceIsListedWithItsValues) {
  std::vector<std::string_view> names;
  for (const Choice& choice : choices()) {
    names.push_back(choice.name);
    for (const std::string_view value : choice.values) {
      Plan plan;
      EXPECT_EQ(set_choice(plan, choice.name, value), std::nullopt);
      EXPECT_THAT(to_string(plan), testing::HasSubstr(std::string(choice.name) + " = " + std::string(value) + "\n"));
    }
  }
  const std::string all = to_string(Plan{});
  EXPECT_EQ(static_cast<std::size_t>(std::ranges::count(all, '=')), names.size());
}

TEST(Plan, EveryMistakeAtItsLine) {
  Diagnostics diagnostics;
  (void)parse_plan("p", "loops = round\nloops\nspeed = 1\nbatch = 0\npreset = all\npreset = slow\n", diagnostics);
  std::vector<std::string> said;
  for (const Diagnostic& d : diagnostics.list()) said.push_back(std::to_string(d.where.line) + ": " + d.message);
  EXPECT_THAT(
      said, testing::ElementsAre("1: loops is one of vector, staged, fused", "2: a line of a plan is 'choice = value'",
                                 "3: no choice 'speed': there are dispatch, parameters, loops, batches, batch, stage, "
                                 "metadata, offloads, passes, observe, link, cores",
                                 "4: batch is a number from 1 to 256", "5: the preset comes before all choices",
                                 "6: the preset comes before all choices", "6: no preset 'slow'"));
}

}  // namespace
}  // namespace packetmill
