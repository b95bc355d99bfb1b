#include <gmock/gmock.h>

#include <fstream>

#include "tests/mill/command.h"
#include "tests/mill/emitted.h"
#include "tests/support/traces.h"

// What generated code has once had wrong.
namespace packetmill::testing {
namespace {

using ::testing::HasSubstr;

TEST(GeneratedCode, SendsWhatADeviceHasGatheredWhenATurnIsOver) {
  EXPECT_THAT(emitted("in :: FromDPDKDevice(0) -> c :: Classifier(12/0800, -) -> out :: ToDPDKDevice(0); c[1] -> out"),
              HasSubstr("bool run_in_0(Core& core, int task) {\n"
                        "  const bool worked = engine::take_turn(engine::MilledStance<in_0>{core}, task);\n"
                        "  engine::flush<out_2>(core);\n"
                        "  return worked;\n"
                        "}\n"));
}

TEST(GeneratedCode, EndsABatchAfterEveryPacketOfAFusedLoop) {
  const Ended ended = run_command(std::string(PACKETMILL_COMMAND) +
                                  " verify --plan all --packets 100 -e 'FromDPDKDevice(0)"
                                  " -> s :: RoundRobinSwitch(SPLITBATCH false); o :: ToDPDKDevice(0);"
                                  " s[0] -> a :: Counter -> Paint(1) -> o; s[1] -> b :: Counter -> EtherMirror -> o'");
  EXPECT_EQ(ended.text, "all: the same as the interpreter, over 100 packets\n");
}

TEST(GeneratedCode, HasTheEnumerationOfGetIPAddress) {
  const Ended ended = run_command(std::string(PACKETMILL_COMMAND) +
                                  " verify --plan all --packets 100 -e 'FromDPDKDevice(0) -> MarkIPHeader(14)"
                                  " -> GetIPAddress(IP dst) -> SetIPAddress(10.0.0.1) -> ToDPDKDevice(0)'");
  EXPECT_EQ(ended.text, "all: the same as the interpreter, over 100 packets\n");
}

TEST(GeneratedCode, DuplicatesNoJoin) {
  const std::string code = emitted(
      "FromDPDKDevice(0) -> c :: Classifier(12/0800, 12/0806, -) -> joined :: Counter -> behind :: EtherMirror"
      " -> ToDPDKDevice(0); c[1] -> Paint(1) -> joined; c[2] -> Truncate(99) -> joined");
  const auto count = [&](const std::string& text) {
    int found = 0;
    for (std::size_t at = code.find(text); at != std::string::npos; at = code.find(text, at + 1)) ++found;
    return found;
  };
  EXPECT_GE(count("goto joined_2;"), 2) << "two ways lead there";
  EXPECT_EQ(count("engine::process<joined_2, hot>"), 1);
  EXPECT_EQ(count("engine::process<behind_3, hot>"), 1);
}

TEST(GeneratedCode, HoldsNoRulesThatAreInAFile) {
  const ScratchDirectory scratch;
  const std::string rules = scratch.file("rules");
  const std::string program = scratch.file("program");
  std::ofstream(rules) << "deny all\n";
  EXPECT_EQ(
      run_command(std::string(PACKETMILL_COMMAND) +
                  " build -e 'InfiniteSource(DATA \\<45000014 00000000 40110000 01020304 05060708>, LIMIT 3, STOP true)"
                  " -> MarkIPHeader -> IPFilter(file " +
                  rules + ") -> c :: Counter -> Discard' -o " + program)
          .text,
      "");
  std::ofstream(rules) << "allow all\n";
  EXPECT_EQ(run_command(program + " -h c.count").text, "3\n");
}

}  // namespace
}  // namespace packetmill::testing
