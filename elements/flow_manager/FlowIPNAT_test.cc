#include "elements/flow_manager/FlowIPNAT.h"

#include <gmock/gmock.h>

#include <map>
#include <random>
#include <set>
#include <tuple>

#include "tests/support/packets.h"

namespace packetmill::testing {
namespace {

using ::testing::IsEmpty;
using ::testing::SizeIs;

Script script(const std::string& manager = {}) {
  return {"in0 :: TestInput -> manager :: FlowIPManager(" + manager +
          ") -> element :: FlowIPNAT(SIP 192.0.2.1) -> out0 :: TestOutput"};
}

FlowKey key_of(const Bytes& packet) {
  const auto& ip = *reinterpret_cast<const IPv4Header*>(packet.data());
  return flow_of(ip, *reinterpret_cast<const UdpHeader*>(packet.data() + ip.header_length()));
}
/// What `packet` would be with other ends: made anew, so that its checksums are computed and not patched.
Bytes sent_from(const Bytes& packet, const std::string& source, std::uint16_t port, bool tcp_packet = false,
                IPv4Options options = {}) {
  options.source = source;
  const std::uint16_t to = swap_network(key_of(packet).destination_port);
  return tcp_packet ? tcp(port, to, kTcpAck, counting(8), options) : udp(port, to, counting(8), options);
}
std::uint16_t port_of(const TestPacket& packet) { return swap_network(key_of(packet.bytes).source_port); }

TEST(FlowIPNAT, AFlowLeavesWithTheOutsideAddressAndAPortOfItsOwn) {
  for (const int batch_size : {1, 32}) {
    ElementTest test(script(), {.batch_size = batch_size});
    const Bytes one = udp(5000, 53), two = tcp(5000, 80), three = udp(5000, 54);
    test.push(0, {marked(one), marked(two), marked(three), marked(one), marked(two)});
    const auto out = test.output(0);
    ASSERT_THAT(out, SizeIs(5));
    EXPECT_EQ(out[0].bytes, sent_from(one, "192.0.2.1", port_of(out[0])));
    EXPECT_EQ(out[1].bytes, sent_from(two, "192.0.2.1", port_of(out[1]), true));
    EXPECT_EQ(out[2].bytes, sent_from(three, "192.0.2.1", port_of(out[2])));
    EXPECT_EQ(out[3], out[0]);
    EXPECT_EQ(out[4], out[1]);
    EXPECT_EQ((std::set{port_of(out[0]), port_of(out[1]), port_of(out[2])}).size(), 3);
    EXPECT_EQ(test.read("available_ports"), std::to_string(65530 - 1024 + 1 - 3));
  }
}

TEST(FlowIPNAT, TheFirstPacketByteForByte) {
  // 10.0.0.1:4660 -> 10.0.1.2:53, UDP, no data. The header's sum is 4500+001c+0001+4011+0a00+0001+0a00+0102 = 9a31, the
  // checksum ~ = 65ce; outside, with c000+0201 for 0a00+0001: 15231 -> 5232, ~ = adcd. UDP: pseudo-header
  // 0a00+0001+0a00+0102+0011+0008, header 1234+0035+0008 = 278d, ~ = d872; outside, with port 0400 for 1234: d159, ~ =
  // 2ea6.
  ElementTest test(script());
  test.push(0, marked(hex("4500001c 00010000 401165ce 0a000001 0a000102 12340035 0008d872")));
  EXPECT_EQ(test.output(0),
            std::vector<TestPacket>{hex("4500001c 00010000 4011adcd c0000201 0a000102 04000035 00082ea6")});
}

TEST(FlowIPNAT, AnswersFindBack) {
  ElementTest test(script());
  test.push(0, marked(tcp(5000, 80, kTcpSyn)));
  const std::uint16_t port = port_of(test.output(0).at(0));
  test.push(0,
            marked(tcp(80, port, kTcpSyn | kTcpAck, counting(8), {.source = "10.0.1.2", .destination = "192.0.2.1"})));
  EXPECT_EQ(test.output(0), std::vector<TestPacket>{tcp(80, 5000, kTcpSyn | kTcpAck, counting(8),
                                                        {.source = "10.0.1.2", .destination = "10.0.0.1"})});
}

TEST(FlowIPNAT, AnswersNeedNoManager) {
  ElementTest test(
      Script{"in0 :: TestInput -> FlowIPManager -> element :: FlowIPNAT(192.0.2.1) -> out0 :: TestOutput;"
             "in1 :: TestInput -> element"});
  test.push(0, marked(udp(5000, 53)));
  const std::uint16_t port = port_of(test.output(0).at(0));
  test.push(1, marked(udp(53, port, counting(8), {.source = "10.0.1.2", .destination = "192.0.2.1"})));
  EXPECT_THAT(test.output(0), SizeIs(1));
  test.push(1, marked(udp(5000, 53)));
  EXPECT_EQ(test.drops("no_flow"), 1);
}

TEST(FlowIPNAT, OnlyTheHostThatAFlowGoesToCanAnswer) {
  ElementTest test(script());
  test.push(0, marked(udp(5000, 53)));
  const std::uint16_t port = port_of(test.output(0).at(0));
  test.push(0, {marked(udp(54, port, {}, {.source = "10.0.1.2", .destination = "192.0.2.1"})),
                marked(udp(53, port, {}, {.source = "10.0.1.3", .destination = "192.0.2.1"})),
                marked(tcp(53, port, kTcpSyn, {}, {.source = "10.0.1.2", .destination = "192.0.2.1"})),
                marked(udp(53, 80, {}, {.source = "10.0.1.2", .destination = "192.0.2.1"})),
                marked(udp(0, 65535, {}, {.source = "0.0.0.0", .destination = "192.0.2.1"}))});
  EXPECT_THAT(test.output(0), IsEmpty());
  EXPECT_EQ(test.drops("no_mapping"), 5);
}

TEST(FlowIPNAT, UdpWithoutChecksumStaysWithout) {
  ElementTest test(script());
  Bytes packet = udp(5000, 53);
  packet[26] = packet[27] = 0;
  test.push(0, marked(packet));
  const Bytes out = test.output(0).at(0).bytes;
  EXPECT_EQ(out[26], 0);
  EXPECT_EQ(out[27], 0);
}

TEST(FlowIPNAT, AUdpChecksumThatBecomesZeroIsWrittenAsAllOnes) {
  // RFC 768. With two bytes of data that make the sum after translation come out as 0xffff.
  ElementTest test(script());
  std::vector<TestPacket> packets;
  for (unsigned data = 0; data < 65536; ++data)
    packets.push_back(marked(udp(5000, 53, {static_cast<std::uint8_t>(data >> 8), static_cast<std::uint8_t>(data)})));
  test.push(0, packets);
  int all_ones = 0;
  for (const TestPacket& packet : test.output(0)) {
    ASSERT_FALSE(packet.bytes[26] == 0 && packet.bytes[27] == 0);
    all_ones += packet.bytes[26] == 0xff && packet.bytes[27] == 0xff;
  }
  EXPECT_EQ(all_ones, 1) << test.router().read("drops").text;
}

TEST(FlowIPNAT, OptionsAndFirstFragmentsAreTranslatedLaterFragmentsDropped) {
  ElementTest test(script());
  const IPv4Options options{.options = hex("01010101")};
  const Bytes with_options = tcp(5000, 80, kTcpAck, counting(8), options);
  const IPv4Options first{.identification = 7, .fragment = kMoreFragments};
  test.push(0, {marked(with_options), marked(udp(5000, 53, counting(8), first)),
                marked(udp(5000, 53, counting(8), {.identification = 7, .fragment = 2}))});
  const auto out = test.output(0);
  ASSERT_THAT(out, SizeIs(2));
  IPv4Options rewritten = options;
  rewritten.source = "192.0.2.1";
  EXPECT_EQ(out[0].bytes, tcp(1024, 80, kTcpAck, counting(8), rewritten));
  rewritten = first;
  rewritten.source = "192.0.2.1";
  EXPECT_EQ(out[1].bytes, udp(1025, 53, counting(8), rewritten));
  EXPECT_EQ(test.drops("later_fragment"), 1);
}

TEST(FlowIPNAT, WhatCannotBeTranslatedIsDropped) {
  ElementTest test(
      Script{"in0 :: TestInput -> element :: FlowIPNAT(192.0.2.1) -> out0 :: TestOutput;"
             "in1 :: TestInput -> FlowIPManager -> element"});
  test.push(0, TestPacket(counting(10)));
  EXPECT_EQ(test.drops("no_ip_header"), 1);
  test.push(0, {marked(ipv4(6, counting(19))), marked(ipv4(17, counting(7)))});
  EXPECT_EQ(test.drops("truncated"), 2);
  test.push(0, {marked(icmp(8, 0)), marked(ipv4(47, counting(40)))});
  EXPECT_EQ(test.drops("not_tcp_or_udp"), 2);
  test.push(0, marked(udp(1, 2)).set<FlowIndex>(65537));
  EXPECT_EQ(test.drops("no_flow"), 1);
  EXPECT_THAT(test.output(0), IsEmpty());
}

TEST(FlowIPNAT, ExhaustedPortsDropNewFlowsAndKeepTheOthers) {
  constexpr unsigned kPorts = 65530 - 1024 + 1;
  ElementTest test(script("CAPACITY 70000, TIMEOUT 60"));
  const auto flow = [](unsigned number) {
    return marked(udp(static_cast<std::uint16_t>(number), static_cast<std::uint16_t>(1 + number / 65536), {}));
  };
  std::vector<TestPacket> packets;
  for (unsigned i = 0; i < kPorts + 100; ++i) packets.push_back(flow(i));
  test.push(0, packets);
  const auto out = test.output(0);
  ASSERT_EQ(out.size(), kPorts) << test.router().read("drops").text;
  EXPECT_EQ(test.drops("no_port"), 100);
  EXPECT_EQ(test.read("available_ports"), "0");
  std::set<std::uint16_t> ports;
  for (const TestPacket& packet : out) ports.insert(port_of(packet));
  EXPECT_THAT(ports, SizeIs(kPorts));
  test.push(0, flow(7));
  EXPECT_EQ(test.output(0), std::vector<TestPacket>{out[7]});

  // A port is free again when its flow has expired, not earlier.
  test.advance(Duration::seconds(50));
  test.push(0, flow(0));
  test.advance(Duration::seconds(20));
  EXPECT_EQ(test.read("available_ports"), std::to_string(kPorts - 1));
  EXPECT_EQ(test.output(0), std::vector<TestPacket>{out[0]});
  test.push(0, {flow(0), flow(kPorts + 1)});
  const auto later = test.output(0);
  ASSERT_THAT(later, SizeIs(2));
  EXPECT_EQ(later[0], out[0]);
  EXPECT_NE(port_of(later[1]), port_of(out[0]));
}

TEST(FlowIPNAT, AFreedPortWaitsBehindAllOthers) {
  ElementTest test(script("TIMEOUT 10"));
  test.push(0, marked(udp(1, 1)));
  EXPECT_EQ(port_of(test.output(0).at(0)), 1024);
  test.advance(Duration::seconds(11));
  test.push(0, marked(udp(1, 1)));
  EXPECT_EQ(port_of(test.output(0).at(0)), 1025);
}

TEST(FlowIPNAT, NeedsAManager) {
  EXPECT_EQ(ElementTest("FlowIPNAT", "192.0.2.1").errors(), "no FlowIPManager upstream\n");
  EXPECT_EQ(ElementTest("FlowIPNAT").errors(), "SIP: required argument missing\n");
}

/// The same translator as plainly as can be.
class Oracle {
 public:
  std::optional<Bytes> out(const Bytes& inside) {
    const auto [number, added] = ports_.try_emplace(tuple_of(key_of(inside)), next_);
    if (added) next_ = static_cast<std::uint16_t>(next_ + 1);
    FlowKey key = key_of(inside);
    key.source = ip("192.0.2.1").network;
    key.source_port = swap_network(number->second);
    answers_[tuple_of(reversed(key))] = reversed(key_of(inside));
    return with(inside, key);
  }
  std::optional<Bytes> in(const Bytes& outside) {
    const auto found = answers_.find(tuple_of(key_of(outside)));
    if (found == answers_.end()) return std::nullopt;
    return with(outside, found->second);
  }

