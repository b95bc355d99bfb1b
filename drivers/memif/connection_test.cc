#include <atomic>
#include <thread>

#include "drivers/memif/memif_test.h"

namespace packetmill::testing {
namespace {

/// The other port is the peer, by its ordinary functions.
class MemifWithPort : public Memif {};
INSTANTIATE_TEST_SUITE_P(As, MemifWithPort, ::testing::Values(kServer, kServerOfZeroCopy, kClient, kZeroCopyClient),
                         [](const auto& info) { return info.param.name; });

class MemifServer : public Memif {};
INSTANTIATE_TEST_SUITE_P(As, MemifServer, ::testing::Values(kServer, kServerOfZeroCopy),
                         [](const auto& info) { return info.param.name; });
class MemifClient : public Memif {};
INSTANTIATE_TEST_SUITE_P(As, MemifClient, ::testing::Values(kClient), [](const auto& info) { return info.param.name; });
class MemifZeroCopyClient : public Memif {};
INSTANTIATE_TEST_SUITE_P(As, MemifZeroCopyClient, ::testing::Values(kZeroCopyClient),
                         [](const auto& info) { return info.param.name; });

TEST_P(MemifWithPort, OrdinaryBurstsWorkBeforeTakeoverAndAfterRelease) {
  for (std::uint32_t round = 0; round < 5; ++round) {
    forward(0, 37 + round * 100);  // takeover finds the rings in ever other places
    take();
    forward(0, 61 + round * 100);
    give_back();
  }
  forward(0, 500);
  EXPECT_EQ(statistics().ipackets, 2990U);
  EXPECT_EQ(statistics().opackets, 2990U);
}

TEST_P(MemifWithPort, FramesUnderWayStayUnderWayAtTakeoverAndAtRelease) {
  forward(0, 100);
  const auto put_under_way = [&](std::uint32_t first) {
    for (std::uint32_t i = 0; i < 40; ++i) ASSERT_TRUE(send_mbuf(peer_, peer_pool_, frame_of(first + i)));
  };
  for (std::uint32_t round = 0; round < 10; ++round) {
    put_under_way(0);
    ASSERT_TRUE(send_mbuf(port_, pool_, frame_of(100)));
    ASSERT_TRUE(send_mbuf(port_, pool_, frame_of(101)));
    take();
    EXPECT_THAT(receive_mbufs(peer_), ElementsAre(frame_of(100), frame_of(101)));
    for (std::uint32_t i = 0; i < 40; i += 8)
      EXPECT_THAT(receive_exchanged(8),
                  ElementsAre(frame_of(i), frame_of(i + 1), frame_of(i + 2), frame_of(i + 3), frame_of(i + 4),
                              frame_of(i + 5), frame_of(i + 6), frame_of(i + 7)));
    put_under_way(1000);
    EXPECT_THAT(receive_exchanged(2), ElementsAre(frame_of(1000), frame_of(1001)));
    ASSERT_EQ(transmit(2), 2U);
    give_back();
    EXPECT_THAT(receive_mbufs(peer_), ElementsAre(frame_of(1000), frame_of(1001)));
    std::uint32_t next = 1002;
    while (next < 1040)
      for (const Bytes& bytes : receive_mbufs(port_)) ASSERT_EQ(bytes, frame_of(next++));
    forward(0, 100);
  }
}

TEST_P(MemifWithPort, ForwardsToAPeerOnAnotherThread) {
  constexpr std::uint32_t kCount = 5'000;
  forward(0, 1);  // the client has given the server buffers
  take();
  std::atomic<bool> failed = false;
  std::thread peer([&] {
    std::uint32_t in = 0;
    std::uint32_t out = 0;
    while (out < kCount && !failed) {
      while (in < kCount && in < out + 64 && send_mbuf(peer_, peer_pool_, frame_of(in))) ++in;
      for (const Bytes& bytes : receive_mbufs(peer_))
        if (bytes != frame_of(out++)) failed = true;
      std::this_thread::yield();
    }
    if (out != kCount) failed = true;
  });
  for (std::uint32_t sent = 0; sent < kCount && !failed;) {
    const unsigned received = receive();
    if (received == 0) std::this_thread::yield();
    if (transmit(received) != received) failed = true;
    sent += received;
  }
  peer.join();
  EXPECT_FALSE(failed);
  EXPECT_EQ(statistics().opackets, kCount + 1);
}

TEST_P(MemifWithPort, WhenThePeerGoesFramesUnderWayAreLostAndNoBuffer) {
  take();
  forward(0, 100);
  for (std::uint32_t i = 0; i < 50; ++i) ASSERT_TRUE(send_mbuf(peer_, peer_pool_, frame_of(i)));
  ASSERT_EQ(receive(10), 10U);
  ASSERT_EQ(transmit(10), 10U);
  ASSERT_EQ(rte_eth_dev_stop(peer_), 0);
  wait_for_link(false);
  EXPECT_EQ(receive(), 0U);
  EXPECT_EQ(transmit(10), 0U);
  EXPECT_EQ(receive(), 0U);
  give_back();
  EXPECT_EQ(rte_mempool_avail_count(pool_), kBuffers);
}

TEST_P(MemifWithPort, WhenThePeerGoesInTheMiddleOfABurstTheBurstComesToNoHarm) {
  take();
  forward(0, 100);
  for (std::uint32_t i = 0; i < 2; ++i) ASSERT_TRUE(send_mbuf(peer_, peer_pool_, frame_of(i)));
  xchg_memif_queue in = xchg_memif_receive_begin(&receive_queue());
  xchg_memif_transmit_complete(&transmit_queue());
  xchg_memif_transmit_burst out = xchg_memif_transmit_begin(&transmit_queue());
  ASSERT_EQ(rte_eth_dev_stop(peer_), 0);
  wait_for_link(false);
  for (std::uint32_t i = 0; i < 2; ++i) {
    xchg_memif_descriptor descriptor{};
    ASSERT_TRUE(xchg_memif_receive_next(&receive_queue(), &in, &descriptor));
    xchg_set_buffer(packets_[i], xchg_memif_receive_exchange(&in, &descriptor, packets_[i]->buffer));
    packets_[i]->length = descriptor.length;
    EXPECT_EQ(packet(i), frame_of(i));
    xchg_set_buffer(packets_[i],
                    xchg_memif_transmit_put(&out, packets_[i]->buffer, packets_[i]->frame, packets_[i]->length));
  }
  xchg_memif_receive_end(&receive_queue(), &in, 2, 0);
  xchg_memif_transmit_end(&transmit_queue(), &out);
  EXPECT_EQ(receive(), 0U);
}

TEST_P(MemifServer, APeerThatComesAgainFindsAServerThatReceivesAndSends) {
  take();
  for (std::uint32_t round = 1; round < 5; ++round) {
    forward(0, 100 * round);
    ASSERT_TRUE(send_mbuf(peer_, peer_pool_, frame_of(1)));
    ASSERT_EQ(rte_eth_dev_stop(peer_), 0);
    wait_for_link(false);
    if (round % 2 == 0) {  // or the queues never notice that there was none in between
      ASSERT_EQ(receive(), 0U);
      ASSERT_EQ(transmit(1), 0U);
    }
    ASSERT_EQ(rte_eth_dev_start(peer_), 0);
    wait_for_link(true);
  }
  forward(0, 500);
  give_back();
  forward(0, 500);
}

TEST_P(MemifWithPort, APortMayBeTakenOverBeforeItsPeerIsThere) {
  const std::uint16_t server = GetParam().port == kServer.port ? port_ : peer_;
  const std::uint16_t client = GetParam().port == kServer.port ? peer_ : port_;
  ASSERT_EQ(rte_eth_dev_stop(client), 0);
  wait_for_link(false);
  if (client == port_) {
    ASSERT_EQ(rte_eth_dev_start(port_), 0);
    take();
  } else {
    take();
    EXPECT_EQ(receive(), 0U);
    EXPECT_EQ(transmit(1), 0U);
    ASSERT_EQ(rte_eth_dev_start(peer_), 0);
  }
  wait_for_link(true);
  EXPECT_TRUE(is_up(server));
  forward(0, 500);
}

TEST_P(MemifWithPort, APortThatIsStoppedUnderTakeoverKeepsNoBuffer) {
  take();
  forward(0, 100);
  ASSERT_TRUE(send_mbuf(peer_, peer_pool_, frame_of(1)));
  ASSERT_EQ(receive(), 1U);
  ASSERT_EQ(transmit(1), 1U);
  ASSERT_EQ(rte_eth_dev_stop(port_), 0);
  wait_for_link(false);
  give_back();
  EXPECT_EQ(rte_mempool_avail_count(pool_), kBuffers);
}

TEST_P(MemifServer, AQueueThatThePeerDoesNotHaveStaysEmpty) {
  destroy();
  create("", 2);
  take();
  for (int round = 0; round < 3; ++round) {
    EXPECT_EQ(xchg_receive(&taken_->receive_queues[1], packets_.data(), kBurst), 0);
    EXPECT_EQ(xchg_transmit(&taken_->transmit_queues[1], packets_.data(), kBurst), 0);
  }
  forward(0, 500);
}

TEST_P(MemifClient, WhatFramesMayNotFitIsRefused) {
  destroy();
  create(",bsize=2049");
  const char* reason = "";
  EXPECT_EQ(xchg_takeover(port_, pool_, &reason), nullptr);
  EXPECT_THAT(reason, HasSubstr("several segments"));
  forward(0, 500);
}

TEST_P(MemifWithPort, AnotherMempoolIsRefused) {
  forward(0, 10);
  const char* reason = "";
  EXPECT_EQ(xchg_takeover(port_, peer_pool_, &reason), nullptr);
  EXPECT_THAT(reason, HasSubstr("another mempool"));
  forward(0, 500);
}

TEST_P(MemifZeroCopyClient, FramesOfAnotherMempoolUnderWayAreRefusedWhereBuffersAreExchanged) {
  forward(0, 10);
  ASSERT_TRUE(send_mbuf(port_, peer_pool_, frame_of(1)));
  const char* reason = "";
  EXPECT_EQ(xchg_takeover(port_, pool_, &reason), nullptr);
  EXPECT_THAT(reason, HasSubstr("frames of another mempool"));
  EXPECT_THAT(receive_mbufs(peer_), ElementsAre(frame_of(1)));
  forward(0, 500);
}

TEST_P(MemifZeroCopyClient, TakeoverWithoutBuffersLeavesThePortAsItWas) {
  forward(0, 10);
  std::vector<rte_mbuf*> all;
  while (rte_mbuf* mbuf = rte_pktmbuf_alloc(pool_)) all.push_back(mbuf);
  const char* reason = "";
  EXPECT_EQ(xchg_takeover(port_, pool_, &reason), nullptr);
  EXPECT_THAT(reason, HasSubstr("no buffers"));
  rte_pktmbuf_free_bulk(all.data(), static_cast<unsigned>(all.size()));
  forward(0, 500);
}

TEST_P(MemifWithPort, AStoppedPortIsNotTakenOver) {
  ASSERT_EQ(rte_eth_dev_stop(port_), 0);
  const char* reason = "";
  EXPECT_EQ(xchg_takeover(port_, pool_, &reason), nullptr);
  EXPECT_THAT(reason, HasSubstr("not started"));
  ASSERT_EQ(rte_eth_dev_stop(peer_), 0);
  restart();
  forward(0, 500);
}

}  // namespace
}  // namespace packetmill::testing
