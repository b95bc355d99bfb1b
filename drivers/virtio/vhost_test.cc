#include <gmock/gmock.h>
#include <rte_bus_vdev.h>
#include <rte_ethdev.h>
#include <rte_mbuf.h>
#include <unistd.h>

#include <array>
#include <cstring>
#include <future>

#include "drivers/test/frames.h"
#include "drivers/test/packet.h"
#include "ports/dpdk/eal.h"

// virtio over vhost-user, both ends in this process: the other side of the rings is DPDK's own.
namespace packetmill::testing {
namespace {

constexpr unsigned kBuffers = 4095;
constexpr unsigned kBurst = 32;
constexpr std::uint32_t kFrames = 5000;

struct Mode {
  const char* name;
  const char* arguments;  ///< of net_virtio_user
};

/// Two ports, one behind the other.
class Pair {
 protected:
  void connect(const std::string& vhost, const std::string& virtio, const rte_eth_conf& configuration = {}) {
    // Ordinary memory is a memfd (eal_memory.c), which the other end can map.
    ASSERT_EQ(dpdk::start_eal({"--no-huge", "--force-max-simd-bitwidth=512"}), std::nullopt);
    pool_ = rte_pktmbuf_pool_create("vhost_test", kBuffers, 32, 0, RTE_MBUF_DEFAULT_BUF_SIZE, SOCKET_ID_ANY);
    ASSERT_NE(pool_, nullptr);
    const std::string socket = ::testing::TempDir() + "packetmill-vhost-" + std::to_string(getpid());
    open("net_vhost0", "iface=" + socket + "," + vhost, {}, vhost_);
    rte_eth_dev_callback_register(vhost_, RTE_ETH_EVENT_INTR_LSC, link_changed, this);
    open("net_virtio_user0", "path=" + socket + "," + virtio, configuration, virtio_);
    connected_.get_future().wait();
  }
  /// Whatever went through, every buffer is in the pool again.
  void disconnect() {
    for (const auto& [port, name] : {std::pair{virtio_, "net_virtio_user0"}, std::pair{vhost_, "net_vhost0"}}) {
      ASSERT_EQ(rte_eth_dev_stop(port), 0);
      if (port == vhost_) rte_eth_dev_callback_unregister(vhost_, RTE_ETH_EVENT_INTR_LSC, link_changed, this);
      ASSERT_EQ(rte_eth_dev_close(port), 0);
      ASSERT_EQ(rte_vdev_uninit(name), 0);
    }
    expect_all_buffers(pool_);
    rte_mempool_free(pool_);
  }

  void open(const char* name, const std::string& arguments, const rte_eth_conf& configuration, std::uint16_t& port) {
    ASSERT_EQ(rte_vdev_init(name, arguments.c_str()), 0);
    ASSERT_EQ(rte_eth_dev_get_port_by_name(name, &port), 0);
    ASSERT_EQ(rte_eth_dev_configure(port, 1, 1, &configuration), 0);
    ASSERT_EQ(rte_eth_rx_queue_setup(port, 0, 1024, SOCKET_ID_ANY, nullptr, pool_), 0);
    ASSERT_EQ(rte_eth_tx_queue_setup(port, 0, 1024, SOCKET_ID_ANY, nullptr), 0);
    ASSERT_EQ(rte_eth_dev_start(port), 0);
  }
  static int link_changed(std::uint16_t port, rte_eth_event_type, void* test, void*) {
    rte_eth_link link{};
    if (rte_eth_link_get_nowait(port, &link) == 0 && link.link_status == RTE_ETH_LINK_UP)
      static_cast<Pair*>(test)->connected_.set_value();
    return 0;
  }

  /// Frames of many lengths, so that each is only itself.
  static Bytes frame(std::uint32_t number) { return numbered(number, 60 + number % 1400); }

  /// Sends what there is room for, from number `next` on, at most up to `end`.
  void send(std::uint32_t& next, std::uint32_t end) {
    rte_mbuf* mbufs[kBurst];
    std::uint16_t count = 0;
    for (; count < kBurst && next + count < end; ++count) {
      const Bytes bytes = frame(next + count);
      mbufs[count] = rte_pktmbuf_alloc(pool_);
      ASSERT_NE(mbufs[count], nullptr);
      std::memcpy(rte_pktmbuf_append(mbufs[count], static_cast<std::uint16_t>(bytes.size())), bytes.data(),
                  bytes.size());
    }
    const std::uint16_t sent = rte_eth_tx_burst(vhost_, 0, mbufs, count);
    rte_pktmbuf_free_bulk(mbufs + sent, count - sent);
    next += sent;
  }
  /// What has come back, which must be the frames from number `next` on.
  void expect(std::uint32_t& next) {
    rte_mbuf* mbufs[kBurst];
    const std::uint16_t received = rte_eth_rx_burst(vhost_, 0, mbufs, kBurst);
    for (std::uint16_t i = 0; i < received; ++i, ++next) {
      const auto* bytes = rte_pktmbuf_mtod(mbufs[i], const std::uint8_t*);
      EXPECT_EQ(Bytes(bytes, bytes + mbufs[i]->data_len), frame(next));
    }
    rte_pktmbuf_free_bulk(mbufs, received);
  }

