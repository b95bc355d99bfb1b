#include <gmock/gmock.h>

#include "tests/mill/command.h"
#include "tests/support/element_test.h"
#include "tests/support/traces.h"

// Passes in a program: what they leave, that it does what the interpreter does with the whole configuration, and that
// what they refuse to do would be seen. Each pass by itself: graph/passes/NAME_test.cc.

namespace packetmill::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

const std::string kEvery = "tests/mill/every_pass.click";

std::string dumped(const std::string& pass, const std::string& more = {}) {
  const Ended ended =
      run_command(std::string(PACKETMILL_COMMAND) + " build " + kEvery + " --dump-after=" + pass + " " + more);
  EXPECT_EQ(ended.status, 0) << ended.text;
  return ended.text;
}

TEST(DumpAfter, PrintsTheConfigurationAsThePassLeavesIt) {
  EXPECT_THAT(dumped("unreachable"), AllOf(Not(HasSubstr("unfed")), HasSubstr("gap :: Null;\n")));
  EXPECT_THAT(dumped("no-ops"), AllOf(Not(HasSubstr("gap")), HasSubstr("kind -> useless;\n")));
  EXPECT_THAT(dumped("dead"), AllOf(HasSubstr("kind -> arp;\n"), HasSubstr("kind [1] -> two;\n")));
  EXPECT_THAT(dumped("merge"), AllOf(HasSubstr("twelve :: Strip(14);\n"), HasSubstr("on :: Unstrip(8);\n")));
  EXPECT_THAT(dumped("combine"), AllOf(Not(HasSubstr("on :: ")), HasSubstr("lasting -> drop;\n")));
  EXPECT_EQ(dumped("early-drops"), R"(in :: FromDPDKDevice(0);
HostEtherFilter@2 :: HostEtherFilter(2:2:2:2:2:2, DROP_OTHER false);
kind :: Classifier(12/0806, 12/0800, -);
arp :: Discard;
twelve :: Strip(14);
CheckIPHeader@15 :: CheckIPHeader;
seen :: Counter;
lasting :: Paint(3);
drop :: DropBroadcasts;
colors :: PaintSwitch;
Discard@22 :: Discard;
Discard@23 :: Discard;
Discard@24 :: Discard;
encap :: EtherEncap(0x800, 1:1:1:1:1:1, 3:3:3:3:3:3, REPLACE 6);
out :: Queue(50);
Unqueue@28 :: Unqueue;
ToDPDKDevice@29 :: ToDPDKDevice(0);
Strip@30 :: Strip(14);
other :: Counter;
Unstrip@32 :: Unstrip(14);
in -> HostEtherFilter@2;
HostEtherFilter@2 -> kind;
kind -> arp;
kind [1] -> twelve;
twelve -> CheckIPHeader@15;
CheckIPHeader@15 -> seen;
seen -> drop;
drop -> lasting;
lasting -> colors;
colors -> Discard@22;
colors [1] -> Discard@23;
colors [2] -> Discard@24;
colors [3] -> encap;
encap -> out;
out -> Unqueue@28;
Unqueue@28 -> ToDPDKDevice@29;
kind [2] -> Strip@30;
Strip@30 -> other;
other -> Unstrip@32;
Unstrip@32 -> out;
)");
}

TEST(DumpAfter, SaysWhichPassesThereAre) {
  for (const char* name : {"all", "fast"}) {
    const Ended ended = run_command(std::string(PACKETMILL_COMMAND) + " build " + kEvery + " --dump-after=" + name);
    EXPECT_EQ(ended.status, 1);
    EXPECT_EQ(ended.text, std::string("packetmill build: error: --dump-after=") + name +
                              ": give one pass, of unreachable, no-ops, dead, merge, combine, early-drops\n");
  }
  const Ended ended = run_command(std::string(PACKETMILL_COMMAND) + " build " + kEvery +
                                  " --plan paper-all:passes=dead --dump-after=merge");
  EXPECT_EQ(ended.status, 1);
  EXPECT_EQ(ended.text, "packetmill build: error: --dump-after=merge: not one of the plan's passes\n");
}

TEST(DumpAfter, PassesOfAPlanRunAlone) {
  EXPECT_THAT(dumped("merge", "--plan static-graph:passes=merge"),
              AllOf(HasSubstr("gap :: Null;\n"), HasSubstr("overwritten :: Paint(1);\n"),
                    HasSubstr("encap :: EtherEncap(0x800, 1:1:1:1:1:1, 3:3:3:3:3:3, REPLACE 6);\n")));
}

TEST(Passes, AProgramDoesWhatTheWholeConfigurationDoes) {
  const Ended ended = run_command(std::string(PACKETMILL_COMMAND) +
                                  " verify --plan all,paper-all,static-graph:passes=all --packets 1500 " + kEvery);
  EXPECT_EQ(ended.status, 0);
  EXPECT_EQ(ended.text,
            "all: the same as the interpreter, over 1500 packets\n"
            "paper-all: the same as the interpreter, over 1500 packets\n"
            "static-graph:passes=all: the same as the interpreter, over 1500 packets\n");
}

