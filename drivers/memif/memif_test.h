#pragma once

#include <gmock/gmock.h>
#include <rte_alarm.h>
#include <rte_bus_vdev.h>
#include <rte_ethdev.h>
#include <rte_mbuf.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cstring>
#include <thread>

#include "drivers/memif/device.h"
#include "drivers/test/frames.h"
#include "drivers/test/packet.h"
#include "ports/dpdk/eal.h"

// The memif data path on an unmodified net_memif. Its peer is another one in this process, or an emulated one that takes that
// one's place in shared memory: the test is the wire.

/// EAL's own (eal_memalloc.h).
extern "C" int eal_memalloc_set_seg_list_fd(int list, int descriptor);

namespace packetmill::testing {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr std::uint16_t kDescriptors = 128;
constexpr unsigned kBuffers = 1023;
constexpr unsigned kBurst = 32;
constexpr std::uint32_t kRoom = 2048;  // in a buffer

/// Frames of all lengths.
inline Bytes frame_of(std::uint32_t number) { return numbered(number, 60 + number % 1455); }

/// What the port under test is, and what its peer.
struct Mode {
  const char* name;
  std::string_view port;
  std::string_view peer;
  bool zero_copy;  ///< the port exchanges buffers
};
constexpr Mode kServer{"server", "role=server", "role=client", false};
constexpr Mode kServerOfZeroCopy{"server_of_zero_copy", "role=server", "role=client,zero-copy=yes", false};
constexpr Mode kClient{"client", "role=client", "role=server", false};
constexpr Mode kZeroCopyClient{"zero_copy_client", "role=client,zero-copy=yes", "role=server", true};

class Memif : public ::testing::TestWithParam<Mode> {
 protected:
  void SetUp() override {
    ASSERT_EQ(dpdk::start_eal({"--no-huge", "--single-file-segments"}), std::nullopt);
    pool_ = rte_pktmbuf_pool_create("memif_test", kBuffers, 32, 0, RTE_MBUF_DEFAULT_BUF_SIZE, SOCKET_ID_ANY);
    peer_pool_ = rte_pktmbuf_pool_create("memif_peer", kBuffers, 32, 0, RTE_MBUF_DEFAULT_BUF_SIZE, SOCKET_ID_ANY);
    ASSERT_NE(pool_, nullptr);
    ASSERT_NE(peer_pool_, nullptr);
    const void* shared = STAILQ_FIRST(&pool_->mem_list)->addr;
    if (memory_ < 0) memory_ = dup(rte_memseg_get_fd_thread_unsafe(rte_mem_virt2memseg(shared, nullptr)));
    ASSERT_GE(memory_, 0);
    create();
  }
  /// Both ends, connected.
  void create(const std::string& more = "", std::uint16_t queues = 1) {
    static int sockets = 0;  // memif does not close those that it listens on
    const std::string common =
        ",rsize=7,socket=packetmill-test-" + std::to_string(getpid()) + "-" + std::to_string(sockets++) + more;
    const bool server = GetParam().port == kServer.port;
    const auto create_port = [&] {
      create_end("net_memif0", std::string(GetParam().port) + common, queues, pool_, port_);
    };
    const auto create_peer = [&] {
      create_end("net_memif1", std::string(GetParam().peer) + common, 1, peer_pool_, peer_);
    };
    if (server) create_port();
    create_peer();
    if (!server) create_port();
    wait_for_link(true);
  }
  static void create_end(const char* name, const std::string& arguments, std::uint16_t queues, rte_mempool* pool,
                         std::uint16_t& port) {
    ASSERT_EQ(rte_vdev_init(name, arguments.c_str()), 0);
    ASSERT_EQ(rte_eth_dev_get_port_by_name(name, &port), 0);
    const rte_eth_conf configuration{};
    ASSERT_EQ(rte_eth_dev_configure(port, queues, queues, &configuration), 0);
    for (std::uint16_t i = 0; i < queues; ++i) {
      ASSERT_EQ(rte_eth_rx_queue_setup(port, i, kDescriptors, SOCKET_ID_ANY, nullptr, pool), 0);
      ASSERT_EQ(rte_eth_tx_queue_setup(port, i, kDescriptors, SOCKET_ID_ANY, nullptr), 0);
    }
    ASSERT_EQ(rte_eth_dev_start(port), 0);
  }
  void restart() {
    const bool server = GetParam().port == kServer.port;
    ASSERT_EQ(rte_eth_dev_start(server ? port_ : peer_), 0);
    ASSERT_EQ(rte_eth_dev_start(server ? peer_ : port_), 0);
    wait_for_link(true);
  }
  void destroy() {
    ASSERT_EQ(rte_eth_dev_stop(peer_), 0);
    wait_for_link(false);
    ASSERT_EQ(rte_eth_dev_stop(port_), 0);
    ASSERT_EQ(rte_eth_dev_close(peer_), 0);
    ASSERT_EQ(rte_eth_dev_close(port_), 0);
    ASSERT_EQ(rte_vdev_uninit("net_memif0"), 0);
    ASSERT_EQ(rte_vdev_uninit("net_memif1"), 0);
  }

  /// Whatever a test has done, every buffer is in the pool again once the port is closed. memif itself forgets those that are
  /// in a zero-copy client's rings when a connection ends; X-Change does not.
  void TearDown() override {
    if (GetParam().zero_copy && is_up(port_)) {
      if (taken_ == nullptr) take();
      ASSERT_EQ(rte_eth_dev_stop(peer_), 0);
      wait_for_link(false);
    }
    if (taken_ != nullptr) give_back();
    destroy();
    expect_all_buffers(pool_);
    rte_mempool_free(pool_);
    rte_mempool_free(peer_pool_);
  }

