#include <gmock/gmock.h>

#include <fstream>

#include "tests/support/packets.h"

// IPClassifier and IPFilter. The pattern language has its own tests, in ir/.
namespace packetmill::testing {
namespace {

using ::testing::IsEmpty;

const Bytes kSyn = tcp(1024, 80, kTcpSyn, {}, {.source = "10.0.0.7", .destination = "1.0.0.1"});
const Bytes kFinAck = tcp(1024, 80, kTcpFin | kTcpAck, {}, {.source = "10.0.0.7", .destination = "1.0.0.1"});
const Bytes kAck = tcp(1024, 80, kTcpAck, {}, {.source = "10.0.0.7", .destination = "1.0.0.1"});
const Bytes kUdp = udp(1024, 53, {}, {.source = "10.0.0.7", .destination = "1.0.0.1"});

TEST(IPClassifier, ClassifiesAsTheManualPageSays) {
  for (const int batch_size : {1, 32}) {
    ElementTest test("IPClassifier", "10.0.0.0/24 and syn, 10.0.0.0/24 and fin ack, 10.0.0.0/24 and tcp, -",
                     {.outputs = 4, .batch_size = batch_size});
    test.push(0, {marked(kAck), marked(kSyn), marked(kUdp), marked(kFinAck), marked(kSyn)});
    EXPECT_EQ(test.output(0), (std::vector<TestPacket>{kSyn, kSyn}));
    EXPECT_EQ(test.output(1), std::vector<TestPacket>{kFinAck});
    EXPECT_EQ(test.output(2), std::vector<TestPacket>{kAck});
    EXPECT_EQ(test.output(3), std::vector<TestPacket>{kUdp});
  }
}

TEST(IPClassifier, ReadsEachHeaderAtItsMark) {
  ElementTest test("IPClassifier", "dst tcp port 80 and ether host 00:00:00:00:00:02, -", {.outputs = 2});
  const Bytes frame = ethernet(kSyn);
  test.push(0, {TestPacket(frame).at(0, 14, 34), TestPacket(frame).at(-1, 14, 34), TestPacket(frame)});
  EXPECT_EQ(test.output(0).size(), 1);
  EXPECT_EQ(test.output(1).size(), 2) << "no MAC header marked, no header marked";
}

TEST(IPClassifier, DropsWhatMatchesNoPattern) {
  ElementTest test("IPClassifier", "tcp");
  test.push(0, {marked(kUdp), TestPacket(Bytes{}), TestPacket(hex("45")).at(-1, 0, 20)});
  EXPECT_EQ(test.drops("no_match"), 3);
}

TEST(IPClassifier, PatternsMayBeRewrittenAmongPackets) {
  ElementTest test("IPClassifier", "syn, udp, -", {.outputs = 3});
  EXPECT_EQ(test.read("pattern0") + "; " + test.read("pattern1") + "; " + test.read("pattern2"), "syn; udp; -");
  test.push(0, marked(kUdp));
  EXPECT_EQ(test.output(1).size(), 1);

  EXPECT_EQ(test.write("pattern0", "ip proto udp"), "");
  EXPECT_EQ(test.read("pattern0"), "ip proto udp");
  EXPECT_EQ(test.read("pattern1"), "udp") << "still, although nothing reaches it";
  test.push(0, {marked(kUdp), marked(kSyn)});
  EXPECT_EQ(test.output(0), std::vector<TestPacket>{kUdp});
  EXPECT_THAT(test.output(1), IsEmpty());
  EXPECT_EQ(test.output(2), std::vector<TestPacket>{kSyn});

  const std::string program = test.read("program");
  EXPECT_NE(test.write("pattern2", "tcp and and"), "");
  EXPECT_EQ(test.read("pattern2"), "-") << "a wrong pattern changes nothing";
  EXPECT_EQ(test.read("program"), program);
  EXPECT_FALSE(test.router().write("element.pattern3", "-").ok) << "there are as many patterns as outputs";
}

TEST(IPClassifier, MistakesInTheConfiguration) {
  EXPECT_EQ(ElementTest("IPClassifier", "tcp, udp").errors(), "need 1 arguments, one per output port\n");
  EXPECT_THAT(ElementTest("IPClassifier", "tcp, src port", {.outputs = 2}).errors(),
              ::testing::StartsWith("pattern 1: "));
  EXPECT_EQ(ElementTest("IPClassifier", "tcp, src port www and tcp", {.outputs = 2}).errors(),
            "pattern 1 matches no packets\n");
}

TEST(IPFilter, TheFirstRuleThatMatchesDecides) {
  ElementTest test("IPFilter", "deny src 10.0.0.8, 1 udp, allow dst tcp port www, drop all", {.outputs = 2});
  EXPECT_EQ(test.errors(), "");
  const Bytes spoofed = udp(1, 2, {}, {.source = "10.0.0.8"});
  const Bytes ssh = tcp(1024, 22);
  test.push(0, {marked(spoofed), marked(kUdp), marked(kSyn), marked(ssh)});
  EXPECT_EQ(test.output(0), std::vector<TestPacket>{kSyn});
  EXPECT_EQ(test.output(1), std::vector<TestPacket>{kUdp});
  EXPECT_EQ(test.drops("denied"), 2);
}

TEST(IPFilter, WithoutAMatchAPacketIsDropped) {
  ElementTest test("IPFilter", "allow tcp");
  test.push(0, marked(kUdp));
  EXPECT_EQ(test.drops("denied"), 1);
}

TEST(IPFilter, RulesMayStandInAFile) {
  const std::string name = ::testing::TempDir() + "ip_filter_rules";
  std::ofstream(name) << "# what we trust\n\n  deny src 10.0.0.8\nallow udp\n";
  ElementTest test("IPFilter", "file " + name + ", 1 all", {.outputs = 2});
  EXPECT_EQ(test.errors(), "");
  test.push(0, {marked(udp(1, 2, {}, {.source = "10.0.0.8"})), marked(kUdp), marked(kSyn)});
  EXPECT_EQ(test.drops("denied"), 1);
  EXPECT_EQ(test.output(0), std::vector<TestPacket>{kUdp});
  EXPECT_EQ(test.output(1), std::vector<TestPacket>{kSyn});
  EXPECT_EQ(ElementTest("IPFilter", "file /nowhere/rules").errors(), "cannot read '/nowhere/rules'\n");
}

TEST(IPFilter, ProgramShowsTheTests) {
  ElementTest test("IPFilter", "allow udp");
  EXPECT_EQ(test.read("program"),
            " 0  ip 8/00110000%00ff0000  yes->[0]  no->[X]\n"
            "safe length 10\n"
            "alignment offset 0\n");
}

TEST(IPFilter, MistakesInTheConfiguration) {
  EXPECT_EQ(ElementTest("IPFilter", "1 tcp, allow all").errors(), "pattern 0: output out of range\n");
  EXPECT_THAT(ElementTest("IPFilter", "permit tcp").errors(), ::testing::StartsWith("pattern 0: expected an action"));
}

}  // namespace
}  // namespace packetmill::testing
