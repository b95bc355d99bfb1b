#include "ports/dpdk/eal.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rte_lcore.h>
#include <rte_log.h>

#include <thread>

namespace packetmill::dpdk {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;

// DPDK starts once in a process: ctest gives each test its own; run all in one, those that need a fresh one are
// skipped.

TEST(DefaultArguments, WithoutHugepagesUseOrdinaryMemoryAndNoPci) {
  const auto arguments = default_arguments({}, /*hugepages=*/false);
  EXPECT_THAT(arguments, Contains("--no-huge"));
  EXPECT_THAT(arguments, Contains("--no-pci"));
}

TEST(DefaultArguments, WithHugepagesLeaveNoFilesBehind) {
  const auto arguments = default_arguments({}, /*hugepages=*/true);
  EXPECT_THAT(arguments, Contains("--in-memory"));
  EXPECT_THAT(arguments, Not(Contains("--no-huge")));
  EXPECT_THAT(arguments, Not(Contains("--no-pci")));
}

TEST(DefaultArguments, GiveWayToTheUsers) {
  EXPECT_THAT(default_arguments({"-m", "64", "-a0000:3b:00.0"}, false), Not(Contains("-m")));
  EXPECT_THAT(default_arguments({"-a0000:3b:00.0"}, false), Not(Contains("--no-pci")));
  EXPECT_THAT(default_arguments({"--lcores=0-1"}, false), Not(Contains("--lcores")));
  EXPECT_THAT(default_arguments({"--file-prefix", "x"}, false), Not(Contains("--no-huge")));
}

TEST(StartEal, WorksWithoutArguments) {
  if (eal_started()) GTEST_SKIP();
  EXPECT_EQ(start_eal({}), std::nullopt);
  EXPECT_TRUE(eal_started());
  EXPECT_EQ(start_eal({}), std::nullopt);
  EXPECT_THAT(start_eal({"-m", "64"}).value_or(""), HasSubstr("already running"));
}

TEST(StartEal, QuotesDpdkWhenItRefuses) {
  if (eal_started()) GTEST_SKIP();
  testing::internal::CaptureStdout();
  const auto error = start_eal({"--vdev", "net_nonsense0"});
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "");
  EXPECT_THAT(error.value_or(""), HasSubstr("net_nonsense0"));
  EXPECT_EQ(start_eal({"--vdev", "net_nonsense0"}), error) << "the next element that asks gets the same answer";
}

TEST(StartEal, NeitherPrintsNorExitsWhateverTheArgument) {
  if (eal_started()) GTEST_SKIP();
  testing::internal::CaptureStdout();
  EXPECT_TRUE(start_eal({"--help"}).has_value());
  EXPECT_TRUE(start_eal({"--log-level=help"}).has_value());
  EXPECT_TRUE(start_eal({"--no-such-argument"}).has_value());
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "");
}

TEST(Log, ReachesTheSinkLineByLine) {
  std::vector<std::string> lines;
  set_log_sink([&](std::string_view line) { lines.emplace_back(line); });
  ASSERT_EQ(start_eal({}), std::nullopt);
  lines.clear();
  rte_log(RTE_LOG_ERR, RTE_LOGTYPE_EAL, "one\ntw");
  rte_log(RTE_LOG_ERR, RTE_LOGTYPE_EAL, "o\n");
  rte_log(RTE_LOG_DEBUG, RTE_LOGTYPE_EAL, "unheard\n");
  set_log_sink({});
  EXPECT_THAT(lines, testing::ElementsAre("one", "two"));
}

TEST(ThreadRegistration, GivesEveryThreadAnIdentity) {
  ASSERT_EQ(start_eal({}), std::nullopt);
  const unsigned main = rte_lcore_id();
  unsigned first = LCORE_ID_ANY, second = LCORE_ID_ANY, after = 0;
  std::thread([&] {
    {
      const ThreadRegistration registration;
      first = rte_lcore_id();
      std::thread([&] {
        const ThreadRegistration inner;
        second = rte_lcore_id();
      }).join();
    }
    after = rte_lcore_id();
  }).join();
  EXPECT_NE(first, LCORE_ID_ANY);
  EXPECT_NE(second, LCORE_ID_ANY);
  EXPECT_NE(first, main);
  EXPECT_NE(first, second);
  EXPECT_EQ(after, LCORE_ID_ANY);
}

}  // namespace
}  // namespace packetmill::dpdk
