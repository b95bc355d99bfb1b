#include <gmock/gmock.h>
#include <rte_ip.h>
#include <rte_udp.h>

#include <cstring>

#include "drivers/virtio/test_port.h"

// What depends on how a port is set up: checksums, and what is refused.
namespace packetmill::testing {
namespace {

using ::testing::HasSubstr;

/// A port that a test sets up as it needs it.
class VirtioPort : public Port, public ::testing::Test {
 protected:
  void TearDown() override { close(); }

  /// A UDP datagram over IP, behind `tags` VLAN tags, whose checksum says that nobody has written it yet.
  static Bytes datagram(bool version6, unsigned tags) {
    Bytes bytes = numbered(1, 14 + 4 * tags + (version6 ? 40U : 20U) + 8 + 33);
    std::size_t at = 12;
    for (unsigned i = 0; i < tags; ++i, at += 4) std::memcpy(&bytes[at], "\x81\x00\x00\x05", 4);
    std::memcpy(&bytes[at], version6 ? "\x86\xdd" : "\x08\x00", 2);
    at += 2;
    if (version6) {
      rte_ipv6_hdr ip{};
      ip.vtc_flow = RTE_BE32(0x60000000);
      ip.payload_len = RTE_BE16(8 + 33);
      ip.proto = IPPROTO_UDP;
      std::memset(ip.src_addr, 1, 16);
      std::memset(ip.dst_addr, 2, 16);
      std::memcpy(&bytes[at], &ip, sizeof ip);
      at += sizeof ip;
    } else {
      rte_ipv4_hdr ip{};
      ip.version_ihl = RTE_IPV4_VHL_DEF;
      ip.total_length = RTE_BE16(20 + 8 + 33);
      ip.next_proto_id = IPPROTO_UDP;
      ip.src_addr = RTE_BE32(0x0a000001);
      ip.dst_addr = RTE_BE32(0x0a000002);
      std::memcpy(&bytes[at], &ip, sizeof ip);
      at += sizeof ip;
    }
    rte_udp_hdr udp{RTE_BE16(7), RTE_BE16(9), RTE_BE16(8 + 33), 0xbeef};
    std::memcpy(&bytes[at], &udp, sizeof udp);
    return bytes;
  }
  /// What a device makes of NEEDS_CSUM: the sum from there on, over what the checksum's place has.
  static void complete(Bytes& bytes, const xchg_virtio_header& header) {
    const std::uint16_t sum =
        static_cast<std::uint16_t>(~rte_raw_cksum(&bytes[header.checksum_start], bytes.size() - header.checksum_start));
    std::memcpy(&bytes[header.checksum_start + header.checksum_offset], &sum, sizeof sum);
  }

