#include "ports/pcap/ToDump.h"

#include <gmock/gmock.h>

#include "ports/pcap/FromDump.h"
#include "tests/support/packets.h"
#include "tests/support/scratch_file.h"

namespace packetmill::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

constexpr Shape kSink{.inputs = 1, .outputs = 0};

TestPacket at_time(Bytes bytes, std::int64_t nanoseconds) {
  return TestPacket(std::move(bytes)).set<ReceiveTime>(Timestamp{nanoseconds});
}

/// What ToDump writes of `packets`.
Bytes dump(const std::string& keywords, const std::vector<TestPacket>& packets) {
  const ScratchFile file;
  {
    ElementTest test("ToDump", file.path() + keywords, kSink);
    test.push(0, packets);
    EXPECT_EQ(test.ledger().sent, packets.size());
  }
  return file.bytes();
}

TEST(ToDump, WritesAFileThatTcpdumpReads) {
  EXPECT_EQ(dump("", {at_time(hex("deadbeef"), 123'456'789'123'456'789), at_time({}, 1'000'000'000)}),
            hex("d4c3b2a1 0200 0400 00000000 00000000 d0070000 01000000"  // snap length 2000, Ethernet
                "15cd5b07 40e20100 04000000 04000000 deadbeef"            // 123456789 s, 123456 us
                "01000000 00000000 00000000 00000000"));
}

TEST(ToDump, NanoKeepsNanoseconds) {
  EXPECT_EQ(dump(", NANO true", {at_time(hex("aa"), 123'456'789'123'456'789)}),
            hex("4d3cb2a1 0200 0400 00000000 00000000 d0070000 01000000"
                "15cd5b07 15cd5b07 01000000 01000000 aa"));
}

TEST(ToDump, AnUnsetTimeBecomesThePresent) {
  const Bytes file = dump("", {hex("aa")});  // the bench's clock starts at 1,000,000,000 s
  EXPECT_EQ(Bytes(file.begin() + 24, file.begin() + 28), hex("00ca9a3b"));
}

TEST(ToDump, SnaplenCutsAndKeepsTheLength) {
  EXPECT_EQ(dump(", 2", {at_time(hex("aabbccdd"), 0 + 1'000'000'000)}),
            hex("d4c3b2a1 0200 0400 00000000 00000000 02000000 01000000"
                "01000000 00000000 02000000 04000000 aabb"));
  EXPECT_THAT(dump(", SNAPLEN 0", {Bytes(65535)}), SizeIs(24 + 16 + 65535));
  EXPECT_THAT(dump("", {Bytes(65535)}), SizeIs(24 + 16 + 2000));
}

TEST(ToDump, ExtraLengthCountsUnlessToldOtherwise) {
  const TestPacket packet = at_time(hex("aa"), 1'000'000'000).set<ExtraLength>(59);
  EXPECT_EQ(dump("", {packet})[24 + 12], 60);
  EXPECT_EQ(dump(", EXTRA_LENGTH false", {packet})[24 + 12], 1);
}

TEST(ToDump, EncapGoesIntoTheHeader) {
  const auto link_type = [](const std::string& encap) { return dump(", ENCAP " + encap, {})[20]; };
  EXPECT_EQ(link_type("ETHER"), 1);
  EXPECT_EQ(link_type("IP"), 101);
  EXPECT_EQ(link_type("NULL"), 0);
  EXPECT_EQ(link_type("SLL"), 113);
  EXPECT_EQ(link_type("PPP"), 9);
  EXPECT_EQ(link_type("802_11"), 105);
}

TEST(ToDump, BadArgumentsAreErrors) {
  const ScratchFile file;
  EXPECT_EQ(ElementTest("ToDump", file.path() + ", ENCAP TOKENRING", kSink).errors(),
            "ENCAP: bad encapsulation type\n");
  EXPECT_EQ(ElementTest("ToDump", file.path() + ", ENCAP IP, USE_ENCAP_FROM e", kSink).errors(),
            "specify at most one of ENCAP and USE_ENCAP_FROM\n");
  EXPECT_EQ(ElementTest("ToDump", file.path() + ", USE_ENCAP_FROM e", kSink).errors(),
            "USE_ENCAP_FROM: no element named 'e'\n");
  EXPECT_EQ(ElementTest("ToDump", file.path() + ", USE_ENCAP_FROM element", kSink).errors(),
            "USE_ENCAP_FROM: no 'element.encap' handler\n");
  EXPECT_THAT(ElementTest("ToDump", "/no/such/directory/file", kSink).errors(), HasSubstr("No such file or directory"));
}

/// FromDump -> ToDump, ToDump first in the configuration.
std::string copy_with_encap(const ScratchFile& from, const ScratchFile& to, const std::string& more = {}) {
  Graph graph;
  const Location here{"test", 1, 1};
  graph.elements.push_back({"to", "ToDump", to.path() + more + ", USE_ENCAP_FROM from", here, here});
  graph.elements.push_back({"from", "FromDump", from.path() + ", STOP true", here, here});
  graph.connections.push_back({{1, 0}, {0, 0}, here});
  Diagnostics diagnostics;
  const auto router = engine::Router::make(graph, {}, diagnostics);
  if (!router) return diagnostics.list().front().message;
  router->run();
  return {};
}

TEST(ToDump, UseEncapFromAsksTheElementAndTheCopyIsTheSame) {
  // A nanosecond file of raw IP, with a packet of which the file has only a part.
  const Bytes original =
      hex("4d3cb2a1 0200 0400 00000000 00000000 d0070000 65000000"
          "15cd5b07 15cd5b07 02000000 3c000000 aabb"
          "16cd5b07 01000000 03000000 03000000 aabbcc");
  const ScratchFile from(original);
  const ScratchFile to;
  EXPECT_EQ(copy_with_encap(from, to, ", NANO true"), "");
  EXPECT_EQ(to.bytes(), original);
}

TEST(ToDump, GivesPacketsOnWhereItHasAnOutput) {
  const ScratchFile file;
  ElementTest test("ToDump", file.path() + ", UNBUFFERED true");
  test.push(0, TestPacket(hex("aabb")));
  EXPECT_EQ(test.output(), std::vector<TestPacket>{hex("aabb")});
  EXPECT_THAT(file.bytes(), SizeIs(24 + 16 + 2));  // unbuffered: before the end
  EXPECT_EQ(test.read("count"), "1");
  EXPECT_EQ(test.read("filename"), file.path());
  EXPECT_EQ(test.write("reset_counts"), "");
  EXPECT_EQ(test.read("count"), "0");
}

TEST(ToDump, AFullDiskIsToldOnceAndDropsPackets) {
  ElementTest test("ToDump", "/dev/full", kSink);
  test.push(0, std::vector<TestPacket>(1000, TestPacket(Bytes(1500))));  // more than what waits for the disk
  EXPECT_EQ(test.messages(), std::vector<std::string>{"element: /dev/full: cannot write"});
  EXPECT_GT(test.drops("write_failed"), 0);
}

TEST(ToDump, AHeaderThatCannotBeWrittenIsAnError) {
  EXPECT_THAT(ElementTest("ToDump", "/dev/full, UNBUFFERED true", kSink).errors(), HasSubstr("No space left"));
}

}  // namespace
}  // namespace packetmill::testing
