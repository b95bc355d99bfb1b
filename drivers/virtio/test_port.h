#pragma once

#include <gmock/gmock.h>
#include <rte_bus_vdev.h>
#include <rte_ethdev.h>
#include <rte_mbuf.h>

#include <array>
#include <string>
#include <vector>

#include "drivers/test/frames.h"
#include "drivers/test/packet.h"
#include "drivers/virtio/emulated.h"
#include "ports/dpdk/eal.h"

namespace packetmill::testing {

inline constexpr std::uint16_t kDescriptors = 128;
inline constexpr unsigned kBuffers = 1023;
inline constexpr unsigned kBurst = 32;

// Feature bits (virtio 1.2, sections 5.1.3 and 6).
inline constexpr std::uint64_t kChecksum = 1ULL << 0U;
inline constexpr std::uint64_t kGuestChecksum = 1ULL << 1U;
inline constexpr std::uint64_t kMerged = 1ULL << 15U;
inline constexpr std::uint64_t kIndirect = 1ULL << 28U;
inline constexpr std::uint64_t kVersion1 = 1ULL << 32U;
inline constexpr std::uint64_t kPacked = 1ULL << 34U;
inline constexpr std::uint64_t kInOrder = 1ULL << 35U;
inline constexpr std::uint64_t kUsual = kIndirect | kVersion1;

struct Sent {
  Bytes bytes;
  xchg_virtio_header header;
  bool apart;
};

/// A port on an emulated device, whose wire the test is. virtio's own control path is under it.
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
    expect_all_buffers(pool_);
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

}  // namespace packetmill::testing
