#include "drivers/intel/port_test.h"
#include "drivers/ixgbe/device.h"

// What is the 82599's own: its descriptors, and what it is asked for.
namespace packetmill::testing {
namespace {

/// What a frame looks like to the NIC.
struct Look {
  std::uint32_t info = 0;
  std::uint32_t hash = 0;
  std::uint32_t status = 0;
};

bool arrive_as(intel_device* nic, const Bytes& bytes, const Look& look) {
  const ixgbe_device_frame frame{bytes.data(), static_cast<std::uint32_t>(bytes.size()), look.info, look.hash,
                                 look.status};
  return ixgbe_device_receive(nic, 0, &frame);
}

bool arrive_plainly(intel_device* nic, const std::uint8_t* bytes, std::uint32_t length) {
  return arrive_as(nic, Bytes(bytes, bytes + length), {});
}

class Ixgbe : public IntelPort {
 protected:
  /// The driver's own word for frames that look like this to the NIC, and ours.
  void expect_the_same(const Bytes& bytes, const Look& look) {
    std::array<rte_mbuf*, 4> mbufs{};
    for (unsigned i = 0; i < 4; ++i) ASSERT_TRUE(arrive_as(nic_, bytes, look));
    ASSERT_EQ(rte_eth_rx_burst(port_, 0, mbufs.data(), 4), 4);
    take();
    for (unsigned i = 0; i < 4; ++i) ASSERT_TRUE(arrive_as(nic_, bytes, look));
    ASSERT_EQ(receive(), 4U);
    for (unsigned i = 0; i < 4; ++i) {
      EXPECT_EQ(packets_[i]->length, mbufs[i]->data_len);
      EXPECT_EQ(std::memcmp(packets_[i]->buffer, rte_pktmbuf_mtod(mbufs[i], void*), mbufs[i]->data_len), 0);
      EXPECT_EQ(packets_[i]->flags, mbufs[i]->ol_flags);
      EXPECT_EQ(packets_[i]->type, mbufs[i]->packet_type);
      EXPECT_EQ(packets_[i]->vlan_tci, mbufs[i]->vlan_tci);
      EXPECT_EQ(packets_[i]->port, mbufs[i]->port);
      if (mbufs[i]->ol_flags & RTE_MBUF_F_RX_RSS_HASH) EXPECT_EQ(packets_[i]->hash, mbufs[i]->hash.rss);
    }
    rte_pktmbuf_free_bulk(mbufs.data(), 4);
    give_back();
  }
};

INSTANTIATE_TEST_SUITE_P(Received, Ixgbe,
                         ::testing::Values(Variant{"scalar", "net_ixgbe_emulated0", arrive_plainly,
                                                   ixgbe_device_transmit, 16, 0, RTE_VECT_SIMD_256},
                                           Variant{"bulk", "net_ixgbe_emulated0", arrive_plainly, ixgbe_device_transmit,
                                                   32, 0, RTE_VECT_SIMD_DISABLED},
                                           Variant{"vector", "net_ixgbe_emulated0", arrive_plainly,
                                                   ixgbe_device_transmit, 32, 0, RTE_VECT_SIMD_256}),
                         [](const auto& info) { return info.param.name; });

TEST_P(Ixgbe, WhatTheNICSaysOfAFrameIsInItsPacket) {
  take();
  const std::uint32_t checked = XCHG_IXGBE_STATUS_IP_CHECKED | XCHG_IXGBE_STATUS_L4_CHECKED;
  ASSERT_TRUE(
      arrive_as(nic_, tagged(frame_of(5), 0x6123), {.info = 0x21U << 4U | 7, .hash = 0x12345678, .status = checked}));
  ASSERT_TRUE(arrive_as(nic_, frame_of(6), {.info = 0x11U << 4U | 15, .hash = 0xabcd002a, .status = checked}));
  ASSERT_TRUE(arrive_as(nic_, frame_of(7), {}));
  ASSERT_EQ(receive(), 3U);
  const xchg& packet = *packets_[0];
  EXPECT_EQ(packet.length, frame_of(5).size());  // the tag is not there any more
  EXPECT_EQ(Bytes(packet.buffer, packet.buffer + packet.length), frame_of(5));
  EXPECT_EQ(packet.vlan_tci, 0x6123);
  EXPECT_EQ(packet.hash, 0x12345678U);
  EXPECT_EQ(packet.type, RTE_PTYPE_L2_ETHER | RTE_PTYPE_L3_IPV4 | RTE_PTYPE_L4_UDP);
  EXPECT_EQ(packet.port, port_);
  EXPECT_EQ(packet.flags, RTE_MBUF_F_RX_IP_CKSUM_GOOD | RTE_MBUF_F_RX_L4_CKSUM_GOOD | RTE_MBUF_F_RX_VLAN |
                              RTE_MBUF_F_RX_VLAN_STRIPPED | RTE_MBUF_F_RX_RSS_HASH);
  EXPECT_EQ(packets_[1]->mark, 42U);  // of a flow director's filter
  EXPECT_EQ(packets_[1]->hash, 0U);
  EXPECT_EQ(packets_[1]->flags, RTE_MBUF_F_RX_IP_CKSUM_GOOD | RTE_MBUF_F_RX_L4_CKSUM_GOOD | RTE_MBUF_F_RX_FDIR);
  EXPECT_EQ(packets_[2]->type, RTE_PTYPE_L2_ETHER);
  EXPECT_EQ(packets_[2]->flags, 0U);  // nothing was looked at
  EXPECT_EQ(packets_[2]->mark, 0U);
}

TEST_P(Ixgbe, TheDriverItselfSaysTheSameOfAFrame) {
  const std::uint32_t checked = XCHG_IXGBE_STATUS_IP_CHECKED | XCHG_IXGBE_STATUS_L4_CHECKED;
  for (const std::uint32_t errors :
       {0U, static_cast<unsigned>(XCHG_IXGBE_ERROR_L4), XCHG_IXGBE_ERROR_IP, XCHG_IXGBE_ERROR_IP | XCHG_IXGBE_ERROR_L4})
    for (const std::uint32_t type : {0x00U, 0x01U, 0x11U, 0x21U, 0x41U, 0x14U, 0x24U})
      for (const std::uint32_t hash : {0U, 1U, 2U, 3U, 5U, 7U, 8U}) {
        // A frame of UDP whose checksum the NIC calls bad may have had none, and the vector function of an 82599 says "good".
        if (type >> 4U == 2 && (errors & XCHG_IXGBE_ERROR_L4)) continue;
        expect_the_same(frame_of(type), {.info = type << 4U | hash, .hash = 0x12345678, .status = checked | errors});
        expect_the_same(tagged(frame_of(type), 0x2abc), {.info = type << 4U | hash, .status = checked | errors});
        ASSERT_FALSE(HasFatalFailure());
      }
}

TEST_P(Ixgbe, ABadChecksumOfUDPIsNoVerdict) {
  take();
  const std::uint32_t status = XCHG_IXGBE_STATUS_L4_CHECKED | XCHG_IXGBE_ERROR_L4;
  ASSERT_TRUE(arrive_as(nic_, frame_of(0), {.info = 0x21U << 4U, .status = status}));
  ASSERT_TRUE(arrive_as(nic_, frame_of(0), {.info = 0x11U << 4U, .status = status}));
  ASSERT_EQ(receive(), 2U);
  EXPECT_EQ(packets_[0]->flags, 0U);
  EXPECT_EQ(packets_[1]->flags, RTE_MBUF_F_RX_L4_CKSUM_BAD);
}

TEST_P(Ixgbe, FramesThatTheDriverHasTakenOutAreReceivedBeforeTakeover) {
  std::array<rte_mbuf*, 12> mbufs{};
  for (std::uint32_t i = 0; i < 12; ++i) ASSERT_TRUE(arrive_as(nic_, frame_of(i), {}));
  const unsigned first = rte_eth_rx_burst(port_, 0, mbufs.data(), 4);
  ASSERT_EQ(first, 4U);
  const bool in_bulk =
      GetParam().simd == RTE_VECT_SIMD_DISABLED;  // only that function takes out more than it is asked for
  if (in_bulk) EXPECT_THAT(refused(pool_), ::testing::HasSubstr("half received"));
  EXPECT_EQ(rte_eth_rx_burst(port_, 0, mbufs.data() + first, 8), 8);
  for (std::uint32_t i = 0; i < 12; ++i) EXPECT_EQ(mbufs[i]->data_len, frame_of(i).size());
  rte_pktmbuf_free_bulk(mbufs.data(), 12);
  take();
  forward(500);
}

TEST_P(Ixgbe, SegmentationIsRefused) {
  ASSERT_EQ(rte_eth_dev_stop(port_), 0);
  configuration_.txmode.offloads |= RTE_ETH_TX_OFFLOAD_TCP_TSO;
  start(pool_);
  EXPECT_THAT(refused(pool_), ::testing::HasSubstr("TSO"));
}

}  // namespace
}  // namespace packetmill::testing
