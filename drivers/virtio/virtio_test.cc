#include <gmock/gmock.h>
#include <rte_bus_vdev.h>
#include <rte_ethdev.h>
#include <rte_ip.h>
#include <rte_mbuf.h>
#include <rte_udp.h>

#include <algorithm>
#include <array>
#include <cstring>

#include "drivers/virtio/emulated.h"
#include "drivers/virtio/test_packet.h"
#include "ports/dpdk/eal.h"

// The virtio data path on an emulated device: the test is the wire. virtio's own control path is under it.
namespace packetmill::testing {
namespace {

using ::testing::HasSubstr;

constexpr std::uint16_t kDescriptors = 128;
constexpr unsigned kBuffers = 1023;
constexpr unsigned kBurst = 32;

// Feature bits (virtio 1.2, sections 5.1.3 and 6).
constexpr std::uint64_t kChecksum = 1ULL << 0U;
constexpr std::uint64_t kGuestChecksum = 1ULL << 1U;
constexpr std::uint64_t kMerged = 1ULL << 15U;
constexpr std::uint64_t kIndirect = 1ULL << 28U;
constexpr std::uint64_t kVersion1 = 1ULL << 32U;
constexpr std::uint64_t kPacked = 1ULL << 34U;
constexpr std::uint64_t kInOrder = 1ULL << 35U;
constexpr std::uint64_t kUsual = kIndirect | kVersion1;

struct Sent {
  Bytes bytes;
  xchg_virtio_header header;
  bool apart;
};

/// A kind of ring, and with it one of the driver's receive functions.
struct Kind {
  const char* name;
  std::uint64_t features;
  const char* others = "";  ///< of the device's arguments
  std::uint16_t descriptors = kDescriptors;
};

class Port {
 protected:
  void open(std::uint64_t features, const std::string& others, std::uint16_t descriptors,
            const rte_eth_conf& configuration = {}) {
    ASSERT_EQ(dpdk::start_eal({"--no-huge", "--force-max-simd-bitwidth=512"}), std::nullopt);
    pool_ = rte_pktmbuf_pool_create("virtio_test", kBuffers, 32, 0, RTE_MBUF_DEFAULT_BUF_SIZE, SOCKET_ID_ANY);
    ASSERT_NE(pool_, nullptr);
    if (others.find("bus=1") != std::string::npos)
      rte_mempool_obj_iter(
          pool_,
          [](rte_mempool*, void*, void* mbuf, unsigned) {
            rte_mbuf_iova_set(static_cast<rte_mbuf*>(mbuf),
                              rte_mbuf_iova_get(static_cast<rte_mbuf*>(mbuf)) | VIRTIO_DEVICE_BUS);
          },
          nullptr);
    const std::string arguments =
        "size=" + std::to_string(kDescriptors) + ",features=" + std::to_string(features) + others;
    ASSERT_EQ(rte_vdev_init("net_virtio_emulated0", arguments.c_str()), 0);
    ASSERT_EQ(rte_eth_dev_get_port_by_name("net_virtio_emulated0", &port_), 0);
    start(descriptors, configuration);
  }
  void start(std::uint16_t descriptors, const rte_eth_conf& configuration) {
    ASSERT_EQ(rte_eth_dev_configure(port_, 1, 1, &configuration), 0);
    ASSERT_EQ(rte_eth_rx_queue_setup(port_, 0, descriptors, SOCKET_ID_ANY, nullptr, pool_), 0);
    ASSERT_EQ(rte_eth_tx_queue_setup(port_, 0, descriptors, SOCKET_ID_ANY, nullptr), 0);
    ASSERT_EQ(rte_eth_dev_start(port_), 0);
    virtio_device_want_kicks(wire_in(), false);
    virtio_device_want_kicks(wire_out(), false);
  }
  /// Whatever a test has done, every buffer is in the pool again once the port is closed.
  void close() {
    if (taken_ != nullptr) give_back();
    EXPECT_EQ(wire_in()->wrong, 0U);
    EXPECT_EQ(wire_out()->wrong, 0U);
    ASSERT_EQ(rte_eth_dev_stop(port_), 0);
    ASSERT_EQ(rte_eth_dev_close(port_), 0);
    ASSERT_EQ(rte_vdev_uninit("net_virtio_emulated0"), 0);
    EXPECT_EQ(rte_mempool_avail_count(pool_), kBuffers);
    rte_mempool_free(pool_);
  }