TEST(Passes, WhatIsTakenOutStillAnswers) {
  const ScratchDirectory scratch;
  const std::string program = scratch.file("program");
  const std::string configuration =
      " -e 'InfiniteSource(LIMIT 3, STOP true) -> a :: Paint(1) -> b :: Strip(5) -> Discard;"
      " Idle -> c :: Counter -> Discard'";
  const std::string handlers = " -h a.color -h a.ports -h b.config -h c.count -h flatconfig";
  ASSERT_EQ(run_command(std::string(PACKETMILL_COMMAND) + " build" + configuration + " -o " + program).text, "");
  const Ended milled = run_command(program + handlers);
  EXPECT_THAT(milled.text, AllOf(HasSubstr("a.color:\n1\n"), HasSubstr("[0] b\n"), HasSubstr("b.config:\n5\n")));
  EXPECT_EQ(milled.text, run_command(std::string(PACKETMILL_COMMAND) + " run" + configuration + handlers).text);
}

/// What can be seen of a run of some packets from IN to OUT: frames, annotations, drops, handlers, messages.
std::string seen(std::string text) {
  text.replace(text.find("IN"), 2, "in0 :: TestInput");
  text.replace(text.find("OUT"), 3, "out0 :: TestOutput");
  ElementTest test(Script{text});
  EXPECT_EQ(test.errors(), "") << text;
  std::vector<TestPacket> packets;
  for (const std::size_t length : {0U, 9U, 13U, 14U, 40U, 2030U})
    for (const std::uint8_t type : {0, 6}) {
      Bytes frame(length, 0x45);
      if (length > 13) frame[12] = 8, frame[13] = type;
      packets.push_back(TestPacket(frame).set<Kind>(length == 40 ? PacketKind::broadcast : PacketKind::host));
    }
  test.push(0, packets);
  std::string result;
  for (const TestPacket& packet : test.output(0)) {
    result.append(packet.bytes.begin(), packet.bytes.end());
    result += "|" + std::to_string(packet.get<PaintColor>()) + "\n";
  }
  for (const auto& drop : test.router().drops()) result += drop.element + " " + drop.reason + "\n";
  for (const auto& node : test.router().nodes())
    for (const char* handler : {".count", ".drops"})
      if (const auto answer = test.router().read(node->name + handler); answer.ok)
        result += node->name + handler + " " + answer.text + "\n";
  for (const std::string& message : test.messages()) result += message + "\n";
  return result;
}

TEST(Passes, WhatTheyRefuseToDoWouldBeSeen) {
  for (const auto& [configuration, reduced] : std::initializer_list<std::pair<std::string, std::string>>{
           // Too short for the Strip, a packet comes out of the Unstrip longer than it was.
           {"IN -> Strip(14) -> Unstrip(14) -> OUT", "IN -> Null -> OUT"},
           // Two Unstrips move the frame twice where it lacks room: other bytes come to lie before it.
           {"IN -> a :: Unstrip(4) -> b :: Unstrip(200) -> OUT", "IN -> b :: Unstrip(204) -> OUT"},
           // A Counter in between counts bytes, before and after.
           {"IN -> c :: Counter -> Strip(4) -> d :: DropBroadcasts -> OUT",
            "IN -> d :: DropBroadcasts -> c :: Counter -> Strip(4) -> OUT"},
           // A Print in between shows what there is.
           {"IN -> Strip(4) -> Print(p) -> Strip(4) -> OUT", "IN -> Print(p) -> Strip(8) -> OUT"},
           // Two ways that meet at a Queue: a batch arrives there output by output.
           {"IN -> k :: Classifier(12/0806, -); k [0] -> q :: Queue -> Unqueue -> OUT; k [1] -> q;",
            "IN -> q :: Queue -> Unqueue -> OUT"},
           // No match is not the Discard's drop.
           {"IN -> k :: Classifier(12/0806, 12/0800); k [0] -> d :: Discard; k [1] -> d; Idle -> OUT",
            "IN -> d :: Discard; Idle -> OUT; Idle -> k :: Classifier(-) -> Discard"},
           // A PaintTee looks at the paint.
           {"IN -> Paint(1) -> t :: PaintTee(1) -> OUT; t [1] -> d :: Discard",
            "IN -> t :: PaintTee(1) -> OUT; t [1] -> d :: Discard"},
           // The second exit would lack what is done before.
           {"IN -> Paint(1) -> d :: DropBroadcasts -> Discard; d [1] -> OUT",
            "IN -> d :: DropBroadcasts -> Paint(1) -> Discard; d [1] -> OUT"},
       })
    EXPECT_NE(seen(configuration), seen(reduced)) << configuration;
}

}  // namespace
}  // namespace packetmill::testing
