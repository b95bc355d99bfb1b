#include "elements/flow_manager/FlowIPManager.h"

#include <gmock/gmock.h>

#include "tests/support/packets.h"

namespace packetmill::testing {
namespace {

using ::testing::ElementsAre;

std::vector<std::uint32_t> flow_indices(ElementTest& test) {
  std::vector<std::uint32_t> indices;
  for (const TestPacket& packet : test.output(0)) indices.push_back(packet.get<FlowIndex>());
  return indices;
}

TEST(FlowIPManager, PacketsOfOneFlowHaveOneIndexAndOthersAnother) {
  for (const int batch_size : {1, 32}) {
    ElementTest test("FlowIPManager", "", {.batch_size = batch_size});
    test.push(0, {marked(udp(1, 2)), marked(udp(1, 3)), marked(udp(1, 2)), marked(tcp(1, 2)), marked(tcp(1, 2)),
                  marked(udp(1, 2, {}, {.source = "10.0.0.9"})), marked(udp(2, 1)), marked(udp(1, 2))});
    EXPECT_THAT(flow_indices(test), ElementsAre(1, 2, 1, 3, 3, 4, 5, 1));
    EXPECT_EQ(test.read("count"), "5");
    EXPECT_EQ(test.read("started"), "5");
    EXPECT_EQ(test.read("capacity"), "65536");
  }
}

TEST(FlowIPManager, LeavesPacketsUnchanged) {
  ElementTest test("FlowIPManagerIMP", "CAPACITY 10, RESERVE 12, TIMEOUT 20");
  const std::vector<TestPacket> packets{marked(udp(1, 2)), marked(tcp(1, 2, kTcpSyn)), marked(icmp(8, 0))};
  test.push(0, packets);
  EXPECT_EQ(test.output(0), packets);
}

TEST(FlowIPManager, WhatHasNoPortsIsAFlowOfItsAddressesAndProtocol) {
  ElementTest test("FlowIPManager");
  test.push(0, {marked(icmp(8, 0, 1)), marked(icmp(0, 0, 2)), marked(ipv4(47, counting(1))),
                marked(udp(1, 2, counting(8), {.fragment = 1})), marked(udp(3, 4, counting(8), {.fragment = 2}))});
  EXPECT_THAT(flow_indices(test), ElementsAre(1, 1, 2, 3, 3));
}

TEST(FlowIPManager, AFullTableDropsNewFlowsAndKeepsTheOthers) {
  ElementTest test("FlowIPManager", "2");
  test.push(0, {marked(udp(1, 1)), marked(udp(2, 2)), marked(udp(3, 3)), marked(udp(1, 1)), marked(udp(2, 2))});
  EXPECT_THAT(flow_indices(test), ElementsAre(1, 2, 1, 2));
  EXPECT_EQ(test.drops("table_full"), 1);
}

TEST(FlowIPManager, ASilentFlowIsForgottenAfterTheTimeout) {
  ElementTest test("FlowIPManager", "1, TIMEOUT 20");
  test.push(0, marked(udp(1, 1)));
  for (int i = 0; i < 3; ++i) {
    test.advance(Duration::seconds(19));
    test.push(0, marked(udp(1, 1)));
  }
  test.push(0, marked(udp(2, 2)));
  EXPECT_EQ(test.drops("table_full"), 1) << "57 seconds old, but never silent for 20";
  test.advance(Duration::seconds(21));
  test.push(0, marked(udp(2, 2)));
  EXPECT_EQ(test.drops("table_full"), 1);
  EXPECT_EQ(test.read("count"), "1");
  EXPECT_EQ(test.read("started"), "2");
  test.advance(Duration::seconds(21));
  EXPECT_EQ(test.read("count"), "0");
}

TEST(FlowIPManager, WithoutATimeoutProtocolAndPhaseDecide) {
  struct Case {
    std::vector<Bytes> packets;
    int alive;  ///< seconds
    int gone;
  };
  const Bytes syn = tcp(1, 2, kTcpSyn);
  const Bytes ack = tcp(1, 2, kTcpAck);
  for (const Case& flow : std::vector<Case>{{{udp(1, 2)}, 299, 301},
                                            {{syn}, 239, 241},
                                            {{syn, ack}, 7439, 7441},
                                            {{syn, ack, tcp(1, 2, kTcpFin | kTcpAck)}, 239, 241},
                                            {{syn, ack, tcp(1, 2, kTcpRst), ack}, 239, 241},
                                            {{syn, ack, tcp(1, 2, kTcpFin), syn, ack}, 7439, 7441}}) {
    ElementTest test("FlowIPManager");
    for (const Bytes& packet : flow.packets) test.push(0, marked(packet));
    test.advance(Duration::seconds(flow.alive));
    EXPECT_EQ(test.read("count"), "1");
    test.advance(Duration::seconds(flow.gone - flow.alive));
    EXPECT_EQ(test.read("count"), "0");
  }
}

TEST(FlowIPManager, DropsWhatHasNoHeaders) {
  ElementTest test("FlowIPManager");
  test.push(0, TestPacket(counting(10)));
  EXPECT_EQ(test.drops("no_ip_header"), 1);
  for (const Bytes& packet : {ipv4(6, counting(19)), ipv4(17, counting(7)), ipv4(6, {})}) test.push(0, marked(packet));
  EXPECT_EQ(test.drops("truncated"), 3);
}

TEST(FlowIPManager, ConfigurationErrors) {
  EXPECT_EQ(ElementTest("FlowIPManager", "CAPACITY 0").errors(), "CAPACITY: must be between 1 and 4294967293\n");
}

}  // namespace
}  // namespace packetmill::testing