  const rte_eth_conf& with_checksums() {
    static rte_eth_conf configuration{};
    configuration.rxmode.offloads = RTE_ETH_RX_OFFLOAD_UDP_CKSUM | RTE_ETH_RX_OFFLOAD_TCP_CKSUM;
    configuration.txmode.offloads = RTE_ETH_TX_OFFLOAD_UDP_CKSUM | RTE_ETH_TX_OFFLOAD_TCP_CKSUM;
    return configuration;
  }
};

TEST_F(VirtioPort, TheDriverItselfSaysTheSameOfAChecksum) {
  open(kUsual | kChecksum | kGuestChecksum, "", kDescriptors, with_checksums());
  struct Case {
    Bytes bytes;
    virtio_device_frame frame;
  };
  const auto needs = [](std::uint16_t start, std::uint16_t offset) {
    return virtio_device_frame{.bytes = nullptr,
                               .length = 0,
                               .flags = XCHG_VIRTIO_NEEDS_CHECKSUM,
                               .checksum_start = start,
                               .checksum_offset = offset};
  };
  virtio_device_frame valid{};
  valid.flags = XCHG_VIRTIO_CHECKSUM_VALID;
  const std::vector<Case> cases{
      {datagram(false, 0), {}},
      {datagram(false, 0), valid},
      {datagram(true, 1), valid},
      {datagram(false, 0), needs(34, 6)},
      {datagram(true, 0), needs(54, 6)},
      {datagram(false, 1), needs(38, 6)},
      {datagram(false, 0), needs(34 + 8 + 4, 16)},  // inside a tunnel
      {numbered(5, 80), needs(20, 16)},             // of a protocol that is not known
  };
  std::array<rte_mbuf*, kBurst> mbufs{};
  for (const Case& c : cases) ASSERT_TRUE(arrive(c.bytes, c.frame));
  ASSERT_EQ(rte_eth_rx_burst(port_, 0, mbufs.data(), cases.size()), cases.size());
  take();
  for (const Case& c : cases) ASSERT_TRUE(arrive(c.bytes, c.frame));
  ASSERT_EQ(receive(), cases.size());
  for (unsigned i = 0; i < cases.size(); ++i) {
    const xchg& packet = *packets_[i];
    EXPECT_EQ(packet.flags, mbufs[i]->ol_flags) << i;
    EXPECT_EQ(packet.port, port_);
    ASSERT_EQ(packet.length, mbufs[i]->data_len);
    EXPECT_EQ(std::memcmp(packet.buffer, rte_pktmbuf_mtod(mbufs[i], void*), packet.length), 0) << i;
  }
  EXPECT_EQ(packets_[1]->flags, RTE_MBUF_F_RX_L4_CKSUM_GOOD);
  EXPECT_EQ(packets_[3]->flags, RTE_MBUF_F_RX_L4_CKSUM_NONE);
  EXPECT_EQ(packets_[6]->flags, 0U);
  rte_pktmbuf_free_bulk(mbufs.data(), cases.size());
}

TEST_F(VirtioPort, TheDeviceCompletesChecksumsThatAreAskedFor) {
  open(kUsual | kPacked | kChecksum | kGuestChecksum, "", kDescriptors, with_checksums());
  take();
  for (const bool version6 : {false, true})
    for (const unsigned tags : {0U, 1U, 2U}) {
      const Bytes frame = datagram(version6, tags);
      ASSERT_TRUE(arrive(frame));
      ASSERT_TRUE(arrive(frame));
      ASSERT_EQ(receive(), 2U);
      packets_[0]->flags = 0;
      packets_[1]->flags = RTE_MBUF_F_TX_UDP_CKSUM;
      ASSERT_EQ(transmit(2), 2U);
      std::vector<Sent> left = leave();
      ASSERT_EQ(left.size(), 2U);
      EXPECT_EQ(left[0].bytes, frame);
      EXPECT_EQ(left[0].header.flags, 0);
      ASSERT_EQ(left[1].header.flags, XCHG_VIRTIO_NEEDS_CHECKSUM);
      complete(left[1].bytes, left[1].header);
      const std::uint8_t* ip = &left[1].bytes[14 + 4 * tags];
      const std::uint8_t* udp = ip + (version6 ? 40 : 20);
      EXPECT_EQ(version6 ? rte_ipv6_udptcp_cksum_verify(reinterpret_cast<const rte_ipv6_hdr*>(ip), udp)
                         : rte_ipv4_udptcp_cksum_verify(reinterpret_cast<const rte_ipv4_hdr*>(ip), udp),
                0);
    }
}

TEST_F(VirtioPort, WhereNoChecksumsWereAskedForAtSetUpFlagsMeanNothing) {
  open(kUsual | kChecksum | kGuestChecksum, "", kDescriptors);
  take();
  virtio_device_frame valid{};
  valid.flags = XCHG_VIRTIO_CHECKSUM_VALID;
  ASSERT_TRUE(arrive(datagram(false, 0), valid));
  ASSERT_EQ(receive(), 1U);
  EXPECT_EQ(packets_[0]->flags, 0U);
  packets_[0]->flags = RTE_MBUF_F_TX_UDP_CKSUM;
  ASSERT_EQ(transmit(1), 1U);
  const std::vector<Sent> left = leave();
  ASSERT_EQ(left.size(), 1U);
  EXPECT_EQ(left[0].bytes, datagram(false, 0));
  EXPECT_EQ(left[0].header.flags, 0);
}

TEST_F(VirtioPort, TagsThatAreStrippedAreRefusedAndThePortGoesOnAsItWas) {
  rte_eth_conf configuration{};
  configuration.rxmode.offloads = RTE_ETH_RX_OFFLOAD_VLAN_STRIP;
  open(kIndirect | kVersion1 | kMerged, "", kDescriptors, configuration);
  EXPECT_THAT(refusal(), HasSubstr("VLAN tags are stripped"));
  forward(300);
}

TEST_F(VirtioPort, FramesOfSeveralSegmentsAreRefusedWhereTheyAreAskedFor) {
  rte_eth_conf configuration{};
  configuration.rxmode.offloads = RTE_ETH_RX_OFFLOAD_SCATTER;
  open(kUsual | kMerged, "", kDescriptors, configuration);
  EXPECT_THAT(refusal(), HasSubstr("several segments"));
  forward(300);
}

TEST_F(VirtioPort, InsertedTagsAreRefused) {
  rte_eth_conf configuration{};
  configuration.txmode.offloads = RTE_ETH_TX_OFFLOAD_VLAN_INSERT;
  open(kUsual, "", kDescriptors, configuration);
  EXPECT_THAT(refusal(), HasSubstr("VLAN tags are inserted"));
  forward(300);
}

TEST_F(VirtioPort, ADeviceWithoutIndirectDescriptorsIsRefused) {
  open(kVersion1, "", kDescriptors);
  EXPECT_THAT(refusal(), HasSubstr("indirect"));
  forward(300);
}

TEST_F(VirtioPort, APackedRingThatIsNotFullIsRefused) {
  open(kUsual | kPacked, "", kDescriptors / 2);
  EXPECT_THAT(refusal(), HasSubstr("must be full"));
}

TEST_F(VirtioPort, AnotherMempoolIsRefused) {
  open(kUsual, "", kDescriptors);
  rte_mempool* other = rte_pktmbuf_pool_create("other", 63, 0, 0, RTE_MBUF_DEFAULT_BUF_SIZE, SOCKET_ID_ANY);
  const char* reason = "";
  EXPECT_EQ(xchg_takeover(port_, other, &reason), nullptr);
  EXPECT_THAT(reason, HasSubstr("another mempool"));
  rte_mbuf* foreign = rte_pktmbuf_alloc(other);
  rte_pktmbuf_append(foreign, 60);
  ASSERT_EQ(rte_eth_tx_burst(port_, 0, &foreign, 1), 1);
  EXPECT_THAT(refusal(), HasSubstr("another mempool are under way"));
  EXPECT_EQ(leave().size(), 1U);
  forward(3 * kDescriptors);  // the driver frees it when it needs the place
  EXPECT_EQ(rte_mempool_avail_count(other), 63U);
  rte_mempool_free(other);
  take();
  forward(300);
}

TEST_F(VirtioPort, FramesOfSeveralDescriptorsAreWaitedFor) {
  open(kUsual | kInOrder, "", kDescriptors);
  forward(10);
  for (int round = 0; round < 3; ++round) {  // table and ids go apart by one each time
    rte_mbuf* odd = rte_pktmbuf_alloc(pool_);
    ASSERT_NE(rte_pktmbuf_append(odd, 61), nullptr);
    ASSERT_NE(rte_pktmbuf_adj(odd, 1), nullptr);
    ASSERT_EQ(rte_eth_tx_burst(port_, 0, &odd, 1), 1);
    EXPECT_THAT(refusal(), HasSubstr("several descriptors"));
    EXPECT_EQ(leave().size(), 1U);
    for (int i = 0; i < 2; ++i) forward(kDescriptors);
    for (std::uint32_t i = 0; i < 5; ++i) ASSERT_TRUE(arrive(numbered(i)));
    ASSERT_EQ(forward_mbufs(), 5U);
    take();
    for (std::uint32_t i = 5; i < 10; ++i) ASSERT_TRUE(arrive(numbered(i)));
    ASSERT_EQ(forward_exchanged(), 5U);
    const std::vector<Sent> left = leave();
    ASSERT_EQ(left.size(), 10U);
    for (std::uint32_t i = 0; i < 10; ++i) EXPECT_EQ(left[i].bytes, numbered(i));
    forward(500);
    give_back();
    forward(500);
  }
}

}  // namespace
}  // namespace packetmill::testing
