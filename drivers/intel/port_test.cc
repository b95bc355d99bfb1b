#include "drivers/intel/port_test.h"

#include <rte_ip.h>
#include <rte_tcp.h>
#include <rte_udp.h>

#include <random>

#include "drivers/e1000/device.h"
#include "drivers/ixgbe/device.h"

// What holds for each of Intel's drivers, whichever of its functions a port uses.
namespace packetmill::testing {
namespace {

using ::testing::HasSubstr;

bool arrive_at_ixgbe(intel_device* nic, const std::uint8_t* bytes, std::uint32_t length) {
  const ixgbe_device_frame frame{bytes, length, 0, 0, 0};
  return ixgbe_device_receive(nic, 0, &frame);
}

bool arrive_at_e1000(intel_device* nic, const std::uint8_t* bytes, std::uint32_t length) {
  const e1000_device_frame frame{bytes, length, 0, 0};
  return e1000_device_receive(nic, &frame);
}

constexpr std::uint64_t kOffloads = RTE_ETH_TX_OFFLOAD_IPV4_CKSUM | RTE_ETH_TX_OFFLOAD_UDP_CKSUM |
                                    RTE_ETH_TX_OFFLOAD_TCP_CKSUM | RTE_ETH_TX_OFFLOAD_VLAN_INSERT;
constexpr const char* kIxgbe = "net_ixgbe_emulated0";

using Intel = IntelPort;

INSTANTIATE_TEST_SUITE_P(Drivers, Intel,
                         ::testing::Values(Variant{"ixgbe_scalar", kIxgbe, arrive_at_ixgbe, ixgbe_device_transmit, 16,
                                                   kOffloads, RTE_VECT_SIMD_256},
                                           Variant{"ixgbe_bulk", kIxgbe, arrive_at_ixgbe, ixgbe_device_transmit, 32, 0,
                                                   RTE_VECT_SIMD_DISABLED},
                                           Variant{"ixgbe_vector", kIxgbe, arrive_at_ixgbe, ixgbe_device_transmit, 32,
                                                   0, RTE_VECT_SIMD_256},
                                           Variant{"ixgbe_vector_and_offloads", kIxgbe, arrive_at_ixgbe,
                                                   ixgbe_device_transmit, 32, kOffloads, RTE_VECT_SIMD_256},
                                           Variant{"e1000", "net_e1000_em_emulated0", arrive_at_e1000,
                                                   e1000_device_transmit, 16, kOffloads, RTE_VECT_SIMD_256}),
                         [](const auto& info) { return info.param.name; });

TEST_P(Intel, OrdinaryBurstsWorkBeforeTakeoverAndAfterRelease) {
  for (unsigned round = 0; round < 5; ++round) {
    forward(37 + round * 100);  // takeover finds the rings in ever other places
    take();
    forward(61 + round * 100);
    give_back();
  }
  forward(500);
}

TEST_P(Intel, FramesUnderWayChangeHands) {
  std::minstd_rand random(1);
  for (unsigned step = 0; step < 20'000; ++step) {
    const unsigned some = static_cast<unsigned>(random() >> 8U) % 45;
    const unsigned choice = static_cast<unsigned>(random() >> 8U) % 16;
    if (choice == 0)
      taken_ == nullptr ? take() : give_back();
    else if (choice < 6)
      some_arrive(some);
    else if (choice < 11)
      some_leave(some);
    else
      some_forwarded();
    ASSERT_FALSE(HasFatalFailure()) << step;
  }
  forward(500);
}

TEST_P(Intel, FramesKeepOrderAndBytesHoweverOftenTheRingsGoRound) {
  take();
  forward(70'000);  // further than sixteen bits count
}

TEST_P(Intel, APacketThatIsNotSentKeepsItsBuffer) {
  take();
  for (int round = 0; round < 20; ++round) {
    for (unsigned i = 0; i < kBurst; ++i) ASSERT_TRUE(arrive(frame_of(i)));
    ASSERT_EQ(receive(), kBurst);  // and dropped
  }
}

TEST_P(Intel, AFullTransmitRingTakesWhatThereIsRoomFor) {
  take();
  unsigned sent = 0;
  for (unsigned round = 0; round < 2 * kDescriptors / kBurst; ++round) {
    some_arrive(kBurst);
    ASSERT_EQ(receive(), kBurst);
    sent += transmit(kBurst);
    if (sent == in_) continue;
    in_ = sent;  // the others are dropped
  }
  EXPECT_GT(sent, kDescriptors - kBurst);
  EXPECT_LT(sent, kDescriptors);
  some_leave();
  EXPECT_EQ(out_, sent);
  forward(500);
}

TEST_P(Intel, FramesForWhichThereIsNoDescriptorAreTheNICsToCount) {
  take();
  some_arrive(kDescriptors);
  EXPECT_EQ(in_, kDescriptors - 1);  // the head never reaches the tail
  EXPECT_EQ(statistics().imissed, 1U);
  for (unsigned i = 0; i < kDescriptors / kBurst; ++i) some_forwarded();
  some_leave();
  EXPECT_EQ(out_, in_);
  forward(500);
}

TEST_P(Intel, AFrameOfSeveralBuffersIsDroppedAndCounted) {
  take();
  for (unsigned round = 0; round < 100; ++round) {
    ASSERT_TRUE(arrive(frame_of(in_)));
    ASSERT_TRUE(arrive(Bytes(5000, 0x11)));
    ASSERT_TRUE(arrive(frame_of(in_ + 1)));
    in_ += 2;
    some_forwarded();
    some_leave();
    ASSERT_EQ(out_, in_);
  }
  forward(500);
}

TEST_P(Intel, AFrameMayBeginAnywhereInItsBuffer) {
  take();
  ASSERT_TRUE(arrive(frame_of(in_)));
  ASSERT_EQ(receive(), 1U);
  std::memmove(packets_[0]->buffer - 4, packets_[0]->buffer, packets_[0]->length);
  packets_[0]->frame = packets_[0]->buffer - 4;
  ASSERT_EQ(transmit(1), 1U);
  some_leave();
  EXPECT_EQ(out_, 1U);
  in_ = 1;
  forward(500);
}

/// What a NIC may be asked to do to a frame.
struct Wish {
  bool ipv6;
  bool tcp;
  std::uint64_t flags;
};

/// A frame with the checksums that were asked for, and others wrong; before: all wrong.
Bytes segment(unsigned number, const Wish& wish, bool before) {
  const std::size_t l3 = wish.ipv6 ? sizeof(rte_ipv6_hdr) : sizeof(rte_ipv4_hdr);
  const std::size_t l4 = (wish.tcp ? sizeof(rte_tcp_hdr) : sizeof(rte_udp_hdr)) + number;
  Bytes bytes(14 + l3 + l4, 0x5a);
  auto* const ethernet = reinterpret_cast<rte_ether_hdr*>(bytes.data());
  auto* const ipv4 = reinterpret_cast<rte_ipv4_hdr*>(ethernet + 1);
  auto* const ipv6 = reinterpret_cast<rte_ipv6_hdr*>(ethernet + 1);
  const std::uint8_t protocol = wish.tcp ? IPPROTO_TCP : IPPROTO_UDP;
  rte_be16_t& checksum = *reinterpret_cast<rte_be16_t*>(bytes.data() + 14 + l3 + (wish.tcp ? 16 : 6));
  ethernet->ether_type = rte_cpu_to_be_16(wish.ipv6 ? RTE_ETHER_TYPE_IPV6 : RTE_ETHER_TYPE_IPV4);
  if (wish.ipv6) {
    ipv6->payload_len = rte_cpu_to_be_16(static_cast<std::uint16_t>(l4));
    ipv6->proto = protocol;
  } else {
    ipv4->version_ihl = RTE_IPV4_VHL_DEF;
    ipv4->total_length = rte_cpu_to_be_16(static_cast<std::uint16_t>(l3 + l4));
    ipv4->next_proto_id = protocol;
  }
  if (before) return bytes;
  if (wish.flags & RTE_MBUF_F_TX_L4_MASK) {
    checksum = 0;
    checksum = wish.ipv6 ? rte_ipv6_udptcp_cksum(ipv6, ipv6 + 1) : rte_ipv4_udptcp_cksum(ipv4, ipv4 + 1);
  }
  if (wish.flags & RTE_MBUF_F_TX_IP_CKSUM) {
    ipv4->hdr_checksum = 0;
    ipv4->hdr_checksum = rte_ipv4_cksum(ipv4);
  }
  return wish.flags & RTE_MBUF_F_TX_VLAN ? tagged(bytes, static_cast<std::uint16_t>(number)) : bytes;
}

constexpr std::array<Wish, 8> kWishes = {{
    {false, false, 0},
    {false, false, RTE_MBUF_F_TX_IPV4 | RTE_MBUF_F_TX_IP_CKSUM},
    {false, false, RTE_MBUF_F_TX_IPV4 | RTE_MBUF_F_TX_IP_CKSUM | RTE_MBUF_F_TX_UDP_CKSUM},
    {false, true, RTE_MBUF_F_TX_IPV4 | RTE_MBUF_F_TX_IP_CKSUM | RTE_MBUF_F_TX_TCP_CKSUM | RTE_MBUF_F_TX_VLAN},
    {false, true, RTE_MBUF_F_TX_VLAN},
    {true, false, RTE_MBUF_F_TX_IPV6 | RTE_MBUF_F_TX_UDP_CKSUM},
    {true, true, RTE_MBUF_F_TX_IPV6 | RTE_MBUF_F_TX_TCP_CKSUM},
    {true, true, RTE_MBUF_F_TX_IPV6 | RTE_MBUF_F_TX_TCP_CKSUM},
}};

TEST_P(Intel, TheNICInsertsWhatEachPacketWants) {
  const bool offloads = GetParam().transmit_offloads != 0;
  std::minstd_rand random(1);
  for (unsigned round = 0; round < 2000; ++round) {  // contexts come to lie anywhere in the rings
    const Wish& wish = kWishes[(random() >> 8U) % kWishes.size()];
    const unsigned number = (random() >> 8U) % 100;
    const Bytes before = segment(number, wish, true);
    if (round % 40 == 0) taken_ == nullptr ? take() : give_back();
    if (taken_ != nullptr) {
      std::memcpy(packets_[0]->buffer, before.data(), before.size());
      packets_[0]->length = static_cast<std::uint32_t>(before.size());
      packets_[0]->flags = wish.flags;
      packets_[0]->vlan_tci = static_cast<std::uint16_t>(number);
      ASSERT_EQ(xchg_transmit(&taken_->transmit_queues[0], packets_.data(), 1), 1U);
    } else {
      rte_mbuf* mbuf = rte_pktmbuf_alloc(pool_);
      std::memcpy(rte_pktmbuf_append(mbuf, static_cast<std::uint16_t>(before.size())), before.data(), before.size());
      mbuf->ol_flags = wish.flags;
      mbuf->vlan_tci = static_cast<std::uint16_t>(number);
      mbuf->l2_len = 14;
      mbuf->l3_len = wish.ipv6 ? 40 : 20;
      ASSERT_EQ(rte_eth_tx_prepare(port_, 0, &mbuf, 1), 1);
      ASSERT_EQ(rte_eth_tx_burst(port_, 0, &mbuf, 1), 1);
    }
    const std::vector<Bytes> sent = leave();
    ASSERT_EQ(sent.size(), 1U) << round;
    ASSERT_EQ(sent[0], offloads ? segment(number, wish, false) : before) << round;
  }
}

TEST_P(Intel, ThePortsStatisticsCountExchangedFrames) {
  forward(10);
  take();
  forward(90);
  std::uint64_t bytes = 0;
  for (std::uint32_t i = 0; i < 100; ++i) bytes += frame_of(i).size();
  EXPECT_EQ(statistics().ipackets, 100U);
  EXPECT_EQ(statistics().ibytes, bytes);
  EXPECT_EQ(statistics().opackets, 100U);
  EXPECT_EQ(statistics().obytes, bytes);
}

TEST_P(Intel, APortMayBeStoppedAndStartedAgain) {
  for (int round = 0; round < 3; ++round) {
    take();
    forward(300);
    some_arrive(20);
    some_forwarded();
    some_arrive(20);  // frames that are under way are lost, their buffers are not
    give_back();
    ASSERT_EQ(rte_eth_dev_stop(port_), 0);
    ASSERT_EQ(rte_mempool_avail_count(pool_), kBuffers);
    ASSERT_EQ(rte_eth_dev_start(port_), 0);
    out_ = in_;
  }
}

TEST_P(Intel, ACheckSequenceThatIsKeptIsNotTheFrames) {
  ASSERT_EQ(rte_eth_dev_stop(port_), 0);
  configuration_.rxmode.offloads |= RTE_ETH_RX_OFFLOAD_KEEP_CRC;
  start(pool_);
  take();
  Bytes bytes = frame_of(7);
  bytes.insert(bytes.end(), 4, 0xc4);
  ASSERT_TRUE(arrive(bytes));
  ASSERT_EQ(receive(), 1U);
  EXPECT_EQ(Bytes(packets_[0]->buffer, packets_[0]->buffer + packets_[0]->length), frame_of(7));
}

TEST_P(Intel, AStoppedPortIsNotTakenOver) {
  ASSERT_EQ(rte_eth_dev_stop(port_), 0);
  EXPECT_THAT(refused(pool_), HasSubstr("not started"));
}

TEST_P(Intel, TakeoverWithoutBuffersLeavesThePortAsItWas) {
  forward(45);
  std::vector<rte_mbuf*> all;
  while (rte_mbuf* mbuf = rte_pktmbuf_alloc(pool_)) all.push_back(mbuf);
  EXPECT_THAT(refused(pool_), HasSubstr("no buffers"));
  rte_pktmbuf_free_bulk(all.data(), static_cast<unsigned>(all.size()));
  forward(500);
}

TEST_P(Intel, PortsThatCannotBeTakenOverGoOnAsTheyWere) {
  rte_mempool* const other = rte_pktmbuf_pool_create("intel_other", 63, 0, 0, RTE_MBUF_DEFAULT_BUF_SIZE, SOCKET_ID_ANY);
  EXPECT_THAT(refused(other), HasSubstr("another mempool"));
  forward(100);

  // A frame of another mempool is in the transmit ring.
  rte_mbuf* const foreign = rte_pktmbuf_alloc(other);
  const Bytes bytes = frame_of(in_++);
  std::memcpy(rte_pktmbuf_append(foreign, static_cast<std::uint16_t>(bytes.size())), bytes.data(), bytes.size());
  const std::uint64_t mapped = foreign->buf_iova;
  foreign->buf_iova = reinterpret_cast<std::uintptr_t>(foreign->buf_addr) + kIova;
  rte_mbuf* packet = foreign;
  ASSERT_EQ(rte_eth_tx_burst(port_, 0, &packet, 1), 1);
  EXPECT_THAT(refused(pool_), HasSubstr("another mempool"));
  forward(500);
  foreign->buf_iova = mapped;
  rte_mempool_free(other);
}

TEST_P(Intel, FramesOfSeveralSegmentsAreRefused) {
  ASSERT_EQ(rte_eth_dev_stop(port_), 0);
  configuration_.rxmode.offloads |= RTE_ETH_RX_OFFLOAD_SCATTER;
  start(pool_);
  EXPECT_THAT(refused(pool_), HasSubstr("several segments"));
}

TEST_P(Intel, AMempoolInSeveralPiecesIsRefused) {
  ASSERT_EQ(rte_eth_dev_stop(port_), 0);
  rte_mempool_free(pool_);
  pool_ = make_pool(kIova, 2);
  start(pool_);
  EXPECT_THAT(refused(pool_), HasSubstr("several pieces"));
}

}  // namespace
}  // namespace packetmill::testing
