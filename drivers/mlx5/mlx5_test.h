#pragma once

#include <gmock/gmock.h>
#include <rte_bus_vdev.h>
#include <rte_ethdev.h>
#include <rte_mbuf.h>

#include <array>
#include <cstring>
#include <deque>
#include <memory>

#include "drivers/mlx5/emulated.h"
#include "drivers/test/frames.h"
#include "drivers/test/packet.h"
#include "ports/dpdk/eal.h"

// The mlx5 data path on an emulated ConnectX: the test is the wire.
namespace packetmill::testing {
inline constexpr std::uint16_t kDescriptors = 128;
inline constexpr unsigned kBuffers = 1023;
inline constexpr unsigned kBurst = 32;

struct Sent {
  Bytes bytes;
  std::uint8_t checksums;
  bool insert_vlan;
  std::uint16_t vlan_tci;
};

class Mlx5 : public ::testing::TestWithParam<bool> {
 protected:
  void SetUp() override {
    ASSERT_EQ(dpdk::start_eal({}), std::nullopt);
    pool_ = rte_pktmbuf_pool_create("mlx5_test", kBuffers, 32, 0, RTE_MBUF_DEFAULT_BUF_SIZE, SOCKET_ID_ANY);
    ASSERT_NE(pool_, nullptr);
    ASSERT_EQ(rte_vdev_init("net_mlx5_emulated0", GetParam() ? "vector=1" : "vector=0"), 0);
    ASSERT_EQ(rte_eth_dev_get_port_by_name("net_mlx5_emulated0", &port_), 0);
    rte_eth_conf configuration{};
    configuration.rxmode.mq_mode = RTE_ETH_MQ_RX_RSS;
    configuration.rxmode.offloads =
        RTE_ETH_RX_OFFLOAD_CHECKSUM | RTE_ETH_RX_OFFLOAD_VLAN_STRIP | RTE_ETH_RX_OFFLOAD_RSS_HASH;
    configuration.txmode.offloads = RTE_ETH_TX_OFFLOAD_IPV4_CKSUM | RTE_ETH_TX_OFFLOAD_UDP_CKSUM |
                                    RTE_ETH_TX_OFFLOAD_TCP_CKSUM | RTE_ETH_TX_OFFLOAD_VLAN_INSERT;
    ASSERT_EQ(rte_eth_dev_configure(port_, 1, 1, &configuration), 0);
    ASSERT_EQ(rte_eth_rx_queue_setup(port_, 0, kDescriptors, SOCKET_ID_ANY, nullptr, pool_), 0);
    ASSERT_EQ(rte_eth_tx_queue_setup(port_, 0, kDescriptors, SOCKET_ID_ANY, nullptr), 0);
    ASSERT_EQ(rte_eth_dev_start(port_), 0);
  }

  /// Whatever a test has done, every buffer is in the pool again once the port is closed.
  void TearDown() override {
    if (taken_ != nullptr) give_back();
    ASSERT_EQ(rte_eth_dev_stop(port_), 0);
    ASSERT_EQ(rte_eth_dev_close(port_), 0);
    ASSERT_EQ(rte_vdev_uninit("net_mlx5_emulated0"), 0);
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

  mlx5_device_receive_queue* wire_in() { return mlx5_emulated_receive_device(port_, 0); }
  mlx5_device_transmit_queue* wire_out() { return mlx5_emulated_transmit_device(port_, 0); }

  bool arrive(const Bytes& bytes, mlx5_device_frame frame = {}) {
    frame.bytes = bytes.data();
    frame.length = static_cast<std::uint32_t>(bytes.size());
    return mlx5_device_receive(wire_in(), &frame);
  }
  std::vector<Sent> leave() {
    std::vector<Sent> sent;
    mlx5_device_transmit(
        wire_out(), UINT32_MAX,
        [](void* context, const mlx5_device_sent* frame) {
          static_cast<std::vector<Sent>*>(context)->push_back({Bytes(frame->bytes, frame->bytes + frame->length),
                                                               frame->checksums, frame->insert_vlan, frame->vlan_tci});
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

  /// `count` frames through the port by its ordinary functions.
  void forward_mbufs(std::uint32_t first, std::uint32_t count) {
    std::uint32_t in = first;
    std::uint32_t out = first;
    while (out < first + count) {
      while (in < first + count && in < out + kBurst && arrive(numbered(in))) ++in;
      std::array<rte_mbuf*, kBurst> mbufs;
      const std::uint16_t received = rte_eth_rx_burst(port_, 0, mbufs.data(), kBurst);
      std::uint16_t sent = 0;
      while (sent < received)
        sent += rte_eth_tx_burst(port_, 0, mbufs.data() + sent, static_cast<std::uint16_t>(received - sent));
      const std::vector<Sent> left = leave();
      ASSERT_EQ(left.size(), received);
      for (const Sent& frame : left) ASSERT_EQ(frame.bytes, numbered(out++));
    }
  }
  void forward_exchanged(std::uint32_t first, std::uint32_t count) {
    std::uint32_t in = first;
    std::uint32_t out = first;
    while (out < first + count) {
      while (in < first + count && in < out + kBurst && arrive(numbered(in))) ++in;
      const unsigned received = receive();
      ASSERT_EQ(transmit(received), received);
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