  void take() {
    const char* reason = "";
    taken_ = xchg_takeover(port_, pool_, &reason);
    ASSERT_NE(taken_, nullptr) << reason;
    for (unsigned i = 0; i < kBurst; ++i) {
      packets_[i] = &storage_[i];
      xchg_set_buffer(packets_[i], xchg_new_buffer(taken_));
    }
  }
  void give_back() {
    for (xchg* packet : packets_) xchg_free_buffer(taken_, packet->buffer);
    xchg_release(taken_);
    taken_ = nullptr;
  }
  std::string refusal() {
    const char* reason = "";
    EXPECT_EQ(xchg_takeover(port_, pool_, &reason), nullptr);
    return reason;
  }

  virtio_device_queue* wire_in() { return virtio_emulated_receive_device(port_); }
  virtio_device_queue* wire_out() { return virtio_emulated_transmit_device(port_); }

  bool arrive(const Bytes& bytes, virtio_device_frame frame = {}) {
    frame.bytes = bytes.data();
    frame.length = static_cast<std::uint32_t>(bytes.size());
    return virtio_device_receive(wire_in(), &frame);
  }
  std::vector<Sent> leave(unsigned most = UINT32_MAX) {
    std::vector<Sent> sent;
    virtio_device_transmit(
        wire_out(), most,
        [](void* context, const virtio_device_sent* frame) {
          static_cast<std::vector<Sent>*>(context)->push_back(
              {Bytes(frame->bytes, frame->bytes + frame->length), frame->header, frame->apart});
        },
        &sent);
    return sent;
  }

  unsigned receive(unsigned most = kBurst) {
    return xchg_receive(&taken_->receive_queues[0], packets_.data(), static_cast<std::uint16_t>(most));
  }
  unsigned transmit(unsigned count) {
    return xchg_transmit(&taken_->transmit_queues[0], packets_.data(), static_cast<std::uint16_t>(count));
  }
  rte_eth_stats statistics() {
    rte_eth_stats statistics{};
    rte_eth_stats_get(port_, &statistics);
    return statistics;
  }

  unsigned forward_mbufs() {
    std::array<rte_mbuf*, kBurst> mbufs;
    const std::uint16_t received = rte_eth_rx_burst(port_, 0, mbufs.data(), kBurst);
    std::uint16_t sent = 0;
    while (sent < received)
      sent += rte_eth_tx_burst(port_, 0, mbufs.data() + sent, static_cast<std::uint16_t>(received - sent));
    return received;
  }
  unsigned forward_exchanged() {
    const unsigned received = receive();
    EXPECT_EQ(transmit(received), received);
    return received;
  }
  /// `count` frames through the port, a burst under way at a time: in order, byte by byte.
  void forward(std::uint32_t count) {
    std::uint32_t in = 0;
    std::uint32_t out = 0;
    while (out < count) {
      while (in < count && in < out + kBurst && arrive(numbered(in))) ++in;
      const unsigned received = taken_ != nullptr ? forward_exchanged() : forward_mbufs();
      const std::vector<Sent> left = leave();
      ASSERT_EQ(left.size(), received);
      for (const Sent& frame : left) ASSERT_EQ(frame.bytes, numbered(out++));
    }
  }

