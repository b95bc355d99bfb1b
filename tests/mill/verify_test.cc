#include "verify/verify.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <fstream>

#include "plan/plan.h"
#include "tests/mill/command.h"
#include "tests/support/sanitized.h"
#include "tests/support/traces.h"

// `packetmill verify`: a user's own configuration, milled and interpreted, on made-up frames.
namespace packetmill::testing {
namespace {

using ::testing::HasSubstr;

class Differences : public ::testing::Test {
 protected:
  Differences() {
    std::filesystem::create_directories(scratch.file("oracle"));
    std::filesystem::create_directories(scratch.file("milled"));
    put("oracle/printed", "");
    put("oracle/errors", "");
    put("milled/printed", "");
    put("milled/errors", "");
  }
  void put(const std::string& file, const std::string& text) const { std::ofstream(scratch.file(file)) << text; }
  [[nodiscard]] std::string found() const {
    return verify::difference(scratch.file("oracle"), scratch.file("milled")).value_or("the same");
  }
  ScratchDirectory scratch;
};

TEST_F(Differences, OfAHandlersValueNamesTheHandler) {
  put("oracle/printed", "a.count:\n3\n\nb.count:\n4\n\n");
  put("milled/printed", "a.count:\n3\n\nb.count:\n5\n\n");
  EXPECT_EQ(found(), "line 5 (b.count) of what they print: the interpreter has\n  4\nand the milled program\n  5");
}

TEST_F(Differences, OfCyclesAreNone) {
  put("oracle/printed", "a.cycles:\n3\n\nb.count:\n4\n\n");
  put("milled/printed", "a.cycles:\n4\n\nb.count:\n4\n\n");
  EXPECT_EQ(found(), "the same");
}

TEST_F(Differences, OfMessagesAreFoundWhateverTheProgramIsCalled) {
  put("oracle/errors", "packetmill run: error: no such address\n");
  put("milled/errors", "no such address\n");
  EXPECT_EQ(found(), "the same");
  put("milled/errors", "no such handler\n");
  EXPECT_THAT(found(), HasSubstr("no such handler"));
}

TEST_F(Differences, OfOneFrameAreFound) {
  write_trace(scratch.file("oracle/out0.pcap"), {Bytes(60, 1), Bytes(60, 2)});
  write_trace(scratch.file("milled/out0.pcap"), {Bytes(60, 1), Bytes(60, 2)});
  EXPECT_EQ(found(), "the same");
  write_trace(scratch.file("milled/out0.pcap"), {Bytes(60, 1), Bytes(60, 3)});
  EXPECT_EQ(found(), "out0.pcap: packet 2 differs");
  write_trace(scratch.file("milled/out0.pcap"), {Bytes(60, 1)});
  EXPECT_EQ(found(), "out0.pcap: packet 2 differs");
}

TEST_F(Differences, OfASummaryAreFound) {
  std::ofstream(scratch.file("oracle/out0.summary")) << "!data timestamp\n1.0\n";
  std::ofstream(scratch.file("milled/out0.summary")) << "!data timestamp\n1.0\n";
  EXPECT_EQ(found(), "the same");
  std::ofstream(scratch.file("milled/out0.summary")) << "!data timestamp\n2.0\n";
  EXPECT_THAT(found(), HasSubstr("out0.summary"));
}

TEST(Verify, TellsOfEachPlanThatItDoesTheSame) {
  const ScratchDirectory scratch;
  const Ended ended = run_command(
      std::string(PACKETMILL_COMMAND) + " verify --plan all,paper-all --packets 400 --keep " + scratch.file("kept") +
      " -e 'FromDPDKDevice(0) -> Classifier(12/0800) -> Strip(14) -> check :: CheckIPHeader -> c :: Counter"
      " -> Queue(20) -> Unqueue -> r :: RadixIPLookup(10.0.0.0/8 0, 0/0 1); r[0] -> Paint(1) -> o :: ToDPDKDevice(0);"
      " r[1] -> DecIPTTL -> o'");
  EXPECT_EQ(ended.status, 0);
  EXPECT_EQ(ended.text,
            "all: the same as the interpreter, over 400 packets\n"
            "paper-all: the same as the interpreter, over 400 packets\n");
  EXPECT_GT(read_trace(scratch.file("kept/milled/out0.pcap")).size(), 20U) << "frames did get through";
}

// Every example under every plan, on made-up frames: presets, and of the router each choice that none of them takes.

constexpr const char* kExamples[] = {"forwarder", "workpackage", "router", "ids-router", "nat", "nat-flow"};

std::vector<std::pair<std::string, std::string>> examples_and_plans() {
  std::vector<std::pair<std::string, std::string>> all;
  for (const char* example : kExamples)
    for (const std::string_view plan : preset_names())
      if (!kSanitized || (plan == "all" && std::string_view(example) == "router")) all.emplace_back(example, plan);
  if (!kSanitized)
    for (const char* choices :
         {"paper-all:batch=7", "paper-all:loops=staged", "paper-all:batches=list", "paper-all:metadata=overlaying",
          "all:metadata=copying", "all:parameters=runtime", "all:dispatch=virtual:metadata=copying",
          "all:observe=cycles", "all:observe=counters", "paper-all:observe=sampled",
          "all:metadata=xchange:offloads=nic", "paper-all:passes=none", "devirtualize:parameters=constant"})
      all.emplace_back("router", choices);
  return all;
}

class Example : public ::testing::TestWithParam<std::pair<std::string, std::string>> {};

TEST_P(Example, IsTheSameAsTheInterpreter) {
  const auto& [example, plan] = GetParam();
  const Ended ended = run_command(std::string(PACKETMILL_COMMAND) + " verify --packets 1000 --plan " + plan +
                                  " examples/" + example + ".click");
  EXPECT_THAT(ended.text, ::testing::EndsWith(": the same as the interpreter, over 1000 packets\n"));
  EXPECT_EQ(ended.status, 0);
}
INSTANTIATE_TEST_SUITE_P(, Example, ::testing::ValuesIn(examples_and_plans()), [](const auto& info) {
  std::string name = info.param.first + "_" + info.param.second;
  std::ranges::replace_if(name, [](unsigned char letter) { return std::isalnum(letter) == 0; }, '_');
  return name;
});

TEST(Verify, LinkTimeOptimisationHasDpdksBurstFunctionsInside) {
  if (kSanitized) GTEST_SKIP() << "sanitizers' builds have no bitcode";
  const ScratchDirectory scratch;
  const Ended ended =
      run_command(std::string(PACKETMILL_COMMAND) + " verify --packets 1000 --plan all:link=lto --keep " +
                  scratch.file("kept") + " examples/router.click");
  ASSERT_EQ(ended.text, "all:link=lto: the same as the interpreter, over 1000 packets\n");
  const std::string symbols = run_command("nm " + scratch.file("kept/program")).text;
  for (const char* function : {"mlx5_rx_burst", "eth_memif_rx", "virtio_recv_pkts"}) {
    EXPECT_THAT(symbols, HasSubstr(std::string(" t ") + function + "\n"));
    EXPECT_THAT(symbols, ::testing::Not(HasSubstr(std::string(" T ") + function + "\n")));
  }
}

}  // namespace
}  // namespace packetmill::testing
