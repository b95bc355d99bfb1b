#include <gmock/gmock.h>

#include "tests/mill/command.h"
#include "tests/support/traces.h"

// A milled program does what the interpreter does: the same frames of the examples' traces in the same order, the same drops,
// the same messages. A fused plan is held against the interpreter at a batch of one, a vector plan at its own batch.
namespace packetmill::testing {
namespace {

struct Case {
  std::string example;
  std::vector<std::string> outputs;  ///< variables of the configuration: where frames go
  std::string plan;                  ///< a preset, and perhaps other choices
  int batch = 1;                     ///< of the interpreter that is the oracle
};

std::string name_of(const Case& c) {
  std::string name = c.example + "_" + c.plan;
  std::ranges::replace_if(name, [](unsigned char letter) { return std::isalnum(letter) == 0; }, '_');
  return name;
}
void PrintTo(const Case& c, std::ostream* out) { *out << c.example << " " << c.plan; }

class MilledExample : public ::testing::TestWithParam<Case> {};

TEST_P(MilledExample, DoesWhatTheInterpreterDoes) {
  const Case& c = GetParam();
  const ScratchDirectory scratch;
  const auto variables = [&](const std::string& who) {
    std::string words = " TIMING=true";
    for (const std::string& output : c.outputs) words += " " + output + "=" + scratch.file(who + output);
    return words;
  };
  const std::string file = " examples/" + c.example + ".click";
  const std::string options = " --simtime -h drops -h ledger";
  const std::string program = scratch.file("program");
  const Ended built = run_command(std::string(PACKETMILL_COMMAND) + " build" + file + variables("milled") + " -o " +
                                  program + " --plan " + c.plan);
  ASSERT_EQ(built.status, 0) << built.text;
  const Ended milled = run_command(program + options);
  const Ended interpreted = run_command(std::string(PACKETMILL_COMMAND) + " run" + file + variables("interpreted") +
                                        options + " --batch " + std::to_string(c.batch));
  EXPECT_EQ(interpreted.status, 0);
  EXPECT_EQ(milled.status, 0);
  EXPECT_EQ(milled.text, interpreted.text);
  for (const std::string& output : c.outputs) {
    const std::vector<Bytes> frames = read_trace(scratch.file("milled" + output));
    EXPECT_GT(frames.size(), 0U) << output;
    EXPECT_TRUE(frames == read_trace(scratch.file("interpreted" + output))) << output;
  }
}

// All plans: tests/mill/verify_test.cc.
std::vector<Case> cases() {
  std::vector<Case> all;
  const std::pair<const char*, std::vector<std::string>> examples[] = {
      {"router", {"OUT0", "OUT1"}}, {"nat", {"TO_INSIDE", "TO_OUTSIDE"}},
      {"nat-flow", {"TO_OUTSIDE"}}, {"forwarder", {"OUT"}},
      {"workpackage", {"OUT"}},     {"ids-router", {"OUT"}}};
  for (const auto& [example, outputs] : examples) {
    all.push_back({example, outputs, "all"});
    all.push_back({example, outputs, "paper-all", 32});
  }
  all.push_back({"nat-flow", {"TO_OUTSIDE"}, "paper-all --set loops=staged --set batches=list", 32});
  return all;
}
INSTANTIATE_TEST_SUITE_P(, MilledExample, ::testing::ValuesIn(cases()),
                         [](const auto& info) { return name_of(info.param); });

/// What a program of `script` prints under `plan`.
std::string printed(const std::string& script, const std::string& plan, const std::string& options) {
  const ScratchDirectory scratch;
  const std::string program = scratch.file("program");
  const Ended built =
      run_command(std::string(PACKETMILL_COMMAND) + " build -e '" + script + "' -o " + program + " --plan " + plan);
  EXPECT_EQ(built.status, 0) << built.text;
  return run_command(program + " " + options).text;
}

constexpr const char* kTwoWays =
    "InfiniteSource(LIMIT 2048, STOP true) -> s :: RoundRobinSwitch; s[0] -> a :: Counter -> Discard;"
    "s[1] -> b :: Counter -> Discard";

TEST(Observe, CountersTellHowManyPacketsEachElementHasProcessed) {
  for (const char* loops : {"vector", "fused"})
    EXPECT_THAT(printed(kTwoWays, std::string("all --set observe=counters --set loops=") + loops, "-h runtime"),
                ::testing::AllOf(::testing::HasSubstr("s 2048 0\n"), ::testing::HasSubstr("a 1024 0\n"),
                                 ::testing::HasSubstr("b 1024 0\n")))
        << loops;
}

TEST(Observe, CyclesAreThoseOfAnElementsOwnCode) {
  EXPECT_THAT(printed(kTwoWays, "all --set observe=cycles", "-h runtime"),
              ::testing::ContainsRegex("\na 1024 [1-9][0-9]*\n"));
}

TEST(Observe, SamplesSayWhichWayAPacketWent) {
  for (const char* loops : {"vector", "fused"})
    EXPECT_THAT(printed(kTwoWays, std::string("all --set observe=sampled --set loops=") + loops, "-h trace"),
                ::testing::HasSubstr("s > a > Discard@4 dropped: discarded\n"))
        << loops;
}

TEST(MilledProgram, AnswersHandlersAndSaysItsPlan) {
  const ScratchDirectory scratch;
  const std::string program = scratch.file("program");
  ASSERT_EQ(run_command(std::string(PACKETMILL_COMMAND) +
                        " build -e 'InfiniteSource(LIMIT 7, STOP true) -> c :: Counter -> Discard' -o " + program)
                .text,
            "");
  EXPECT_EQ(run_command(program + " -h c.count -h c.class").text, "c.count:\n7\n\nc.class:\nCounter\n\n");
  EXPECT_THAT(run_command(program + " --plan").text, ::testing::HasSubstr("loops = fused\n"));
  EXPECT_EQ(run_command(program + " -x c.count").status, 7);
}

TEST(MilledProgram, RunsOnTheCoresOfItsPlan) {
  for (const char* plan : {"all --set cores=2", "paper-all --set cores=2"})
    EXPECT_EQ(printed("a :: InfiniteSource(LIMIT 1000, STOP true) -> ca :: Counter -> joined :: Counter -> Discard;"
                      "b :: InfiniteSource(LIMIT 2000, STOP true) -> cb :: Counter -> joined;"
                      "StaticThreadSched(a 0, b 1); DriverManager(wait_stop 2)",
                      plan, "-h ca.count -h cb.count -h joined.count"),
              "ca.count:\n1000\n\ncb.count:\n2000\n\njoined.count:\n3000\n\n")
        << plan;
}

TEST(MilledProgram, AnotherConfigurationIsRefused) {
  const ScratchDirectory scratch;
  const std::string program = scratch.file("program");
  ASSERT_EQ(run_command(std::string(PACKETMILL_COMMAND) + " build -e Idle -o " + program).status, 0);
  const Ended ended = run_command(program + " other.click");
  EXPECT_EQ(ended.status, 1);
  EXPECT_THAT(ended.text, ::testing::HasSubstr("packetmill run"));
}

TEST(MilledProgram, MistakesAreThoseOfTheConfiguration) {
  const Ended ended = run_command(std::string(PACKETMILL_COMMAND) + " build -e 'Strip(x) -> Discard' -o /dev/null");
  EXPECT_EQ(ended.status, 1);
  EXPECT_THAT(ended.text, ::testing::HasSubstr("config:1:"));
}

}  // namespace
}  // namespace packetmill::testing