 private:
  using Tuple = std::tuple<std::uint32_t, std::uint32_t, std::uint16_t, std::uint16_t, std::uint8_t>;
  static Tuple tuple_of(const FlowKey& key) {
    return {key.source, key.destination, key.source_port, key.destination_port, key.protocol};
  }
  static Bytes with(const Bytes& packet, const FlowKey& key) {
    const std::string source = to_string(IPv4Address{key.source});
    const std::string destination = to_string(IPv4Address{key.destination});
    const IPv4Options options{.source = source, .destination = destination};
    const std::uint16_t from = swap_network(key.source_port), to = swap_network(key.destination_port);
    const Bytes data(packet.begin() + (key.protocol == 6 ? 40 : 28), packet.end());
    return key.protocol == 6 ? tcp(from, to, kTcpAck, data, options) : udp(from, to, data, options);
  }

  std::map<Tuple, std::uint16_t> ports_;
  std::map<Tuple, FlowKey> answers_;
  std::uint16_t next_ = 1024;
};

TEST(FlowIPNAT, RandomConversationsMatchTheOracle) {
  for (const int batch_size : {1, 32}) {
    std::mt19937 random(7);
    const auto below = [&](unsigned bound) { return static_cast<unsigned>(random() % bound); };
    ElementTest test(script(), {.batch_size = batch_size});
    Oracle oracle;
    std::vector<TestPacket> packets;
    std::vector<TestPacket> expected;
    for (int i = 0; i < 5000; ++i) {
      const std::string inside = "10.0.0." + std::to_string(below(4));
      const std::string outside = "198.51.100." + std::to_string(below(3));
      const auto far_port = static_cast<std::uint16_t>(80 + below(2));
      const Bytes data = counting(below(20));
      const bool answer = below(2) == 1;
      const IPv4Options options = answer ? IPv4Options{.source = outside, .destination = "192.0.2.1"}
                                         : IPv4Options{.source = inside, .destination = outside};
      const auto from = answer ? far_port : static_cast<std::uint16_t>(below(8));
      const auto to_port = answer ? static_cast<std::uint16_t>(1020 + below(300)) : far_port;
      const Bytes packet =
          below(2) == 1 ? tcp(from, to_port, kTcpAck, data, options) : udp(from, to_port, data, options);
      packets.push_back(marked(packet));
      if (const auto result = answer ? oracle.in(packet) : oracle.out(packet)) expected.emplace_back(*result);
    }
    test.push(0, packets);
    const auto out = test.output(0);
    ASSERT_EQ(out.size(), expected.size()) << test.router().read("drops").text;
    for (std::size_t i = 0; i < out.size(); ++i) ASSERT_EQ(out[i].bytes, expected[i].bytes) << i;
    for (const TestPacket& packet : out) ASSERT_TRUE(checksums_right(packet.bytes));
    EXPECT_EQ(test.drops("no_mapping"), packets.size() - expected.size());
  }
}

TEST(FlowIPNAT, RandomBytesAreSafe) {
  std::mt19937 random(11);
  ElementTest test(script("CAPACITY 100"));
  for (int i = 0; i < 3000; ++i) {
    Bytes bytes(random() % 80);
    for (auto& byte : bytes) byte = static_cast<std::uint8_t>(random());
    TestPacket packet(bytes);
    packet.at(-1, static_cast<int>(random() % 100), static_cast<int>(random() % 100));
    test.push(0, packet);
  }
  EXPECT_EQ(test.ledger().received, 3000);
}

}  // namespace
}  // namespace packetmill::testing
