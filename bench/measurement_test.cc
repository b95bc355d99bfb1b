#include "bench/measurement.h"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "ports/memory/replay.h"

namespace packetmill::bench {
namespace {

using ::testing::DoubleNear;
using ::testing::HasSubstr;

const std::vector<Row> kRows = {
    {.file = "a.click", .plan = "vanilla", .port = "memory", .packets = 30, .cycles = {100, 90, 110}},
    {.file = "a.click",
     .plan = "all",
     .port = "memory",
     .packets = 30,
     .cycles = {50, 30, 44},
     .counts = Counts{80, 2.5, 0}},
    {.file = "(empty)", .plan = "all", .port = "memory", .packets = 30, .cycles = {10, 10, 4}},
};

TEST(Measurement, RatiosCompareTheRunsOfOneRound) {
  const Spread ratio = ratio_of(kRows[1], kRows[0]);
  EXPECT_DOUBLE_EQ(ratio.min, 2);
  EXPECT_DOUBLE_EQ(ratio.median, 2.5);
  EXPECT_DOUBLE_EQ(ratio.max, 3);
}

TEST(Measurement, JsonHasTheKeysThatScriptsUse) {
  const auto rows = nlohmann::json::parse(to_json(kRows));
  ASSERT_EQ(rows.size(), 3U);
  std::vector<std::string> keys;
  for (const auto& [key, value] : rows[1].items()) keys.push_back(key);
  EXPECT_THAT(
      keys, ::testing::UnorderedElementsAre("file", "plan", "port", "packets", "cycles_per_packet", "mpps", "ratio",
                                            "instructions_per_packet", "l1_misses_per_packet", "ll_misses_per_packet"));
  EXPECT_EQ(rows[1]["cycles_per_packet"], nlohmann::json({{"min", 30}, {"median", 44}, {"max", 50}}));
  EXPECT_EQ(rows[1]["instructions_per_packet"], 80);
  EXPECT_TRUE(rows[0]["instructions_per_packet"].is_null());
  EXPECT_THAT(rows[1]["mpps"]["median"].get<double>(), DoubleNear(tsc_hertz() / 44 / 1e6, 1e-6));
}

TEST(Measurement, TextTellsWhatIsThePortsAndWhatTheFunctions) {
  const std::string text = to_text(kRows);
  EXPECT_THAT(text, HasSubstr("a.click  all      memory    44.0 [30.0, 50.0]        40.0 [20.0, 40.0]"));
  EXPECT_THAT(text, HasSubstr("80.0  2.50  0.000\n"));
}

TEST(Measurement, OfAMemoryRunIsTheMedianOfItsTurns) {
  RunFigures run;
  EXPECT_EQ(parse_memory_run("in.cycles:\n900 500 20 22 90\n\nin.mismatches:\n0\n\nin.digest:\n77\n\n", run),
            std::nullopt);
  EXPECT_DOUBLE_EQ(run.cycles, 22) << "without the first two, which warm up";
  EXPECT_EQ(run.packets, 5 * memory::Replay::kFrames);
  EXPECT_EQ(run.digest, 77U);
}

TEST(Measurement, OfARunThatIsNotTheSameEachTimeIsNone) {
  RunFigures run;
  EXPECT_THAT(parse_memory_run("in.cycles:\n9 9 9\n\nin.mismatches:\n2\n\n", run).value_or(""),
              HasSubstr("2 of its turns"));
  EXPECT_THAT(parse_memory_run("", run).value_or(""), HasSubstr("no port was replaced"));
}

TEST(Measurement, OfARunOverEmulatedNICsIsTheMedianBurstOfEach) {
  RunFigures run;
  EXPECT_EQ(parse_burst_run("a.xstats:\nrx_good_packets: 64\nburst_cycles_min: 1\nburst_cycles_median: 320\n\n"
                            "b.xstats:\nrx_good_packets: 32\nburst_cycles_median: 640\n",
                            run),
            std::nullopt);
  EXPECT_EQ(run.packets, 96U);
  EXPECT_EQ(run.cycles, 15.0);
  EXPECT_THAT(parse_burst_run("no such device\n", run).value_or(""), HasSubstr("no such device"));
}

TEST(Measurement, OfADeviceRunIsWhatTheProgramSays) {
  RunFigures run;
  EXPECT_EQ(parse_device_run("EAL: a word\n{\"received\":640,\"cycles_per_packet\":31.5}\n", run), std::nullopt);
  EXPECT_EQ(run.packets, 640U);
  EXPECT_DOUBLE_EQ(run.cycles, 31.5);
  EXPECT_THAT(parse_device_run("no such device\n", run).value_or(""), HasSubstr("no such device"));
  EXPECT_THAT(parse_device_run("{\"received\":0}", run).value_or(""), HasSubstr("received nothing"));
}

TEST(Callgrind, CountsAreOfOnePacket) {
  const auto start = parse_callgrind(
      "version: 1\nevents: Ir Dr Dw I1mr D1mr D1mw ILmr DLmr DLmw\nfn=(1) x\n"
      "totals: 1000 1 1 10 20 30 1 2 3\n");
  const auto whole =
      parse_callgrind("events: Ir Dr Dw I1mr D1mr D1mw ILmr DLmr DLmw\ntotals: 5000 1 1 20 40 60 2 4 6\n");
  ASSERT_TRUE(start && whole);
  const Counts counts = per_packet(*whole, *start, 100);
  EXPECT_DOUBLE_EQ(counts.instructions, 40);
  EXPECT_DOUBLE_EQ(counts.l1_misses, 0.6);
  EXPECT_DOUBLE_EQ(counts.ll_misses, 0.06);
  EXPECT_EQ(parse_callgrind("valgrind: no\n"), std::nullopt);
}

}  // namespace
}  // namespace packetmill::bench