  std::uint16_t port_ = 0;
  rte_mempool* pool_ = nullptr;
  xchg_port* taken_ = nullptr;
  std::array<xchg, kBurst> storage_{};
  std::array<xchg*, kBurst> packets_{};
};

class Virtio : public Port, public ::testing::TestWithParam<Kind> {
 protected:
  void SetUp() override { open(GetParam().features, GetParam().others, GetParam().descriptors); }
  void TearDown() override { close(); }
};

std::string name_of(const ::testing::TestParamInfo<Kind>& info) { return info.param.name; }

const std::vector<Kind>& rings() {
  static const std::vector<Kind> kinds{
      {"split", kUsual},
      {"split_in_order", kUsual | kInOrder},
      {"split_merged", kUsual | kMerged},
      {"split_in_order_merged", kUsual | kInOrder | kMerged},
      {"split_vector", kUsual, ",vectorized=1"},
      {"split_legacy", kIndirect},
      {"split_half", kUsual, "", kDescriptors / 2},
      {"split_in_order_half", kUsual | kInOrder, "", kDescriptors / 2},
      {"split_translated", kUsual, ",bus=1"},
      {"packed", kUsual | kPacked},
      {"packed_in_order", kUsual | kPacked | kInOrder},
      {"packed_merged", kUsual | kPacked | kMerged},
      {"packed_vector", kUsual | kPacked | kInOrder, ",vectorized=1"},
      {"packed_translated", kUsual | kPacked, ",bus=1"},
  };
  return kinds;
}
template <class Which>
std::vector<Kind> rings_of(Which which) {
  std::vector<Kind> kinds;
  std::copy_if(rings().begin(), rings().end(), std::back_inserter(kinds), which);
  return kinds;
}

INSTANTIATE_TEST_SUITE_P(Rings, Virtio, ::testing::ValuesIn(rings()), name_of);

/// Those whose frames may lie in several buffers.
class VirtioMerged : public Virtio {};
INSTANTIATE_TEST_SUITE_P(Rings, VirtioMerged,
                         ::testing::ValuesIn(rings_of([](const Kind& kind) { return kind.features & kMerged; })),
                         name_of);

/// Those whose devices need not work in order; the vector function takes it that they do all the same.
class VirtioUnordered : public Virtio {};
INSTANTIATE_TEST_SUITE_P(Rings, VirtioUnordered, ::testing::ValuesIn(rings_of([](const Kind& kind) {
                           return !(kind.features & kInOrder) && kind.others != std::string(",vectorized=1");
                         })),
                         name_of);

TEST_P(Virtio, OrdinaryBurstsWorkBeforeTakeoverAndAfterRelease) {
  for (std::uint32_t round = 0; round < 5; ++round) {
    forward(37 + round * 100);  // takeover finds the rings in ever other places
    take();
    forward(61 + round * 100);
    give_back();
  }
  forward(500);
}

TEST_P(Virtio, FramesUnderWayInBothRingsAreNotLostAtTakeoverNorAtRelease) {
  std::uint32_t in = 0;
  std::uint32_t out = 0;
  const auto left = [&](unsigned most) {
    for (const Sent& frame : leave(most)) ASSERT_EQ(frame.bytes, numbered(out++));
  };
  for (int round = 0; round < 20; ++round) {
    for (unsigned i = 0; i < kBurst; ++i) ASSERT_TRUE(arrive(numbered(in++)));
    forward_mbufs();  // some of them wait to be sent, others may wait to be received
    take();
    for (unsigned i = 0; i < 5; ++i) ASSERT_TRUE(arrive(numbered(in++)));
    left(3);
    forward_exchanged();
    left(kBurst / 2);
    for (unsigned i = 0; i < 7; ++i) ASSERT_TRUE(arrive(numbered(in++)));
    give_back();
    while (out + wire_in()->no_buffer < in) {
      forward_mbufs();
      left(UINT32_MAX);
    }
  }
  EXPECT_EQ(out, in);
}

TEST_P(Virtio, FramesKeepOrderAndBytesHoweverOftenTheRingsGoRound) {
  take();
  forward(70'000);  // further than sixteen bits count
}

TEST_P(Virtio, APacketThatIsNotSentKeepsItsBuffer) {
  take();
  for (int round = 0; round < 20; ++round) {
    for (unsigned i = 0; i < kBurst; ++i) ASSERT_TRUE(arrive(numbered(i)));
    ASSERT_EQ(receive(), kBurst);  // and dropped
  }
}

TEST_P(VirtioUnordered, ADeviceMayUseBuffersInAnotherOrder) {
  const auto cross = [&](std::uint32_t number) {
    const Bytes first = numbered(number);
    const Bytes second = numbered(number + 1);
    const virtio_device_frame frames[2] = {
        {.bytes = first.data(), .length = 60, .flags = 0, .checksum_start = 0, .checksum_offset = 0},
        {.bytes = second.data(), .length = 60, .flags = 0, .checksum_start = 0, .checksum_offset = 0}};
    ASSERT_TRUE(virtio_device_receive_crossed(wire_in(), frames));
  };
  take();
  for (std::uint32_t round = 0; round < 1000; ++round) {
    cross(3 * round + 1);
    ASSERT_TRUE(arrive(numbered(3 * round)));
    ASSERT_EQ(forward_exchanged(), 3U);
    const std::vector<Sent> left = leave();
    ASSERT_EQ(left.size(), 3U);
    EXPECT_EQ(left[0].bytes, numbered(3 * round + 2));
    EXPECT_EQ(left[1].bytes, numbered(3 * round + 1));
    EXPECT_EQ(left[2].bytes, numbered(3 * round));
  }
  give_back();
  forward(500);
}

TEST_P(Virtio, AFullTransmitRingTakesWhatThereIsRoomFor) {
  take();
  unsigned sent = 0;
  for (std::uint32_t round = 0; round < 2 * kDescriptors / kBurst; ++round) {
    for (unsigned i = 0; i < kBurst; ++i) ASSERT_TRUE(arrive(numbered(i)));
    ASSERT_EQ(receive(), kBurst);
    sent += transmit(kBurst);
  }
  EXPECT_EQ(sent, GetParam().descriptors);
  EXPECT_EQ(leave().size(), GetParam().descriptors);
  forward(500);
}

TEST_P(Virtio, AFullTransmitRingIsGivenBackAsItIs) {
  take();
  for (std::uint32_t round = 0; round < 2 * kDescriptors / kBurst; ++round) {
    for (unsigned i = 0; i < kBurst; ++i) ASSERT_TRUE(arrive(numbered(round * kBurst + i)));
    ASSERT_EQ(receive(), kBurst);
    (void)transmit(kBurst);
  }
  give_back();
  const std::vector<Sent> left = leave();
  ASSERT_EQ(left.size(), GetParam().descriptors);
  for (std::uint32_t i = 0; i < left.size(); ++i) ASSERT_EQ(left[i].bytes, numbered(i));
  forward(500);
}

TEST_P(Virtio, FramesForWhichThereIsNoBufferAreTheDevicesToCount) {
  take();
  std::uint32_t arrived = 0;
  while (arrive(numbered(arrived))) ++arrived;
  EXPECT_GT(arrived, GetParam().descriptors - kBurst);  // the last lot may wait (RTE_VIRTIO_VPMD_RX_REARM_THRESH)
  EXPECT_LE(arrived, GetParam().descriptors);
  EXPECT_EQ(wire_in()->no_buffer, 1U);
  std::uint32_t next = 0;
  while (const unsigned received = receive())
    for (unsigned i = 0; i < received; ++i) ASSERT_EQ(number_of(packets_[i]->buffer), next++);
  EXPECT_EQ(next, arrived);
  forward(500);
}

TEST_P(Virtio, WhatIsLessThanAFrameIsAnErrorAndItsBufferGoesBack) {
  take();
  for (std::uint32_t round = 0; round < 2 * kDescriptors; ++round) {
    ASSERT_TRUE(arrive(numbered(2 * round)));
    ASSERT_TRUE(virtio_device_receive_runt(wire_in()));
    ASSERT_TRUE(arrive(numbered(2 * round + 1)));
    ASSERT_EQ(receive(), 2U);
    EXPECT_EQ(number_of(packets_[0]->buffer), 2 * round);
    EXPECT_EQ(number_of(packets_[1]->buffer), 2 * round + 1);
  }
  EXPECT_EQ(statistics().ierrors, 2U * kDescriptors);
  forward(500);
}

TEST_P(VirtioMerged, AFrameOfSeveralBuffersIsAnErrorAndItsBuffersGoBack) {
  take();
  for (std::uint32_t round = 0; round < 200; ++round) {
    ASSERT_TRUE(arrive(numbered(2 * round)));
    ASSERT_TRUE(arrive(numbered(0, 9000)));
    ASSERT_TRUE(arrive(numbered(2 * round + 1)));
    ASSERT_EQ(receive(), 2U);
    EXPECT_EQ(number_of(packets_[0]->buffer), 2 * round);
    EXPECT_EQ(number_of(packets_[1]->buffer), 2 * round + 1);
  }
  EXPECT_EQ(statistics().ierrors, 200U);
  EXPECT_EQ(statistics().ipackets, 400U);
  forward(500);
}

TEST_P(Virtio, AFrameMayBeginAnywhereInItsBuffer) {
  take();
  const bool legacy = (GetParam().features & kVersion1) == 0;
  const int headroom = RTE_PKTMBUF_HEADROOM;
  for (const int begin : {-headroom, -headroom + 3, -headroom + 12, -4, 0, 1, 60}) {
    ASSERT_TRUE(arrive(numbered(7)));
    ASSERT_EQ(receive(), 1U);
    std::memmove(packets_[0]->buffer + begin, packets_[0]->buffer, 60);
    packets_[0]->frame = packets_[0]->buffer + begin;
    ASSERT_EQ(transmit(1), 1U);
    const std::vector<Sent> left = leave();
    ASSERT_EQ(left.size(), 1U);
    EXPECT_EQ(left[0].bytes, numbered(7));
    EXPECT_EQ(left[0].apart, legacy || begin < -headroom + 10 || begin % 2 != 0) << begin;
    const xchg_virtio_header zero{};
    EXPECT_EQ(std::memcmp(&left[0].header, &zero, sizeof zero), 0);
  }
  forward(500);
}

TEST_P(Virtio, AHeaderIsZeroWhateverLayThere) {
  take();
  ASSERT_TRUE(arrive(numbered(7)));
  ASSERT_EQ(receive(), 1U);
  std::memset(packets_[0]->buffer - 12, 0xff, 12);
  ASSERT_EQ(transmit(1), 1U);
  const std::vector<Sent> left = leave();
  ASSERT_EQ(left.size(), 1U);
  EXPECT_EQ(left[0].bytes, numbered(7));
  const xchg_virtio_header zero{};
  EXPECT_EQ(std::memcmp(&left[0].header, &zero, sizeof zero), 0);
}

TEST_P(Virtio, TheDeviceIsKickedWhereItWantsToBe) {
  take();
  forward(kBurst);
  const std::uint64_t receive_kicks = wire_in()->kicks;
  const std::uint64_t transmit_kicks = wire_out()->kicks;
  forward(kBurst);
  EXPECT_EQ(wire_in()->kicks, receive_kicks);
  EXPECT_EQ(wire_out()->kicks, transmit_kicks);
  virtio_device_want_kicks(wire_in(), true);
  virtio_device_want_kicks(wire_out(), true);
  forward(kBurst);
  EXPECT_EQ(wire_in()->kicks, receive_kicks + 1);  // once a burst
  EXPECT_EQ(wire_out()->kicks, transmit_kicks + 1);
  EXPECT_EQ(receive(), 0U);
  EXPECT_EQ(wire_in()->kicks, receive_kicks + 1);
}

TEST_P(Virtio, ThePortsStatisticsCountExchangedFrames) {
  forward(10);
  take();
  forward(90);
  EXPECT_EQ(statistics().ipackets, 100U);
  EXPECT_EQ(statistics().ibytes, 6000U);
  EXPECT_EQ(statistics().opackets, 100U);
  EXPECT_EQ(statistics().obytes, 6000U);
}

TEST_P(Virtio, APortThatWasStoppedAndConfiguredAnewIsTakenOverAgain) {
  for (int round = 0; round < 3; ++round) {
    take();
    forward(300);
    give_back();
    ASSERT_EQ(rte_eth_dev_stop(port_), 0);
    EXPECT_THAT(refusal(), HasSubstr("not started"));
    rte_eth_conf configuration{};
    configuration.rxmode.offloads = 0;
    start(GetParam().descriptors, configuration);
  }
  take();
  forward(300);
}

TEST_P(Virtio, TakeoverWithoutBuffersLeavesThePortAsItWas) {
  forward(50);
  std::vector<rte_mbuf*> all;
  while (rte_mbuf* mbuf = rte_pktmbuf_alloc(pool_)) all.push_back(mbuf);
  EXPECT_THAT(refusal(), HasSubstr("no buffers"));
  rte_pktmbuf_free_bulk(all.data(), static_cast<unsigned>(all.size()));
  forward(500);
  take();
  forward(500);
}

TEST_P(Virtio, ARingThatHasRunDryIsFilledAtTakeover) {
  std::vector<rte_mbuf*> all;
  while (rte_mbuf* mbuf = rte_pktmbuf_alloc(pool_)) all.push_back(mbuf);
  for (unsigned i = 0; i < 40; ++i) ASSERT_TRUE(arrive(numbered(i)));
  std::array<rte_mbuf*, kBurst> mbufs;
  for (unsigned got = 0; got < 40;) {
    const std::uint16_t received = rte_eth_rx_burst(port_, 0, mbufs.data(), kBurst);
    all.insert(all.end(), mbufs.begin(), mbufs.begin() + received);
    got += received;
  }
  rte_pktmbuf_free_bulk(all.data(), static_cast<unsigned>(all.size()));
  take();
  std::uint32_t arrived = 0;
  while (arrive(numbered(arrived))) ++arrived;
  EXPECT_GT(arrived, GetParam().descriptors - kBurst);
  for (std::uint32_t next = 0; next < arrived;)
    for (unsigned i = 0, received = receive(); i < received; ++i) ASSERT_EQ(number_of(packets_[i]->buffer), next++);
  forward(500);
}

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
    take();
    forward(500);
    give_back();
    forward(500);
  }
}

}  // namespace
}  // namespace packetmill::testing
