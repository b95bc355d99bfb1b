#include <gmock/gmock.h>

#include <nlohmann/json.hpp>
#include <thread>

#include "tests/mill/command.h"

// `packetmill latency`: frames of a generator on another core go through a milled program and come back. How long they
// take is the machine's business; that the account is right is ours.
namespace packetmill::testing {
namespace {

using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::StartsWith;

std::string latency(const std::string& arguments) { return std::string(PACKETMILL_COMMAND) + " latency " + arguments; }

class Latency : public ::testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    if (std::thread::hardware_concurrency() < 2) GTEST_SKIP() << "needs two CPUs";
  }
};
INSTANTIATE_TEST_SUITE_P(Over, Latency, ::testing::Values("ring", "memif", "virtio"),
                         [](const auto& info) { return info.param; });

TEST_P(Latency, AccountsForEveryFrame) {
  const ScratchFile json;
  const Ended ended =
      run_command(latency("bench/nf/forwarder.click --plan all --load 20,60 --seconds 0.02 --runs 2 --port " +
                          GetParam() + " --json " + json.path()));
  ASSERT_EQ(ended.status, 0) << ended.text;
  EXPECT_THAT(ended.text, StartsWith("100% is ")) << "nothing but the table, into a pipe";
  EXPECT_THAT(ended.text, ContainsRegex("\nall +20%"));
  EXPECT_THAT(ended.text, ContainsRegex("\nall +60%"));

  const auto rows = nlohmann::json::parse(json.text());
  ASSERT_EQ(rows.size(), 2U);
  for (const auto& row : rows) {
    EXPECT_EQ(row["file"], "bench/nf/forwarder.click");
    EXPECT_EQ(row["plan"], "all");
    EXPECT_EQ(row["port"], GetParam());
    EXPECT_EQ(row["arrivals"], "poisson");
    EXPECT_GT(row["delivered"], 0);
    EXPECT_EQ(row["offered"].get<std::uint64_t>(),
              row["delivered"].get<std::uint64_t>() + row["lost"].get<std::uint64_t>());
    for (const char* which : {"min", "median", "max"}) {
      EXPECT_GT(row["p50_us"][which], 0);
      EXPECT_LE(row["p50_us"][which], row["p99_us"][which]);
      EXPECT_LE(row["p99_us"][which], row["p999_us"][which]);
      EXPECT_LE(row["delivered_mpps"][which], row["offered_mpps"][which]);
    }
  }
  EXPECT_EQ(rows[0]["load"], 20);
  // Up to the chance of Poisson arrivals, of which a slow machine sees some hundred.
  EXPECT_NEAR(rows[1]["offered"].get<double>() / rows[0]["offered"].get<double>(), 3, 1);
}

TEST_F(Latency, SaysWhyNothingComesBack) {
  const Ended ended =
      run_command(latency("--plan all --seconds 0.01 -e 'FromDPDKDevice(0) -> c :: Classifier(12/86dd)"
                          " -> ToDPDKDevice(0)'"));
  EXPECT_EQ(ended.status, 1);
  EXPECT_THAT(ended.text, HasSubstr("no frame came back to the generator"));
}

TEST_F(Latency, NeedsAPortToMeasureAndACoreToDoItOn) {
  EXPECT_THAT(run_command(latency("-e 'FromDPDKDevice(1) -> ToDPDKDevice(0)'")).text,
              HasSubstr("needs a FromDPDKDevice(0) and a ToDPDKDevice(0)"));
  EXPECT_THAT(run_command(latency("--cpu 1 --generator-cpu 1 bench/nf/forwarder.click")).text,
              HasSubstr("needs a core of its own"));
}

}  // namespace
}  // namespace packetmill::testing
