#include <gmock/gmock.h>

#include <map>
#include <random>
#include <set>
#include <tuple>

#include "elements/nat/rewrite.h"
#include "tests/support/packets.h"

namespace packetmill::testing {
namespace {

using ::testing::IsEmpty;
using ::testing::SizeIs;

constexpr Shape kTwoByTwo{.inputs = 2, .outputs = 2};
const std::string kInside = "10.0.0.1";    // the default source of test packets
const std::string kServer = "10.0.1.2";    // their default destination
const std::string kOutside = "192.0.2.1";  // the translator's own address

Bytes from(const std::string& source, std::uint16_t port, std::uint16_t to_port) {
  return udp(port, to_port, counting(8), {.source = source});
}
Bytes between(const std::string& source, std::uint16_t port, const std::string& destination, std::uint16_t to_port) {
  return udp(port, to_port, counting(8), {.source = source, .destination = destination});
}
std::uint16_t port_of(const TestPacket& packet) {
  const auto* ip = reinterpret_cast<const IPv4Header*>(packet.bytes.data());
  std::uint16_t port;
  std::memcpy(&port, packet.bytes.data() + ip->header_length(), 2);
  return swap_network(port);
}

TEST(IPRewriter, APatternRewritesFlowsAndTheirAnswersBack) {
  for (const int batch_size : {1, 32}) {
    ElementTest test("IPRewriter", "pattern 192.0.2.1 1024-65535# - - 0 1, drop",
                     {.inputs = 2, .outputs = 2, .batch_size = batch_size});
    test.push(0, {marked(udp(5000, 53)), marked(udp(5001, 53)), marked(udp(5000, 53))});
    EXPECT_EQ(test.output(0),
              (std::vector<TestPacket>{from(kOutside, 1024, 53), from(kOutside, 1025, 53), from(kOutside, 1024, 53)}));
    test.push(1, {marked(between(kServer, 53, kOutside, 1025)), marked(between(kServer, 53, kOutside, 1026))});
    EXPECT_EQ(test.output(1), std::vector<TestPacket>{between(kServer, 53, kInside, 5001)});
    EXPECT_EQ(test.drops("no_mapping"), 1);
    EXPECT_EQ(test.read("table_size"), "2");
  }
}

TEST(IPRewriter, TcpByteForByte) {
  // 10.0.0.1:4660 -> 10.0.1.2:80, SYN, without data; the source becomes 192.0.2.1:1024. Header sum 4500+0028+0001+4006+
  // 0a00+0001+0a00+0102 = 9a32, checksum 65cd; outside 5233, adcc. TCP: 0a00+0001+0a00+0102+0006+0014 + 1234+0050+
  // 0000+0001+0000+0000+5002+1000 = 87a4, checksum 785b; outside ...+c000+0201-0a00-0001+0400-1234: 13170 -> 3171,
  // ce8e.
  ElementTest test("IPRewriter", "pattern 192.0.2.1 1024 - - 0 0");
  test.push(0, marked(hex("45000028 00010000 400665cd 0a000001 0a000102"
                          "12340050 00000001 00000000 50021000 785b0000")));
  EXPECT_EQ(test.output(0), std::vector<TestPacket>{hex("45000028 00010000 4006adcc c0000201 0a000102"
                                                        "04000050 00000001 00000000 50021000 ce8e0000")});
}

TEST(IPRewriter, AllFourPartsOfAPattern) {
  ElementTest test("IPRewriter", "pattern 192.0.2.1 7 198.51.100.9 8080 1 0", {.outputs = 2});
  test.push(0, marked(udp(5000, 53)));
  EXPECT_EQ(test.output(1), std::vector<TestPacket>{between(kOutside, 7, "198.51.100.9", 8080)});
  test.push(0, marked(between("198.51.100.9", 8080, kOutside, 7)));
  EXPECT_EQ(test.output(0), std::vector<TestPacket>{between(kServer, 53, kInside, 5000)});
}

TEST(IPRewriter, ADashLeavesAPartAsItIs) {
  ElementTest test("IPRewriter", "pattern - - 198.51.100.9 - 0 0");
  test.push(0, marked(udp(5000, 53)));
  EXPECT_EQ(test.output(0), std::vector<TestPacket>{between(kInside, 5000, "198.51.100.9", 53)});
}

TEST(IPRewriter, ARangePrefersThePacketsOwnPort) {
  ElementTest test("IPRewriter", "pattern 192.0.2.1 5000-5010 - - 0 0");
  test.push(0, {marked(udp(5003, 53)), marked(from("10.0.0.2", 5003, 53)), marked(udp(80, 53))});
  const auto out = test.output(0);
  ASSERT_THAT(out, SizeIs(3));
  EXPECT_EQ(port_of(out[0]), 5003);
  EXPECT_NE(port_of(out[1]), 5003) << "taken";
  for (const TestPacket& packet : out) {
    EXPECT_GE(port_of(packet), 5000);
    EXPECT_LE(port_of(packet), 5010);
  }
}

TEST(IPRewriter, AQuestionMarkMakesItRandom) {
  ElementTest test("IPRewriter", "pattern 192.0.2.1 1024-65535? - - 0 0");
  std::vector<TestPacket> packets;
  for (std::uint16_t port = 2000; port < 2100; ++port) packets.push_back(marked(udp(port, 53)));
  test.push(0, packets);
  int same = 0;
  std::set<std::uint16_t> ports;
  for (const TestPacket& packet : test.output(0)) {
    same += port_of(packet) >= 2000 && port_of(packet) < 2100;
    ports.insert(port_of(packet));
  }
  EXPECT_THAT(ports, SizeIs(100));
  EXPECT_LT(same, 5);
}

TEST(IPRewriter, KeepKnowsTheFlowAndChangesNothing) {
  ElementTest test("IPRewriter", "keep 0 1, drop", kTwoByTwo);
  test.push(1, marked(between(kServer, 53, kInside, 5000)));
  EXPECT_EQ(test.drops("no_mapping"), 1);
  test.push(0, marked(udp(5000, 53)));
  EXPECT_EQ(test.output(0), std::vector<TestPacket>{udp(5000, 53)});
  test.push(1, marked(between(kServer, 53, kInside, 5000)));
  EXPECT_EQ(test.output(1), std::vector<TestPacket>{between(kServer, 53, kInside, 5000)});
}

TEST(IPRewriter, PassSendsOnAllThatIsNotRewritten) {
  ElementTest test("IPRewriter", "pass 1, pattern 192.0.2.1 7 - - 0 0", kTwoByTwo);
  const std::vector<TestPacket> packets{marked(udp(5000, 53)), marked(icmp(8, 0)), marked(ipv4(6, counting(19))),
                                        marked(udp(5000, 53, counting(8), {.fragment = 2}))};
  test.push(0, packets);
  EXPECT_EQ(test.output(1), packets);
  EXPECT_EQ(test.read("size"), "0");
  test.push(1, marked(udp(5000, 53)));
  test.push(0, marked(udp(5000, 53)));
  EXPECT_EQ(test.output(0), std::vector<TestPacket>(2, from(kOutside, 7, 53))) << "known flows are, on any input";
}

TEST(IPRewriter, WhatCannotBeRewrittenIsDropped) {
  ElementTest test("IPRewriter", "pattern 192.0.2.1 7 - - 0 0");
  test.push(0, {TestPacket(counting(10)), marked(icmp(8, 0)), marked(ipv4(6, counting(19))),
                marked(ipv4(17, counting(7))), marked(udp(5000, 53, counting(8), {.fragment = 2}))});
  EXPECT_EQ(test.drops("no_ip_header"), 1);
  EXPECT_EQ(test.drops("wrong_protocol"), 1);
  EXPECT_EQ(test.drops("truncated"), 2);
  EXPECT_EQ(test.drops("later_fragment"), 1);
  EXPECT_THAT(test.output(0), IsEmpty());
}

TEST(IPRewriter, OptionsFirstFragmentsAndMissingUdpChecksums) {
  ElementTest test("IPRewriter", "pattern 192.0.2.1 7 - - 0 0");
  IPv4Options options{.fragment = kMoreFragments, .options = hex("01010101")};
  Bytes no_checksum = udp(5000, 54);
  no_checksum[26] = no_checksum[27] = 0;
  test.push(0, {marked(udp(5000, 53, counting(8), options)), marked(no_checksum)});
  options.source = kOutside;
  Bytes expected = from(kOutside, 7, 54);
  expected[26] = expected[27] = 0;
  EXPECT_EQ(test.output(0), (std::vector<TestPacket>{udp(7, 53, counting(8), options), expected}));
}

TEST(IPRewriter, TheDestinationAnnotationFollows) {
  for (const bool follows : {true, false}) {
    ElementTest test("IPRewriter",
                     std::string("pattern - - 198.51.100.9 - 0 0, DST_ANNO ") + (follows ? "true" : "false"));
    test.push(0, marked(udp(5000, 53)).set<DestinationAddress>(ip("1.1.1.1")));
    EXPECT_EQ(test.output(0).at(0).get<DestinationAddress>(), ip(follows ? "198.51.100.9" : "1.1.1.1"));
  }
}

TEST(IPRewriter, AnExhaustedRangeDropsNewFlowsAndKeepsTheOthers) {
  ElementTest test("IPRewriter", "pattern 192.0.2.1 1024-1026# - - 0 0");
  for (std::uint16_t port = 1; port <= 5; ++port) test.push(0, marked(udp(port, 53)));
  EXPECT_EQ(test.drops("no_port"), 2);
  EXPECT_EQ(test.read("mapping_failures"), "2");
  EXPECT_THAT(test.output(0), SizeIs(3));
  test.push(0, marked(udp(2, 53)));
  EXPECT_EQ(test.output(0), std::vector<TestPacket>{from(kOutside, 1025, 53)});
  test.push(0, marked(udp(4, 54)));
  EXPECT_EQ(test.output(0), std::vector<TestPacket>{from(kOutside, 1024, 54)}) << "to others every port is free";
}

TEST(IPRewriter, TwoFlowsWhoseAnswersLookTheSameConflict) {
  ElementTest test("IPRewriter", "pattern 192.0.2.1 - - - 0 0, keep 0 0", {.inputs = 2, .outputs = 1});
  test.push(0, {marked(udp(5000, 53)), marked(from("10.0.0.2", 5000, 53))});
  EXPECT_THAT(test.output(0), SizeIs(1));
  EXPECT_EQ(test.drops("conflict"), 1);
  test.push(1, marked(between(kInside, 9, kInside, 9)));
  EXPECT_EQ(test.drops("conflict"), 2) << "its answers are itself";
}

TEST(IPRewriter, CapacityHasTwoNamesAndClearForgetsAllFlows) {
  ElementTest test("IPRewriter", "keep 0 0, CAPACITY 2");
  test.push(0, {marked(udp(1, 53)), marked(udp(2, 53)), marked(udp(3, 53))});
  EXPECT_EQ(test.drops("table_full"), 1);
  EXPECT_EQ(test.read("nmappings"), "2");
  EXPECT_EQ(test.write("clear"), "");
  EXPECT_EQ(test.read("nmappings"), "0");
  test.push(0, marked(udp(3, 53)));
  EXPECT_EQ(test.read("nmappings"), "1");
}

TEST(IPRewriter, AFullTableKeepsGuaranteedFlowsAndEvictsTheLongestSilent) {
  ElementTest test("IPRewriter", "keep 0 0, MAPPING_CAPACITY 2, UDP_GUARANTEE 10");
  test.push(0, {marked(udp(1, 53)), marked(udp(2, 53)), marked(udp(3, 53))});
  EXPECT_EQ(test.drops("table_full"), 1);
  EXPECT_EQ(test.read("mapping_failures"), "1");
  test.advance(Duration::seconds(6));
  test.push(0, marked(udp(1, 53)));
  test.advance(Duration::seconds(6));
  test.push(0, {marked(udp(3, 53)), marked(udp(4, 53))});
  EXPECT_EQ(test.drops("table_full"), 2) << "flow 2 was silent for 12 s and went, flow 1 for 6 s";
  EXPECT_EQ(test.read("udp_table"),
            "(10.0.0.1, 1, 10.0.1.2, 53, udp) => (10.0.0.1, 1, 10.0.1.2, 53) [*0 0]\n"
            "(10.0.1.2, 53, 10.0.0.1, 1, udp) => (10.0.1.2, 53, 10.0.0.1, 1) [0 *0]\n"
            "(10.0.0.1, 3, 10.0.1.2, 53, udp) => (10.0.0.1, 3, 10.0.1.2, 53) [*0 0]\n"
            "(10.0.1.2, 53, 10.0.0.1, 3, udp) => (10.0.1.2, 53, 10.0.0.1, 3) [0 *0]\n");
}

/// Flows alive after `packets` of one flow (an answer where `second`) and `silence`.
std::string alive_after(const std::string& keywords, const std::vector<std::pair<Bytes, int>>& packets,
                        std::int64_t silence, const std::string& class_name = "IPRewriter") {
  ElementTest test(class_name, "keep 0 0, drop, REAP_INTERVAL 1" + keywords, {.inputs = 2, .outputs = 1});
  for (const auto& [packet, input] : packets) test.push(input, marked(packet));
  test.advance(Duration::seconds(silence));
  return test.read("table_size");
}

TEST(IPRewriter, UdpTimeouts) {
  const Bytes there = udp(5000, 53), back = between(kServer, 53, kInside, 5000);
  const std::string times = ", UDP_TIMEOUT 60, UDP_STREAMING_TIMEOUT 200";
  EXPECT_EQ(alive_after(times, {{there, 0}}, 60), "1");
  EXPECT_EQ(alive_after(times, {{there, 0}}, 61), "0");
  EXPECT_EQ(alive_after(times, {{there, 0}, {back, 1}}, 61), "0");
  EXPECT_EQ(alive_after(times, {{there, 0}, {there, 0}, {there, 0}, {there, 0}}, 61), "0");
  EXPECT_EQ(alive_after(times, {{there, 0}, {back, 1}, {there, 0}}, 200), "1");
  EXPECT_EQ(alive_after(times, {{there, 0}, {back, 1}, {there, 0}}, 201), "0");
  EXPECT_EQ(alive_after(", UDP_TIMEOUT 60", {{there, 0}, {back, 1}, {there, 0}}, 61), "0");
  EXPECT_EQ(alive_after("", {{there, 0}}, 300), "1");
  EXPECT_EQ(alive_after("", {{there, 0}}, 301), "0");
}

TEST(IPRewriter, TcpTimeouts) {
  const IPv4Options reply{.source = kServer, .destination = kInside};
  const auto there = [](std::uint8_t flags, std::size_t data = 0) {
    return std::pair{tcp(5000, 80, flags, counting(data)), 0};
  };
  const auto back = [&](std::uint8_t flags, std::size_t data = 0) {
    return std::pair{tcp(80, 5000, flags, counting(data), reply), 1};
  };
  const std::string times = ", TCP_TIMEOUT 1000, TCP_NODATA_TIMEOUT 100, TCP_DONE_TIMEOUT 10";
  const auto syn = there(kTcpSyn), syn_ack = back(kTcpSyn | kTcpAck), ack = there(kTcpAck);
  const auto request = there(kTcpAck, 5), answer = back(kTcpAck, 5);
  const auto fin = there(kTcpFin | kTcpAck), fin_back = back(kTcpFin | kTcpAck);

  EXPECT_EQ(alive_after(times, {syn, syn_ack, ack, request}, 100), "1");
  EXPECT_EQ(alive_after(times, {syn, syn_ack, ack, request}, 101), "0");
  EXPECT_EQ(alive_after(times, {syn, syn_ack, ack, request, answer}, 1000), "1");
  EXPECT_EQ(alive_after(times, {syn, syn_ack, ack, request, answer}, 1001), "0");
  EXPECT_EQ(alive_after(times, {syn, syn_ack, ack, request, answer, fin}, 11), "1") << "half closed";
  EXPECT_EQ(alive_after(times, {syn, syn_ack, ack, request, answer, fin, fin_back}, 10), "1");
  EXPECT_EQ(alive_after(times, {syn, syn_ack, ack, request, answer, fin, fin_back, ack}, 11), "0");
  EXPECT_EQ(alive_after(times, {syn, syn_ack, ack, request, answer, back(kTcpRst)}, 11), "0");
  EXPECT_EQ(alive_after(times, {syn, syn_ack, fin, fin_back, syn}, 11), "1") << "a new connection";
  EXPECT_EQ(alive_after("", {syn, syn_ack, ack, request, answer}, 24 * 3600), "1");
  EXPECT_EQ(alive_after("", {syn, syn_ack, ack, request, answer}, 24 * 3600 + 1), "0");
  EXPECT_EQ(alive_after("", {syn}, 300), "1");
  EXPECT_EQ(alive_after("", {syn}, 301), "0");
  EXPECT_EQ(alive_after("", {syn, syn_ack, back(kTcpRst)}, 241), "0");
}

TEST(IPRewriter, TimedOutFlowsLiveUntilTheyAreReaped) {
  ElementTest test("IPRewriter", "pattern 192.0.2.1 1024-65535# - - 0 0, UDP_TIMEOUT 10, REAP_INTERVAL 60");
  test.push(0, marked(udp(5000, 53)));
  test.advance(Duration::seconds(50));
  EXPECT_EQ(test.read("size"), "1");
  test.push(0, marked(udp(5000, 53)));
  EXPECT_EQ(test.output(0), std::vector<TestPacket>(2, from(kOutside, 1024, 53)));
  test.advance(Duration::seconds(9));
  EXPECT_EQ(test.read("size"), "1");
  test.advance(Duration::seconds(61));
  EXPECT_EQ(test.read("size"), "0");
  test.push(0, marked(udp(5000, 53)));
  EXPECT_EQ(test.output(0), std::vector<TestPacket>{from(kOutside, 1025, 53)});
}

TEST(IPRewriter, TablesAndLookup) {
  ElementTest test("IPRewriter", "pattern 192.0.2.1 1024-65535# - - 0 1", {.outputs = 2});
  test.push(0, {marked(tcp(5000, 80)), marked(udp(5000, 53))});
  EXPECT_EQ(test.read("tcp_table"),
            "(10.0.0.1, 5000, 10.0.1.2, 80, tcp) => (192.0.2.1, 1024, 10.0.1.2, 80) [*0 1]\n"
            "(10.0.1.2, 80, 192.0.2.1, 1024, tcp) => (10.0.1.2, 80, 10.0.0.1, 5000) [0 *1]\n");
  EXPECT_EQ(test.read("udp_table"),
            "(10.0.0.1, 5000, 10.0.1.2, 53, udp) => (192.0.2.1, 1025, 10.0.1.2, 53) [*0 1]\n"
            "(10.0.1.2, 53, 192.0.2.1, 1025, udp) => (10.0.1.2, 53, 10.0.0.1, 5000) [0 *1]\n");
  EXPECT_EQ(test.read("tcp_lookup", "10.0.0.1 5000 10.0.1.2 80"), "192.0.2.1 1024 10.0.1.2 80");
  EXPECT_EQ(test.read("tcp_lookup", "10.0.0.1 5001 10.0.1.2 80"), "");
  EXPECT_EQ(test.read("tcp_lookup", "10.0.1.2 80 192.0.2.1 1024"), "") << "not a forward mapping";
  EXPECT_FALSE(test.router().read("element.tcp_lookup", "10.0.0.1 5001").ok);
  EXPECT_EQ(test.read("size"), "2");
}

TEST(IPRewriter, CapacityCanBeChangedWhileFlowsAreThere) {
  ElementTest test("IPRewriter", "pattern 192.0.2.1 1024-65535# - - 0 0, MAPPING_CAPACITY 2");
  EXPECT_EQ(test.read("capacity"), "2 0");
  test.push(0, {marked(udp(1, 53)), marked(udp(2, 53)), marked(udp(3, 53))});
  EXPECT_EQ(test.write("capacity", "1000"), "");
  EXPECT_EQ(test.read("capacity"), "1000 50");
  EXPECT_THAT(test.output(0), SizeIs(2));
  test.push(0, {marked(udp(3, 53)), marked(udp(2, 53)), marked(between(kServer, 53, kOutside, 1024))});
  EXPECT_EQ(test.output(0), (std::vector<TestPacket>{from(kOutside, 1027, 53), from(kOutside, 1025, 53),
                                                     between(kServer, 53, kInside, 1)}));
  EXPECT_EQ(test.write("capacity", "1 1"), "");
  EXPECT_EQ(test.read("capacity"), "1 1");
  EXPECT_EQ(test.read("size"), "3") << "guaranteed flows stay";
  test.push(0, marked(udp(4, 53)));
  EXPECT_EQ(test.drops("table_full"), 2);
  EXPECT_NE(test.write("capacity", "many"), "");
  EXPECT_NE(test.write("capacity", "10 11"), "");
}

TEST(IPRewriter, NamedPatternsShareTheirSequence) {
  ElementTest test(
      Script{"IPRewriterPatterns(outside 192.0.2.1 1024-65535# - -);"
             "element :: IPRewriter(pattern outside 0 1, pattern outside 0 1);"
             "in0 :: TestInput -> element -> out0 :: TestOutput;"
             "in1 :: TestInput -> [1] element [1] -> out1 :: TestOutput"});
  ASSERT_EQ(test.errors(), "");
  test.push(0, marked(udp(5000, 53)));
  test.push(1, marked(udp(5001, 53)));
  EXPECT_EQ(test.output(0), (std::vector<TestPacket>{from(kOutside, 1024, 53), from(kOutside, 1025, 53)}));
}

TEST(IPRewriter, PatternsCanBeReadAndWritten) {
  ElementTest test(
      Script{"IPRewriterPatterns(outside 192.0.2.1 1024-65535# - -);"
             "element :: IPRewriter(pattern outside 0 1, pattern outside 0 1, keep 0 1);"
             "in0 :: TestInput -> element -> out0 :: TestOutput;"
             "in1 :: TestInput -> [1] element [1] -> out1 :: TestOutput; Idle -> [2] element"});
  ASSERT_EQ(test.errors(), "");
  EXPECT_EQ(test.read("patterns"), "192.0.2.1 1024-65535# - - 0 1\n192.0.2.1 1024-65535# - - 0 1\n<keep>\n");
  test.push(0, marked(udp(5000, 53)));
  EXPECT_EQ(test.write("pattern0", "192.0.2.1 7000-8000# - 54 1 0"), "");
  EXPECT_EQ(test.read("pattern0"), "192.0.2.1 7000-8000# - 54 1 0");
  EXPECT_EQ(test.read("pattern1"), "192.0.2.1 1024-65535# - - 0 1") << "no longer shared";
  test.push(0, {marked(udp(5000, 53)), marked(udp(5001, 53))});
  test.push(1, marked(udp(5002, 53)));
  EXPECT_EQ(test.output(0),
            (std::vector<TestPacket>{from(kOutside, 1024, 53), from(kOutside, 1024, 53), from(kOutside, 1025, 53)}));
  EXPECT_EQ(test.output(1), std::vector<TestPacket>{from(kOutside, 7000, 54)});

  EXPECT_EQ(test.write("pattern0", "192.0.2.1 7000 - - 2 0"), "output port out of range");
  EXPECT_EQ(test.write("pattern0", "192.0.2.1 7000 - -"), "expected 'SADDR SPORT DADDR DPORT FOUTPUT ROUTPUT'");
  EXPECT_EQ(test.read("pattern0"), "192.0.2.1 7000-8000# - 54 1 0") << "a wrong pattern changes nothing";
  EXPECT_EQ(test.write("pattern2", "- - - - 0 1"), "input 2 has no pattern");
}

TEST(IPRewriter, AnUnknownKeywordIsNoInputSpecification) {
  EXPECT_EQ(ElementTest("IPRewriter", "keep 0 0, UDP_TIMEOT 5", {.outputs = 1}).errors(),
            "UDP_TIMEOT: unknown argument\n");
}

TEST(IPRewriter, ConfigurationErrors) {
  const auto errors = [](const std::string& configuration) {
    return ElementTest("IPRewriter", configuration, {.outputs = 2}).errors();
  };
  EXPECT_EQ(errors("drop, drop"), "need 1 arguments, one per input port\n");
  EXPECT_EQ(errors("drop 1"), "input spec 0: expected 'drop'\n");
  EXPECT_EQ(errors("pass"), "input spec 0: expected 'pass OUTPUT'\n");
  EXPECT_EQ(errors("pass x"), "input spec 0: bad output port 'x'\n");
  EXPECT_EQ(errors("keep 0 2"), "input spec 0: output port out of range\n");
  EXPECT_EQ(errors("keep 0"), "input spec 0: expected 'keep FOUTPUT ROUTPUT'\n");
  EXPECT_EQ(errors("pattern 1.2.3 - - - 0 1"), "input spec 0: bad source address '1.2.3'\n");
  EXPECT_EQ(errors("pattern - 70000 - - 0 1"), "input spec 0: bad source port '70000'\n");
  EXPECT_EQ(errors("pattern - 20-10 - - 0 1"), "input spec 0: bad source port '20-10'\n");
  EXPECT_EQ(errors("pattern - - x - 0 1"), "input spec 0: bad destination address 'x'\n");
  EXPECT_EQ(errors("pattern - - - 1-2 0 1"), "input spec 0: bad destination port '1-2'\n");
  EXPECT_EQ(errors("pattern outside 0 1"), "input spec 0: no pattern named 'outside'\n");
  EXPECT_EQ(errors("pattern - 0 1"), "input spec 0: no pattern named '-'\n");
  EXPECT_EQ(errors("mapper"), "input spec 0: unknown input specification 'mapper'\n");
}

TEST(IPRewriterPatterns, ConfigurationErrors) {
  EXPECT_EQ(ElementTest(Script{"IPRewriterPatterns(a 1.1.1.1 - -)"}).errors(),
            "expected 'NAME SADDR SPORT DADDR DPORT'\n");
  EXPECT_EQ(ElementTest(Script{"IPRewriterPatterns(a - - - -); IPRewriterPatterns(a - 1 - -)"}).errors(),
            "pattern 'a' is defined twice\n");
  EXPECT_EQ(ElementTest(Script{"IPRewriterPatterns(a - x - -);"
                               "in0 :: TestInput -> element :: IPRewriter(pattern a 0 0) -> out0 :: TestOutput"})
                .errors(),
            "input spec 0: pattern 'a': bad source port 'x'\n");
}

TEST(UDPRewriter, TreatsTcpAsUdp) {
  ElementTest test("UDPRewriter", "pattern 192.0.2.1 1024-65535# - - 0 0");
  test.push(0, {marked(tcp(5000, 80)), marked(udp(5000, 53))});
  EXPECT_EQ(test.output(0), (std::vector<TestPacket>{tcp(1024, 80, kTcpAck, counting(8), {.source = kOutside}),
                                                     from(kOutside, 1025, 53)}));
  EXPECT_EQ(test.read("table"),
            "(10.0.0.1, 5000, 10.0.1.2, 80, tcp) => (192.0.2.1, 1024, 10.0.1.2, 80) [*0 0]\n"
            "(10.0.1.2, 80, 192.0.2.1, 1024, tcp) => (10.0.1.2, 80, 10.0.0.1, 5000) [0 *0]\n"
            "(10.0.0.1, 5000, 10.0.1.2, 53, udp) => (192.0.2.1, 1025, 10.0.1.2, 53) [*0 0]\n"
            "(10.0.1.2, 53, 192.0.2.1, 1025, udp) => (10.0.1.2, 53, 10.0.0.1, 5000) [0 *0]\n");
  const Bytes rst = tcp(5000, 80, kTcpRst);
  EXPECT_EQ(alive_after(", TIMEOUT 60, STREAMING_TIMEOUT 90, GUARANTEE 1", {{rst, 0}}, 60, "UDPRewriter"), "1");
  EXPECT_EQ(alive_after(", TIMEOUT 60, STREAMING_TIMEOUT 90, GUARANTEE 1", {{rst, 0}}, 61, "UDPRewriter"), "0");
}

TEST(TCPRewriter, TakesOnlyTcp) {
  ElementTest test("TCPRewriter", "pattern 192.0.2.1 1024 - - 0 0, TCP_GUARANTEE 1");
  test.push(0, {marked(tcp(5000, 80)), marked(udp(5000, 53))});
  EXPECT_EQ(test.output(0), std::vector<TestPacket>{tcp(1024, 80, kTcpAck, counting(8), {.source = kOutside})});
  EXPECT_EQ(test.drops("wrong_protocol"), 1);
  EXPECT_EQ(test.read("lookup", "10.0.0.1 5000 10.0.1.2 80"), "192.0.2.1 1024 10.0.1.2 80");
  EXPECT_EQ(test.read("table"),
            "(10.0.0.1, 5000, 10.0.1.2, 80, tcp) => (192.0.2.1, 1024, 10.0.1.2, 80) [*0 0]\n"
            "(10.0.1.2, 80, 192.0.2.1, 1024, tcp) => (10.0.1.2, 80, 10.0.0.1, 5000) [0 *0]\n");
}

/// `pattern 192.0.2.1 1024-1151# - - 0 1, drop` as plainly as can be. Time comes in whole seconds, so that thirty and a
/// half, give or take a tick, are always between two of them.
class Oracle {
 public:
  static constexpr int kTimeout = 30;  // seconds

