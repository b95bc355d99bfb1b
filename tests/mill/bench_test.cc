#include <gmock/gmock.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "tests/mill/command.h"
#include "tests/support/sanitized.h"
#include "tests/support/traces.h"

// `packetmill bench`, from a configuration to its rows.
namespace packetmill::testing {
namespace {

nlohmann::json rows_of(const std::string& script, const std::string& options) {
  const ScratchDirectory scratch;
  std::ofstream(scratch.file("nf.click")) << script;
  const Ended ended = run_command(std::string(PACKETMILL_COMMAND) + " bench " + scratch.file("nf.click") + " " +
                                  options + " --replays 10 --json " + scratch.file("rows.json"));
  EXPECT_EQ(ended.status, 0) << ended.text;
  std::ifstream file(scratch.file("rows.json"));
  return nlohmann::json::parse(file, nullptr, false);
}

// WorkPackage has a handler `cycles` as a memory port has.
TEST(Bench, MeasuresMemoryPortsWhateverHandlersElementsHave) {
  const auto rows = rows_of("FromDPDKDevice(0) -> WorkPackage(S 0, N 0, W 1) -> EtherMirror -> ToDPDKDevice(0)",
                            "--plan vanilla,all");
  ASSERT_EQ(rows.size(), 4U);
  EXPECT_EQ(rows[1]["plan"], "all");
  EXPECT_EQ(rows[1]["packets"], 5 * 10 * 4096);
  EXPECT_EQ(rows[2]["file"], "(empty)");
  for (const auto& row : rows) {
    EXPECT_GT(row["cycles_per_packet"]["min"], 0.0);
    EXPECT_TRUE(row["instructions_per_packet"].is_null());
  }
}

TEST(Bench, CountsWhatThePacketsTakeAndNotWhatPutsThemRight) {
  if (kSanitized) GTEST_SKIP() << "callgrind does not run what is instrumented";
  const auto rows = rows_of("FromDPDKDevice(0) -> EtherMirror -> ToDPDKDevice(0)", "--plan all --count");
  ASSERT_EQ(rows.size(), 2U);
  const double mirror = rows[0]["instructions_per_packet"];
  const double empty = rows[1]["instructions_per_packet"];
  EXPECT_GT(empty, 5);
  EXPECT_LT(empty, 60) << "copying a frame back takes more";
  EXPECT_GT(mirror, empty + 3);
  EXPECT_LT(mirror, empty + 60);
}

// `packetmill bench` refuses plans that do not send the same packets, or drop as many for the same reasons.
TEST(NightlyBench, MetadataModelsSendTheSameOverTheMemoryPort) {
  const Ended ended = run_command(
      std::string(PACKETMILL_COMMAND) +
      " bench bench/nf/router.click bench/nf/ids-router.click bench/nf/nat.click --plan "
      "vanilla,all,all:metadata=overlaying,all:metadata=copying,paper-all:metadata=overlaying,paper-all --replays 10");
  EXPECT_EQ(ended.status, 0) << ended.text;
}

}  // namespace
}  // namespace packetmill::testing
