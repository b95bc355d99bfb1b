#include "drivers/mlx5/mlx5_test.h"

namespace packetmill::testing {
namespace {

using ::testing::HasSubstr;

INSTANTIATE_TEST_SUITE_P(Received, Mlx5, ::testing::Bool(),
                         [](const auto& info) { return info.param ? "vector" : "scalar"; });

TEST_P(Mlx5, OrdinaryBurstsWorkBeforeTakeoverAndAfterRelease) {
  for (std::uint32_t round = 0; round < 5; ++round) {
    forward_mbufs(0, 37 + round * 100);  // takeover finds the rings in ever other places
    take();
    forward_exchanged(0, 61 + round * 100);
    give_back();
  }
  forward_mbufs(0, 500);
}

TEST_P(Mlx5, FramesKeepOrderAndBytesHoweverOftenTheRingsGoRound) {
  take();
  forward_exchanged(0, 70'000);  // further than sixteen bits count
  EXPECT_EQ(wire_out()->wrong, 0U);
}

TEST_P(Mlx5, APacketThatIsNotSentKeepsItsBuffer) {
  take();
  for (int round = 0; round < 20; ++round) {
    for (unsigned i = 0; i < kBurst; ++i) ASSERT_TRUE(arrive(numbered(i)));
    ASSERT_EQ(receive(), kBurst);  // and dropped
  }
}

TEST_P(Mlx5, WhatTheNICSaysOfAFrameIsInItsPacket) {
  take();
  mlx5_device_frame frame{};
  frame.hash = 0x12345678;
  frame.header_types = XCHG_MLX5_HEADER_L3_GOOD | XCHG_MLX5_HEADER_L4_GOOD | XCHG_MLX5_HEADER_VLAN_STRIPPED;
  frame.type = 2 | 2U << 2U;  // IPv4, UDP
  frame.vlan_tci = 0x6123;
  frame.timestamp = 0x123456789abc;
  frame.tag = 43;  // rule 42
  ASSERT_TRUE(arrive(numbered(1, 99), frame));
  ASSERT_TRUE(arrive(numbered(2)));
  ASSERT_EQ(receive(), 2U);
  const xchg& packet = *packets_[0];
  EXPECT_EQ(packet.length, 99U);
  EXPECT_EQ(packet.hash, 0x12345678U);
  EXPECT_EQ(packet.vlan_tci, 0x6123);
  EXPECT_EQ(packet.timestamp, 0x123456789abcU);
  EXPECT_EQ(packet.mark, 42U);
  EXPECT_EQ(packet.port, port_);
  EXPECT_EQ(packet.type & (RTE_PTYPE_L3_MASK | RTE_PTYPE_L4_MASK), RTE_PTYPE_L3_IPV4_EXT_UNKNOWN | RTE_PTYPE_L4_UDP);
  EXPECT_EQ(packet.flags, RTE_MBUF_F_RX_IP_CKSUM_GOOD | RTE_MBUF_F_RX_L4_CKSUM_GOOD | RTE_MBUF_F_RX_VLAN |
                              RTE_MBUF_F_RX_VLAN_STRIPPED | RTE_MBUF_F_RX_RSS_HASH | RTE_MBUF_F_RX_FDIR |
                              RTE_MBUF_F_RX_FDIR_ID);
  EXPECT_EQ(packets_[1]->flags, 0U);
  EXPECT_EQ(packets_[1]->mark, 0U);
}

TEST_P(Mlx5, TheDriverItselfSaysTheSameOfThatFrame) {
  mlx5_device_frame frame{};
  frame.hash = 0x12345678;
  frame.header_types = XCHG_MLX5_HEADER_L3_GOOD | XCHG_MLX5_HEADER_L4_GOOD | XCHG_MLX5_HEADER_VLAN_STRIPPED;
  frame.type = 2 | 2U << 2U;
  frame.vlan_tci = 0x6123;
  frame.tag = 43;
  for (unsigned i = 0; i < 4; ++i) ASSERT_TRUE(arrive(numbered(1, 99), frame));
  std::array<rte_mbuf*, 4> mbufs{};
  ASSERT_EQ(rte_eth_rx_burst(port_, 0, mbufs.data(), 4), 4);
  take();
  for (unsigned i = 0; i < 4; ++i) ASSERT_TRUE(arrive(numbered(1, 99), frame));
  ASSERT_EQ(receive(), 4U);
  for (unsigned i = 0; i < 4; ++i) {
    const xchg& packet = *packets_[i];
    const rte_mbuf& mbuf = *mbufs[i];
    EXPECT_EQ(packet.length, mbuf.data_len);
    EXPECT_EQ(packet.hash, mbuf.hash.rss);
    EXPECT_EQ(packet.type, mbuf.packet_type);
    EXPECT_EQ(packet.vlan_tci, mbuf.vlan_tci);
    EXPECT_EQ(packet.mark, mbuf.hash.fdir.hi);
    EXPECT_EQ(packet.flags, mbuf.ol_flags);
  }
  rte_pktmbuf_free_bulk(mbufs.data(), 4);
}

TEST_P(Mlx5, CompressedCompletionsAreFramesLikeOthers) {
  take();
  std::uint32_t next = 0;
  for (unsigned count = 2; count <= 56; ++count) {
    std::vector<Bytes> bytes;
    std::vector<mlx5_device_frame> frames;
    for (unsigned i = 0; i < count; ++i) bytes.push_back(numbered(next + i, 60 + i));
    for (unsigned i = 0; i < count; ++i) {
      mlx5_device_frame frame{};
      frame.bytes = bytes[i].data();
      frame.length = static_cast<std::uint32_t>(bytes[i].size());
      frame.hash = 1000 + i;
      frame.header_types = XCHG_MLX5_HEADER_L3_GOOD;
      frames.push_back(frame);
    }
    ASSERT_TRUE(arrive(numbered(1'000'000)));  // an ordinary one before
    ASSERT_TRUE(mlx5_device_receive_compressed(wire_in(), frames.data(), count));
    ASSERT_TRUE(arrive(numbered(2'000'000)));  // and one behind
    ASSERT_EQ(receive(1), 1U);
    ASSERT_EQ(number_of(packets_[0]->buffer), 1'000'000U);
    for (unsigned got = 0; got < count;) {
      const unsigned received = receive(std::min(7U, count - got));
      ASSERT_GT(received, 0U);
      for (unsigned i = 0; i < received; ++i, ++got, ++next) {
        EXPECT_EQ(number_of(packets_[i]->buffer), next);
        EXPECT_EQ(packets_[i]->length, 60 + got);
        EXPECT_EQ(packets_[i]->hash, 1000 + got);
        EXPECT_EQ(packets_[i]->flags, RTE_MBUF_F_RX_IP_CKSUM_GOOD | RTE_MBUF_F_RX_RSS_HASH);
      }
    }
    ASSERT_EQ(receive(), 1U);
    ASSERT_EQ(number_of(packets_[0]->buffer), 2'000'000U);
  }
}

TEST_P(Mlx5, AnErrorCompletionIsSkippedAndTheNextFrameComes) {
  take();
  for (std::uint32_t round = 0; round < 100; ++round) {
    ASSERT_TRUE(arrive(numbered(2 * round)));
    ASSERT_TRUE(mlx5_device_receive_error(wire_in(), XCHG_MLX5_LOCAL_LENGTH_ERROR));
    ASSERT_TRUE(arrive(numbered(2 * round + 1)));
    std::vector<std::uint32_t> numbers;
    for (int attempt = 0; attempt < 4 && numbers.size() < 2; ++attempt)
      for (unsigned i = 0, received = receive(); i < received; ++i) numbers.push_back(number_of(packets_[i]->buffer));
    ASSERT_EQ(numbers, (std::vector<std::uint32_t>{2 * round, 2 * round + 1}));
  }
  forward_exchanged(0, 500);
}

TEST_P(Mlx5, AReceiveQueueThatStopsIsResetAndReceivesAgain) {
  take();
  for (std::uint32_t round = 0; round < 10; ++round) {
    forward_exchanged(0, 50);
    ASSERT_TRUE(arrive(numbered(7)));
    ASSERT_TRUE(mlx5_device_receive_error(wire_in(), XCHG_MLX5_LOCAL_PROTECTION_ERROR));
    EXPECT_FALSE(arrive(numbered(8)));
    ASSERT_EQ(receive(), 1U);  // the frame before the error
    for (int attempt = 0; attempt < 3; ++attempt) EXPECT_EQ(receive(), 0U);
    forward_exchanged(0, 300);
  }
  EXPECT_GT(statistics().ierrors, 0U);
}

TEST_P(Mlx5, AFailedSendQueueIsRecoveredAndSendsAgain) {
  take();
  forward_exchanged(0, 50);
  for (unsigned i = 0; i < kBurst; ++i) ASSERT_TRUE(arrive(numbered(i)));
  ASSERT_EQ(receive(), kBurst);
  ASSERT_EQ(transmit(kBurst), kBurst);
  ASSERT_TRUE(mlx5_device_transmit_error(wire_out(), XCHG_MLX5_LOCAL_QUEUE_ERROR));
  EXPECT_TRUE(leave().empty());
  EXPECT_EQ(transmit(0), 0U);  // sees the error
  EXPECT_GT(statistics().oerrors, 0U);
  forward_exchanged(0, 500);
}

TEST_P(Mlx5, AFullTransmitRingTakesWhatThereIsRoomFor) {
  take();
  unsigned sent = 0;
  for (std::uint32_t round = 0; round < 2 * kDescriptors / kBurst; ++round) {
    for (unsigned i = 0; i < kBurst; ++i) ASSERT_TRUE(arrive(numbered(i)));
    ASSERT_EQ(receive(), kBurst);
    sent += transmit(kBurst);
  }
  EXPECT_EQ(sent, kDescriptors);
  EXPECT_EQ(leave().size(), kDescriptors);
  forward_exchanged(0, 500);
}

TEST_P(Mlx5, FramesForWhichThereIsNoBufferAreTheNICsToCount) {
  take();
  std::uint32_t arrived = 0;
  while (arrive(numbered(arrived))) ++arrived;
  EXPECT_EQ(arrived, kDescriptors);
  EXPECT_EQ(statistics().imissed, 1U);
  std::uint32_t next = 0;
  while (const unsigned received = receive())
    for (unsigned i = 0; i < received; ++i) ASSERT_EQ(number_of(packets_[i]->buffer), next++);
  EXPECT_EQ(next, kDescriptors);
  forward_exchanged(0, 500);
}

TEST_P(Mlx5, TheNICIsAskedForWhatEachPacketWants) {
  take();
  for (unsigned i = 0; i < 5; ++i) ASSERT_TRUE(arrive(numbered(i)));
  ASSERT_EQ(receive(), 5U);
  for (unsigned i = 0; i < 5; ++i) packets_[i]->flags = 0;
  packets_[1]->flags = RTE_MBUF_F_TX_IP_CKSUM;
  packets_[2]->flags = RTE_MBUF_F_TX_IP_CKSUM | RTE_MBUF_F_TX_UDP_CKSUM;
  packets_[3]->flags = RTE_MBUF_F_TX_VLAN;
  packets_[3]->vlan_tci = 0x6123;
  ASSERT_EQ(transmit(5), 5U);
  const std::vector<Sent> sent = leave();
  ASSERT_EQ(sent.size(), 5U);
  for (std::uint32_t i = 0; i < 5; ++i) EXPECT_EQ(sent[i].bytes, numbered(i));
  EXPECT_EQ(sent[0].checksums, 0);
  EXPECT_EQ(sent[1].checksums, XCHG_MLX5_CHECKSUM_L3);
  EXPECT_EQ(sent[2].checksums, XCHG_MLX5_CHECKSUM_L3 | XCHG_MLX5_CHECKSUM_L4);
  EXPECT_TRUE(sent[3].insert_vlan);
  EXPECT_EQ(sent[3].vlan_tci, 0x6123);
  EXPECT_FALSE(sent[4].insert_vlan);
}

TEST_P(Mlx5, AFrameMayBeginAnywhereInItsBuffer) {
  take();
  ASSERT_TRUE(arrive(numbered(7)));
  ASSERT_EQ(receive(), 1U);
  std::memmove(packets_[0]->buffer - 4, packets_[0]->buffer, 60);
  packets_[0]->frame = packets_[0]->buffer - 4;
  ASSERT_EQ(transmit(1), 1U);
  EXPECT_EQ(leave().at(0).bytes, numbered(7));
  forward_exchanged(0, 500);
}

TEST_P(Mlx5, ThePortsStatisticsCountExchangedFrames) {
  forward_mbufs(0, 10);
  take();
  forward_exchanged(0, 90);
  EXPECT_EQ(statistics().ipackets, 100U);
  EXPECT_EQ(statistics().ibytes, 6000U);
  EXPECT_EQ(statistics().opackets, 100U);
  EXPECT_EQ(statistics().obytes, 6000U);
}

TEST_P(Mlx5, AStoppedPortIsNotTakenOver) {
  ASSERT_EQ(rte_eth_dev_stop(port_), 0);
  const char* reason = "";
  EXPECT_EQ(xchg_takeover(port_, pool_, &reason), nullptr);
  EXPECT_THAT(reason, HasSubstr("not started"));
}

TEST_P(Mlx5, TakeoverWithoutBuffersLeavesThePortAsItWas) {
  std::vector<rte_mbuf*> all;
  while (rte_mbuf* mbuf = rte_pktmbuf_alloc(pool_)) all.push_back(mbuf);
  const char* reason = "";
  EXPECT_EQ(xchg_takeover(port_, pool_, &reason), nullptr);
  EXPECT_THAT(reason, HasSubstr("no buffers"));
  rte_pktmbuf_free_bulk(all.data(), static_cast<unsigned>(all.size()));
  forward_mbufs(0, 500);
}

}  // namespace
}  // namespace packetmill::testing
