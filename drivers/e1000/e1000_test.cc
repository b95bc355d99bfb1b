#include "drivers/e1000/device.h"
#include "drivers/intel/port_test.h"

// What is the e1000's own: its descriptors.
namespace packetmill::testing {
namespace {

/// What a frame looks like to the NIC.
struct Look {
  unsigned status;
  unsigned errors;
};

class E1000 : public IntelPort {
 protected:
  bool arrive_as(const Bytes& bytes, Look look) {
    const e1000_device_frame frame{bytes.data(), static_cast<std::uint32_t>(bytes.size()),
                                   static_cast<std::uint8_t>(look.status), static_cast<std::uint8_t>(look.errors)};
    return e1000_device_receive(nic_, &frame);
  }
};

INSTANTIATE_TEST_SUITE_P(Received, E1000,
                         ::testing::Values(Variant{"scalar", "net_e1000_em_emulated0", nullptr, e1000_device_transmit,
                                                   16, 0, RTE_VECT_SIMD_256}),
                         [](const auto& info) { return info.param.name; });

TEST_P(E1000, WhatTheNICSaysOfAFrameIsInItsPacket) {
  take();
  const unsigned checked = XCHG_E1000_STATUS_IP_CHECKED | XCHG_E1000_STATUS_TCP_CHECKED;
  ASSERT_TRUE(arrive_as(tagged(frame_of(5), 0x6123), {checked, 0}));
  ASSERT_TRUE(arrive_as(frame_of(6), {checked, XCHG_E1000_ERROR_IP}));
  ASSERT_TRUE(arrive_as(frame_of(7), {checked, XCHG_E1000_ERROR_L4}));
  ASSERT_TRUE(arrive_as(frame_of(8), {XCHG_E1000_STATUS_IP_CHECKED | XCHG_E1000_STATUS_UDP_CHECKED, 0}));
  ASSERT_TRUE(arrive_as(frame_of(9), {checked | XCHG_E1000_STATUS_CHECKSUMS_IGNORED, 0}));
  ASSERT_TRUE(arrive_as(frame_of(10), {0, 0}));
  ASSERT_EQ(receive(), 6U);
  for (unsigned i = 0; i < 6; ++i) {
    EXPECT_EQ(Bytes(packets_[i]->buffer, packets_[i]->buffer + packets_[i]->length), frame_of(5 + i));
    EXPECT_EQ(packets_[i]->port, port_);
  }
  EXPECT_EQ(packets_[0]->vlan_tci, 0x6123);
  const std::uint64_t good = RTE_MBUF_F_RX_IP_CKSUM_GOOD | RTE_MBUF_F_RX_L4_CKSUM_GOOD;
  EXPECT_EQ(packets_[0]->flags, good | RTE_MBUF_F_RX_VLAN | RTE_MBUF_F_RX_VLAN_STRIPPED);
  EXPECT_EQ(packets_[1]->flags, RTE_MBUF_F_RX_IP_CKSUM_BAD | RTE_MBUF_F_RX_L4_CKSUM_GOOD);
  EXPECT_EQ(packets_[2]->flags, RTE_MBUF_F_RX_IP_CKSUM_GOOD | RTE_MBUF_F_RX_L4_CKSUM_BAD);
  EXPECT_EQ(packets_[3]->flags, good);
  EXPECT_EQ(packets_[4]->flags, 0U);
  EXPECT_EQ(packets_[5]->flags, 0U);
}

TEST_P(E1000, TheDriverItselfSaysTheSameOfAFrameButForGood) {
  const std::uint64_t good = RTE_MBUF_F_RX_IP_CKSUM_GOOD | RTE_MBUF_F_RX_L4_CKSUM_GOOD;
  const unsigned checked = XCHG_E1000_STATUS_IP_CHECKED | XCHG_E1000_STATUS_TCP_CHECKED;
  for (const unsigned errors : {0, static_cast<int>(XCHG_E1000_ERROR_IP), static_cast<int>(XCHG_E1000_ERROR_L4),
                                XCHG_E1000_ERROR_IP | XCHG_E1000_ERROR_L4}) {
    rte_mbuf* mbuf = nullptr;
    ASSERT_TRUE(arrive_as(tagged(frame_of(70), 0x2abc), {checked, errors}));
    ASSERT_EQ(rte_eth_rx_burst(port_, 0, &mbuf, 1), 1);
    take();
    ASSERT_TRUE(arrive_as(tagged(frame_of(70), 0x2abc), {checked, errors}));
    ASSERT_EQ(receive(), 1U);
    EXPECT_EQ(packets_[0]->length, mbuf->data_len);
    EXPECT_EQ(std::memcmp(packets_[0]->buffer, rte_pktmbuf_mtod(mbuf, void*), mbuf->data_len), 0);
    EXPECT_EQ(packets_[0]->flags & ~good, mbuf->ol_flags);
    EXPECT_EQ(packets_[0]->vlan_tci, mbuf->vlan_tci);
    rte_pktmbuf_free(mbuf);
    give_back();
  }
}

}  // namespace
}  // namespace packetmill::testing