  /// By the driver's own functions. Of a burst that cannot be sent, nothing is received.
  void forward_mbufs() {
    std::array<rte_mbuf*, kBurst> mbufs;
    const std::uint16_t received = rte_eth_rx_burst(virtio_, 0, mbufs.data(), kBurst);
    std::uint16_t sent = 0;
    while (sent < received) {
      sent += rte_eth_tx_burst(virtio_, 0, mbufs.data() + sent, static_cast<std::uint16_t>(received - sent));
      if (sent < received) expect(out_);
    }
  }
  void forward_exchanged(xchg_port& port, std::array<xchg*, kBurst>& packets) {
    const std::uint16_t received = xchg_receive(&port.receive_queues[0], packets.data(), kBurst);
    std::uint16_t sent = 0;
    while (sent < received) {
      sent +=
          xchg_transmit(&port.transmit_queues[0], packets.data() + sent, static_cast<std::uint16_t>(received - sent));
      if (sent < received) expect(out_);
    }
  }
  template <class Forward>
  void run(std::uint32_t frames, Forward forward) {
    const std::uint32_t end = out_ + frames;
    while (out_ < end) {
      send(in_, end);
      forward();
      expect(out_);
    }
  }
  void run_exchanged(std::uint32_t frames) {
    const char* reason = "";
    xchg_port* taken = xchg_takeover(virtio_, pool_, &reason);
    ASSERT_NE(taken, nullptr) << reason;
    std::array<xchg, kBurst> storage{};
    std::array<xchg*, kBurst> packets{};
    for (unsigned i = 0; i < kBurst; ++i) {
      packets[i] = &storage[i];
      xchg_set_buffer(packets[i], xchg_new_buffer(taken));
    }
    run(frames, [&] { forward_exchanged(*taken, packets); });
    for (xchg* packet : packets) xchg_free_buffer(taken, packet->buffer);
    xchg_release(taken);
  }

  std::uint16_t vhost_ = 0;
  std::uint16_t virtio_ = 0;
  rte_mempool* pool_ = nullptr;
  std::promise<void> connected_;
  std::uint32_t in_ = 0;
  std::uint32_t out_ = 0;
};

class Vhost : public Pair, public ::testing::TestWithParam<Mode> {
 protected:
  void SetUp() override { connect("", GetParam().arguments); }
  void TearDown() override { disconnect(); }
};

INSTANTIATE_TEST_SUITE_P(
    Rings, Vhost,
    ::testing::Values(Mode{"split", "in_order=0,mrg_rxbuf=0"}, Mode{"split_merged", "in_order=0"},
                      Mode{"split_in_order", "in_order=1,mrg_rxbuf=0"}, Mode{"split_in_order_merged", "in_order=1"},
                      Mode{"split_vector", "in_order=0,mrg_rxbuf=0,vectorized=1"},
                      Mode{"packed", "packed_vq=1,in_order=0,mrg_rxbuf=0"},
                      Mode{"packed_merged", "packed_vq=1,in_order=0"},
                      Mode{"packed_in_order", "packed_vq=1,in_order=1,mrg_rxbuf=0"},
                      Mode{"packed_in_order_merged", "packed_vq=1,in_order=1"},
                      Mode{"packed_vector", "packed_vq=1,in_order=1,mrg_rxbuf=0,vectorized=1,queue_size=1024"}),
    [](const auto& info) { return info.param.name; });

TEST_P(Vhost, FramesGoThroughAndComeBackWithEveryByte) {
  run_exchanged(kFrames);
  rte_eth_stats statistics{};
  ASSERT_EQ(rte_eth_stats_get(virtio_, &statistics), 0);
  EXPECT_EQ(statistics.ipackets, kFrames);
  EXPECT_EQ(statistics.opackets, kFrames);
  EXPECT_EQ(statistics.ibytes, statistics.obytes);
}

TEST_P(Vhost, TheDriverGoesOnWhereTheExchangeEndsAndTheOtherWayRound) {
  for (int round = 0; round < 5; ++round) {
    run(kFrames / 7, [this] { forward_mbufs(); });
    run_exchanged(kFrames / 9);
  }
  run(kFrames / 7, [this] { forward_mbufs(); });
  run_exchanged(0);  // else the driver's vector function frees some buffers twice: virtio_test.cc
}

/// Ports whose rings the driver touches by itself meanwhile.
class VhostRefused : public Pair, public ::testing::Test {
 protected:
  void TearDown() override { disconnect(); }
  void expect_refusal(const char* why) {
    const char* reason = "";
    EXPECT_EQ(xchg_takeover(virtio_, pool_, &reason), nullptr);
    EXPECT_THAT(reason, ::testing::HasSubstr(why));
    run(100, [this] { forward_mbufs(); });
  }
};

TEST_F(VhostRefused, AServerWithPackedRingsResetsThem) {
  connect("client=1", "server=1,packed_vq=1");
  expect_refusal("server=0");
}

TEST_F(VhostRefused, LinkInterruptsMaySend) {
  rte_eth_conf configuration{};
  configuration.intr_conf.lsc = 1;
  connect("", "", configuration);
  expect_refusal("link interrupts");
}

}  // namespace
}  // namespace packetmill::testing
