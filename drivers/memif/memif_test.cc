#include "drivers/memif/memif_test.h"

namespace packetmill::testing {
namespace {

/// An emulated peer.
class MemifWithDevice : public Memif {};
INSTANTIATE_TEST_SUITE_P(As, MemifWithDevice, ::testing::Values(kServer, kClient, kZeroCopyClient),
                         [](const auto& info) { return info.param.name; });

/// Of those, the ones that copy.
class MemifCopying : public Memif {};
INSTANTIATE_TEST_SUITE_P(As, MemifCopying, ::testing::Values(kServer, kClient),
                         [](const auto& info) { return info.param.name; });

TEST_P(MemifWithDevice, FramesKeepOrderAndBytesHoweverOftenTheRingsGoRound) {
  take_with_device();
  forward_with_device(0, 70'000);  // further than sixteen bits count
  EXPECT_EQ(receive_queue().errors, 0U);
  EXPECT_EQ(transmit_queue().errors, 0U);
  EXPECT_EQ(packets_[0]->port, port_);
}

TEST_P(MemifWithDevice, APacketThatIsNotSentKeepsItsBuffer) {
  take_with_device();
  for (std::uint32_t round = 0; round < 20; ++round) {
    for (unsigned i = 0; i < kBurst; ++i) ASSERT_TRUE(arrive(frame_of(round + i)));
    ASSERT_EQ(receive(), kBurst);  // and dropped
    for (unsigned i = 0; i < kBurst; ++i) ASSERT_EQ(packet(i), frame_of(round + i));
  }
}

TEST_P(MemifWithDevice, AnEmptyRingHasNothingAndAFullOneNoRoom) {
  take_with_device();
  EXPECT_EQ(receive(), 0U);
  std::uint32_t arrived = 0;
  while (arrive(frame_of(arrived))) ++arrived;
  EXPECT_EQ(arrived, kDescriptors);
  std::uint32_t next = 0;
  while (const unsigned received = receive(7))
    for (unsigned i = 0; i < received; ++i) ASSERT_EQ(packet(i), frame_of(next++));
  EXPECT_EQ(next, kDescriptors);

  std::uint32_t sent = 0;
  for (std::uint32_t in = 0; in < 2 * kDescriptors;) {
    while (in < sent + 24 && in < 2 * kDescriptors && arrive(frame_of(in))) ++in;
    const unsigned received = receive();
    const unsigned taken = transmit(received);
    sent += taken;
    if (taken < received) break;
  }
  EXPECT_EQ(sent, kDescriptors);
  std::uint32_t out = 0;
  for (const Bytes& bytes : leave()) ASSERT_EQ(bytes, frame_of(out++));
  EXPECT_EQ(out, kDescriptors);
  while (receive() != 0) continue;
  forward_with_device(0, 500);
}

TEST_P(MemifWithDevice, AFrameOfSeveralDescriptorsIsAnErrorAndItsBuffersAreGivenBack) {
  take_with_device();
  for (std::uint32_t round = 0; round < 200; ++round) {
    ASSERT_TRUE(arrive(frame_of(2 * round)));
    ASSERT_TRUE(arrive(frame_of(7), XCHG_MEMIF_NEXT));
    ASSERT_TRUE(arrive(frame_of(8), XCHG_MEMIF_NEXT));
    if (round % 2 == 0) {  // the rest comes later
      ASSERT_EQ(receive(), 1U);
      ASSERT_EQ(packet(0), frame_of(2 * round));
    }
    ASSERT_TRUE(arrive(frame_of(9)));
    ASSERT_TRUE(arrive(frame_of(2 * round + 1)));
    const unsigned received = receive();
    ASSERT_EQ(received, round % 2 == 0 ? 1U : 2U);
    ASSERT_EQ(packet(received - 1), frame_of(2 * round + 1));
    ASSERT_EQ(receive_queue().errors, round + 1);
  }
  forward_with_device(0, 500);
  EXPECT_EQ(statistics().ipackets, 900U);
}

TEST_P(MemifWithDevice, ADescriptorThatCannotBeIsAnErrorAndNothingOutsideIsTouched) {
  take_with_device();
  const auto receives = [&](auto spoil, unsigned expected) {
    for (std::uint32_t i = 0; i < 3; ++i) EXPECT_TRUE(arrive(frame_of(i)));
    xchg_memif_descriptor& descriptor = in_.descriptors[static_cast<std::uint16_t>(in_.next - 2) & in_.mask];
    const xchg_memif_descriptor right = descriptor;
    spoil(descriptor);
    EXPECT_EQ(receive(), expected);
    EXPECT_EQ(packet(0), frame_of(0));
    EXPECT_EQ(packet(expected - 1), frame_of(2));
    if (GetParam().zero_copy) return;
    descriptor.region = right.region;
    descriptor.offset = right.offset;
  };
  receives([](xchg_memif_descriptor& descriptor) { descriptor.length = kRoom + 1; }, 2);
  EXPECT_EQ(receive_queue().errors, 1U);
  // Under zero-copy a client knows by itself where its buffers are.
  const unsigned expected = GetParam().zero_copy ? 3 : 2;
  receives([](xchg_memif_descriptor& descriptor) { descriptor.region = 9; }, expected);
  receives([](xchg_memif_descriptor& descriptor) { descriptor.offset = UINT32_MAX - 10; }, expected);
  EXPECT_EQ(receive_queue().errors, GetParam().zero_copy ? 1U : 3U);
  forward_with_device(0, 500);
}

TEST_P(MemifCopying, ATransmitDescriptorThatCannotBeIsAnErrorAndNothingOutsideIsTouched) {
  take_with_device();
  for (std::uint32_t i = 0; i < 3; ++i) ASSERT_TRUE(arrive(frame_of(i)));
  ASSERT_EQ(receive(), 3U);
  xchg_memif_descriptor& descriptor = out_.descriptors[out_.next & out_.mask];
  const xchg_memif_descriptor right = descriptor;
  descriptor.region = 9;
  EXPECT_EQ(transmit(1), 1U);
  descriptor.region = right.region;
  descriptor.offset = UINT32_MAX - 10;
  EXPECT_EQ(transmit(2), 2U);
  EXPECT_EQ(transmit_queue().errors, 3U);
  EXPECT_TRUE(leave().empty());
  descriptor.offset = right.offset;
  forward_with_device(0, 500);
}

TEST_P(MemifCopying, AFrameThatThePeerHasNoRoomForIsAnErrorAndItsPacketKeepsItsBuffer) {
  destroy();
  create(",bsize=1000");
  take_with_device(1000);
  const std::uint8_t* const buffer = packets_[1]->buffer;
  const Bytes frames[] = {numbered(1, 1000), numbered(2, 1001), numbered(3, 1000)};
  for (unsigned i = 0; i < 3; ++i) {
    std::memcpy(packets_[i]->buffer, frames[i].data(), frames[i].size());
    packets_[i]->length = static_cast<std::uint32_t>(frames[i].size());
  }
  EXPECT_EQ(transmit(3), 3U);
  EXPECT_THAT(leave(), ElementsAre(frames[0], frames[2]));
  EXPECT_EQ(packets_[1]->buffer, buffer);
  EXPECT_EQ(transmit_queue().errors, 1U);
  EXPECT_EQ(statistics().opackets, 2U);
}

TEST_P(MemifWithDevice, AFrameMayBeginAnywhereInItsBuffer) {
  take_with_device();
  ASSERT_TRUE(arrive(numbered(7)));
  ASSERT_EQ(receive(), 1U);
  std::memmove(packets_[0]->buffer - 4, packets_[0]->buffer, 60);
  packets_[0]->frame = packets_[0]->buffer - 4;
  ASSERT_EQ(transmit(1), 1U);
  EXPECT_EQ(leave().at(0), numbered(7));
  forward_with_device(0, 500);
}

TEST_P(MemifWithDevice, AReceiverThatSleepsIsWoken) {
  take_with_device();
  const auto woken = [&] {
    std::uint64_t count = 0;
    return read(transmit_queue().doorbell, &count, sizeof count) == sizeof count ? count : 0;
  };
  forward_with_device(0, 100);
  EXPECT_EQ(woken(), 0U);
  out_.ring->flags = 0;
  EXPECT_EQ(transmit(0), 0U);
  EXPECT_EQ(woken(), 0U);
  forward_with_device(0, kBurst);
  EXPECT_EQ(woken(), 1U);
}

TEST_P(MemifWithDevice, ThePortsStatisticsCountExchangedFrames) {
  take_with_device();
  for (unsigned i = 0; i < 3; ++i) {
    for (unsigned k = 0; k < 30; ++k) ASSERT_TRUE(arrive(numbered(k)));
    ASSERT_EQ(receive(), 30U);
    ASSERT_EQ(transmit(20), 20U);
  }
  EXPECT_EQ(statistics().ipackets, 90U);
  EXPECT_EQ(statistics().ibytes, 5400U);
  EXPECT_EQ(statistics().opackets, 60U);
  EXPECT_EQ(statistics().obytes, 3600U);
}

}  // namespace
}  // namespace packetmill::testing
