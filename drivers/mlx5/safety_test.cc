#include "drivers/mlx5/mlx5_test.h"

// Buffers are never lost nor held twice, whatever becomes of the port: at the end of every test all are in the pool again.
namespace packetmill::testing {
namespace {

using ::testing::HasSubstr;

class Mlx5Safety : public Mlx5 {
 protected:
  /// Frames wait in the receive ring, and others are under way in the transmit ring.
  void leave_frames_everywhere() {
    for (std::uint32_t i = 0; i < 2 * kBurst; ++i) ASSERT_TRUE(arrive(numbered(i)));
    ASSERT_EQ(receive(), kBurst);
    ASSERT_EQ(transmit(kBurst), kBurst);
  }
  /// Takes what leave_frames_everywhere() has left; frames that the application had not sent yet arrive again.
  void forward_what_is_left() {
    EXPECT_EQ(leave().size(), kBurst);
    ASSERT_EQ(receive(), kBurst);
    for (std::uint32_t i = 0; i < kBurst; ++i) EXPECT_EQ(number_of(packets_[i]->buffer), kBurst + i);
  }
  void expect_refused(const std::string& why) { expect_refused(pool_, why); }
  void expect_refused(rte_mempool* pool, const std::string& why) {
    const char* reason = "";
    EXPECT_EQ(xchg_takeover(port_, pool, &reason), nullptr);
    EXPECT_THAT(reason, HasSubstr(why));
  }
};

INSTANTIATE_TEST_SUITE_P(Received, Mlx5Safety, ::testing::Bool(),
                         [](const auto& info) { return info.param ? "vector" : "scalar"; });

TEST_P(Mlx5Safety, FramesUnderWayOutliveReleaseAndTakeover) {
  for (int round = 0; round < 10; ++round) {
    take();
    leave_frames_everywhere();
    give_back();
    take();
    forward_what_is_left();
    forward_exchanged(0, 100);
    give_back();
  }
}

// While the link is down nothing arrives and nothing leaves: the transmit ring fills.
TEST_P(Mlx5Safety, ALinkThatFlapsLosesNothing) {
  take();
  for (int flap = 0; flap < 5; ++flap) {
    unsigned sent = 0;
    for (unsigned burst = 0; burst < kDescriptors / kBurst + 1; ++burst) {
      for (unsigned i = 0; i < kBurst; ++i) ASSERT_TRUE(arrive(numbered(sent + i)));
      ASSERT_EQ(receive(), kBurst);
      sent += transmit(kBurst);
    }
    EXPECT_GT(sent, kDescriptors - kBurst);  // all but what was sent without a completion that says so
    if (flap % 2 == 1) {                     // the application gives up meanwhile, and comes back
      give_back();
      take();
    }
    EXPECT_EQ(transmit(kBurst), 0U);
    const std::vector<Sent> left = leave();
    ASSERT_EQ(left.size(), sent);
    for (std::uint32_t i = 0; i < sent; ++i) EXPECT_EQ(left[i].bytes, numbered(i));
    forward_exchanged(0, 200);
  }
}

TEST_P(Mlx5Safety, APortMayBeStoppedAndStartedBetweenTakeovers) {
  for (int round = 0; round < 5; ++round) {
    take();
    leave_frames_everywhere();
    give_back();
    ASSERT_EQ(rte_eth_dev_stop(port_), 0);
    ASSERT_EQ(rte_eth_dev_start(port_), 0);
    take();
    forward_what_is_left();
    forward_exchanged(0, 100);
    give_back();
  }
}

// The driver resets a queue that is stopped: what is in its ring is gone, its buffers are not.
TEST_P(Mlx5Safety, QueuesMayBeStoppedAndStartedBetweenTakeovers) {
  for (int round = 0; round < 5; ++round) {
    take();
    leave_frames_everywhere();
    give_back();
    ASSERT_EQ(rte_eth_dev_tx_queue_stop(port_, 0), 0);
    expect_refused("a transmit queue is stopped");
    ASSERT_EQ(rte_eth_dev_tx_queue_start(port_, 0), 0);
    if (GetParam()) {
      EXPECT_NE(rte_eth_dev_rx_queue_stop(port_, 0), 0);  // mlx5 does not, of a queue that is received from by vectors
      take();
      ASSERT_EQ(receive(), kBurst);
      give_back();
    } else {
      ASSERT_EQ(rte_eth_dev_rx_queue_stop(port_, 0), 0);
      expect_refused("a receive queue is stopped");
      ASSERT_EQ(rte_eth_dev_rx_queue_start(port_, 0), 0);
    }
    forward_mbufs(0, 200);
    take();
    forward_exchanged(0, 200);
    give_back();
  }
}

TEST_P(Mlx5Safety, FramesThatAnErrorHasLostLeaveTheirBuffers) {
  take();
  for (int round = 0; round < 5; ++round) {
    leave_frames_everywhere();
    ASSERT_TRUE(mlx5_device_transmit_error(wire_out(), XCHG_MLX5_LOCAL_QUEUE_ERROR));
    ASSERT_TRUE(mlx5_device_receive_error(wire_in(), XCHG_MLX5_LOCAL_PROTECTION_ERROR));
    if (round % 2 == 1) {  // nobody has seen the errors yet
      give_back();
      take();
    }
    EXPECT_EQ(transmit(0), 0U);
    while (receive() > 0) {
    }
    for (int attempt = 0; attempt < 3; ++attempt) EXPECT_EQ(receive(), 0U);
    forward_exchanged(0, 300);
  }
}

TEST_P(Mlx5Safety, ReceivingIntoAnotherMempoolIsRefused) {
  rte_mempool* other = rte_pktmbuf_pool_create("other", kBuffers, 0, 0, RTE_MBUF_DEFAULT_BUF_SIZE, SOCKET_ID_ANY);
  expect_refused(other, "another mempool");
  EXPECT_EQ(rte_mempool_avail_count(other), kBuffers);
  rte_mempool_free(other);
  forward_mbufs(0, 100);
}

TEST_P(Mlx5Safety, AMempoolOfExternalBuffersIsRefused) {
  std::vector<std::uint8_t> memory(64 * RTE_MBUF_DEFAULT_BUF_SIZE);
  rte_pktmbuf_extmem region{memory.data(), RTE_BAD_IOVA, memory.size(), RTE_MBUF_DEFAULT_BUF_SIZE};
  rte_mempool* external =
      rte_pktmbuf_pool_create_extbuf("external", 32, 0, 0, RTE_MBUF_DEFAULT_BUF_SIZE, SOCKET_ID_ANY, &region, 1);
  ASSERT_NE(external, nullptr);
  expect_refused(external, "external");
  rte_mempool_free(external);
  forward_mbufs(0, 100);
}

}  // namespace
}  // namespace packetmill::testing