  static bool is_up(std::uint16_t port) {
    rte_eth_link link{};
    rte_eth_link_get_nowait(port, &link);
    return link.link_status == RTE_ETH_LINK_UP;
  }
  /// Until both ends have seen it, and memif's control thread is done with it: it says so first.
  void wait_for_link(bool up) {
    while (is_up(port_) != up || is_up(peer_) != up) std::this_thread::yield();
    std::atomic<bool> done = false;
    const auto say = [](void* argument) { *static_cast<std::atomic<bool>*>(argument) = true; };
    ASSERT_EQ(rte_eal_alarm_set(1, say, &done), 0);
    while (!done) std::this_thread::yield();
    // A zero-copy client closes EAL's own descriptor of the memory that it shares, which the next one needs.
    if (up && (GetParam().zero_copy || GetParam().peer == kServerOfZeroCopy.peer)) {
      ASSERT_EQ(eal_memalloc_set_seg_list_fd(0, dup(memory_)), 0);
    }
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
  /// With the emulated peer instead of the other port.
  void take_with_device(std::uint32_t room = kRoom) {
    take();
    in_ = memif_device_opposite(&receive_queue(), room);
    out_ = memif_device_opposite(&transmit_queue(), room);
  }
  xchg_memif_queue& receive_queue() { return taken_->receive_queues[0].memif; }
  xchg_memif_queue& transmit_queue() { return taken_->transmit_queues[0].memif; }

  bool arrive(const Bytes& bytes, std::uint16_t flags = 0) {
    return memif_device_send(&in_, bytes.data(), static_cast<std::uint32_t>(bytes.size()), flags);
  }
  std::vector<Bytes> leave(unsigned most = UINT32_MAX) {
    std::vector<Bytes> sent;
    memif_device_receive(
        &out_, most,
        [](void* context, const std::uint8_t* bytes, const xchg_memif_descriptor* descriptor) {
          EXPECT_EQ(descriptor->flags, 0);
          static_cast<std::vector<Bytes>*>(context)->emplace_back(bytes, bytes + descriptor->length);
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
  Bytes packet(unsigned i) const { return {packets_[i]->frame, packets_[i]->frame + packets_[i]->length}; }
  rte_eth_stats statistics() const {
    rte_eth_stats statistics{};
    rte_eth_stats_get(port_, &statistics);
    return statistics;
  }

  void forward_with_device(std::uint32_t first, std::uint32_t count) {
    std::uint32_t in = first;
    std::uint32_t out = first;
    while (out < first + count) {
      while (in < first + count && in < out + kBurst && arrive(frame_of(in))) ++in;
      const unsigned received = receive();
      ASSERT_GT(received, 0U);
      ASSERT_EQ(transmit(received), received);
      const std::vector<Bytes> left = leave();
      ASSERT_EQ(left.size(), received);
      for (const Bytes& bytes : left) ASSERT_EQ(bytes, frame_of(out++));
    }
  }

  /// A port's ordinary functions.
  static bool send_mbuf(std::uint16_t port, rte_mempool* pool, const Bytes& bytes) {
    rte_mbuf* mbuf = rte_pktmbuf_alloc(pool);
    if (mbuf == nullptr) return false;
    std::memcpy(rte_pktmbuf_append(mbuf, static_cast<std::uint16_t>(bytes.size())), bytes.data(), bytes.size());
    if (rte_eth_tx_burst(port, 0, &mbuf, 1) == 1) return true;
    rte_pktmbuf_free(mbuf);
    return false;
  }
  static std::vector<Bytes> receive_mbufs(std::uint16_t port, std::uint16_t most = kBurst) {
    std::array<rte_mbuf*, kBurst> mbufs{};
    const std::uint16_t received = rte_eth_rx_burst(port, 0, mbufs.data(), most);
    std::vector<Bytes> frames;
    for (unsigned i = 0; i < received; ++i) {
      const auto* bytes = rte_pktmbuf_mtod(mbufs[i], const std::uint8_t*);
      frames.emplace_back(bytes, bytes + mbufs[i]->data_len);
      rte_pktmbuf_free(mbufs[i]);
    }
    return frames;
  }
  std::vector<Bytes> receive_exchanged(unsigned most = kBurst) {
    std::vector<Bytes> frames;
    for (unsigned i = 0, received = receive(most); i < received; ++i) frames.push_back(packet(i));
    return frames;
  }
  /// Frames from the other port to the other port.
  void forward(std::uint32_t first, std::uint32_t count) {
    std::uint32_t in = first;
    std::uint32_t out = first;
    ASSERT_TRUE(receive_mbufs(peer_).empty());  // a client gives buffers when it is asked for frames
    while (out < first + count) {
      while (in < first + count && in < out + kBurst && send_mbuf(peer_, peer_pool_, frame_of(in))) ++in;
      if (taken_ != nullptr) {
        const unsigned received = receive();
        ASSERT_EQ(transmit(received), received);
      } else {
        std::array<rte_mbuf*, kBurst> mbufs{};
        const std::uint16_t received = rte_eth_rx_burst(port_, 0, mbufs.data(), kBurst);
        ASSERT_EQ(rte_eth_tx_burst(port_, 0, mbufs.data(), received), received);
      }
      for (const Bytes& bytes : receive_mbufs(peer_)) ASSERT_EQ(bytes, frame_of(out++));
    }
  }

  static inline int memory_ = -1;
  std::uint16_t port_ = 0;
  std::uint16_t peer_ = 0;
  rte_mempool* pool_ = nullptr;
  rte_mempool* peer_pool_ = nullptr;
  xchg_port* taken_ = nullptr;
  memif_device_queue in_{};
  memif_device_queue out_{};
  std::array<xchg, kBurst> storage_{};
  std::array<xchg*, kBurst> packets_{};
};

}  // namespace packetmill::testing
