#include <gmock/gmock.h>

#include <algorithm>
#include <array>
#include <cstring>

#include "drivers/virtio/test_port.h"

// The virtio data path on rings of every kind.
namespace packetmill::testing {
namespace {

using ::testing::HasSubstr;

/// A kind of ring, and with it one of the driver's receive functions.
struct Kind {
  const char* name;
  std::uint64_t features;
  const char* others = "";  ///< of the device's arguments
  std::uint16_t descriptors = kDescriptors;
};

class Virtio : public Port, public ::testing::TestWithParam<Kind> {
 protected:
  void SetUp() override { open(GetParam().features, GetParam().others, GetParam().descriptors); }
  void TearDown() override {
    // In the slots of a packed ring, the driver's vector function leaves what it has given away, and frees it again with the
    // port (DPDK 22.11). A takeover fills them.
    if (taken_ == nullptr && GetParam().name == std::string("packed_vector")) take();
    close();
  }
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

TEST_P(Virtio, AFullReceiveRingIsGivenBackAsItIs) {
  take();
  forward(41);  // so that it is full in the middle of the vector function's lot
  std::uint32_t arrived = 0;
  while (arrive(numbered(arrived))) ++arrived;
  give_back();
  for (std::uint32_t next = 0; next < arrived;) {
    std::array<rte_mbuf*, kBurst> mbufs;
    const std::uint16_t received = rte_eth_rx_burst(port_, 0, mbufs.data(), kBurst);
    for (unsigned i = 0; i < received; ++i, ++next)
      ASSERT_EQ(number_of(rte_pktmbuf_mtod(mbufs[i], const std::uint8_t*)), next);
    rte_pktmbuf_free_bulk(mbufs.data(), received);
  }
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

}  // namespace
}  // namespace packetmill::testing