  std::optional<std::pair<int, FlowKey>> packet(int input, const FlowKey& key, int now) {
    auto found = mappings_.find(tuple_of(key));
    if (found == mappings_.end()) {
      if (input == 1) return std::nullopt;
      FlowKey becomes = key;
      becomes.source = ip("192.0.2.1").network;
      int tried = 0;
      do {
        if (tried++ == 128) return std::nullopt;
        becomes.source_port = swap_network(static_cast<std::uint16_t>(1024 + next_ % 128));
        ++next_;
      } while (mappings_.contains(tuple_of(reversed(becomes))));
      const int flow = flows_++;
      mappings_[tuple_of(key)] = {flow, 0, becomes};
      mappings_[tuple_of(reversed(becomes))] = {flow, 1, reversed(key)};
      found = mappings_.find(tuple_of(key));
    }
    last_use_[found->second.flow] = now;
    return std::pair{found->second.output, found->second.to};
  }
  void reap(int now) {
    std::erase_if(mappings_, [&](const auto& entry) { return now - last_use_[entry.second.flow] > kTimeout; });
  }
  [[nodiscard]] std::size_t flows() const { return mappings_.size() / 2; }

 private:
  using Tuple = std::tuple<std::uint32_t, std::uint32_t, std::uint16_t, std::uint16_t, std::uint8_t>;
  static Tuple tuple_of(const FlowKey& key) {
    return {key.source, key.destination, key.source_port, key.destination_port, key.protocol};
  }
  struct Mapping {
    int flow = 0;
    int output = 0;
    FlowKey to;
  };
  std::map<Tuple, Mapping> mappings_;
  std::map<int, int> last_use_;
  int flows_ = 0;
  unsigned next_ = 0;
};

TEST(IPRewriter, RandomPacketsAndTimesMatchTheOracle) {
  for (const int batch_size : {1, 32}) {
    std::mt19937 random(5);
    const auto below = [&](unsigned bound) { return static_cast<unsigned>(random() % bound); };
    ElementTest test("IPRewriter", "pattern 192.0.2.1 1024-1151# - - 0 1, drop, UDP_TIMEOUT 30.5, REAP_INTERVAL 0.5",
                     {.inputs = 2, .outputs = 2, .batch_size = batch_size});
    Oracle oracle;
    for (int now = 0; now < 400; now += 1) {
      oracle.reap(now);
      for (int i = 0; i < 20; ++i) {
        const bool answer = below(3) == 0;
        const std::string client = "10.0.0." + std::to_string(below(30)), server = "10.0.1." + std::to_string(below(2));
        const std::string source = answer ? server : client, destination = answer ? kOutside : server;
        const auto inside_port = static_cast<std::uint16_t>(answer ? 1024 + below(140) : below(30));
        const std::uint16_t from_port = answer ? 53 : inside_port, to_port = answer ? inside_port : 53;
        const Bytes data = counting(below(30));
        const Bytes packet = udp(from_port, to_port, data, {.source = source, .destination = destination});
        const FlowKey key{ip(source).network, ip(destination).network, swap_network(from_port), swap_network(to_port),
                          17};
        test.push(answer ? 1 : 0, marked(packet));
        const auto expected = oracle.packet(answer ? 1 : 0, key, now);
        for (int port : {0, 1}) {
          const auto out = test.output(port);
          if (!expected || expected->first != port) {
            ASSERT_THAT(out, IsEmpty());
            continue;
          }
          const FlowKey& to = expected->second;
          const std::string new_source = to_string(IPv4Address{to.source});
          const std::string new_destination = to_string(IPv4Address{to.destination});
          ASSERT_EQ(out, (std::vector<TestPacket>{udp(swap_network(to.source_port), swap_network(to.destination_port),
                                                      data, {.source = new_source, .destination = new_destination})}));
        }
      }
      ASSERT_EQ(test.read("size"), std::to_string(oracle.flows()));
      test.advance(Duration::seconds(1));
    }
    EXPECT_GT(test.drops("no_port"), 0);
  }
}

TEST(IPRewriter, RandomBytesAreSafe) {
  std::mt19937 random(11);
  ElementTest test("IPRewriter", "pattern 192.0.2.1 1024-65535 - - 0 1, keep 0 1", kTwoByTwo);
  for (int i = 0; i < 3000; ++i) {
    Bytes bytes(random() % 80);
    for (auto& byte : bytes) byte = static_cast<std::uint8_t>(random());
    TestPacket packet(bytes);
    packet.at(-1, static_cast<int>(random() % 100), static_cast<int>(random() % 100));
    test.push(static_cast<int>(random() % 2), packet);
  }
  EXPECT_EQ(test.ledger().received, 3000);
}

}  // namespace
}  // namespace packetmill::testing
