// One of Intel's drivers on an emulated NIC, taken over and given back. The test is the wire.
#pragma once

#include <gmock/gmock.h>
#include <rte_bus_vdev.h>
#include <rte_ethdev.h>
#include <rte_mbuf.h>
#include <rte_vect.h>

#include <array>
#include <cstring>
#include <vector>

#include "drivers/intel/emulated.h"
#include "drivers/test/frames.h"
#include "drivers/test/packet.h"
#include "ports/dpdk/eal.h"

namespace packetmill::testing {

/// A driver, and which of its functions it uses.
struct Variant {
  const char* name;
  const char* device;
  bool (*arrive)(intel_device* nic, const std::uint8_t* bytes, std::uint32_t length);
  unsigned (*transmit)(intel_device* nic, unsigned queue, unsigned most, intel_device_wire* wire, void* context);
  std::uint16_t receive_threshold;
  std::uint64_t transmit_offloads;
  std::uint16_t simd;  // bits of a vector, at most; what a driver takes its vector functions by
};

inline void PrintTo(const Variant& variant, std::ostream* out) { *out << variant.name; }

/// A frame that says which one it is, by its length too.
inline Bytes frame_of(std::uint32_t number) { return numbered(number, 60 + number % 1400); }

/// The same with a tag of IEEE 802.1Q.
inline Bytes tagged(Bytes bytes, std::uint16_t vlan_tci) {
  const std::uint8_t tag[] = {0x81, 0x00, static_cast<std::uint8_t>(vlan_tci >> 8U),
                              static_cast<std::uint8_t>(vlan_tci)};
  bytes.insert(bytes.begin() + 12, std::begin(tag), std::end(tag));
  return bytes;
}

class IntelPort : public ::testing::TestWithParam<Variant> {
 protected:
  static constexpr std::uint16_t kDescriptors = 128;
  static constexpr unsigned kBuffers = 1023;
  static constexpr unsigned kBurst = 32;
  static constexpr std::size_t kPage = 4096;
  /// What the NIC's view of the buffers differs by.
  static constexpr std::uint64_t kIova = 0x7300'0000'0000;

  void SetUp() override {
    // The device reads its rings by their own addresses, which are not those of hugepages.
    ASSERT_EQ(dpdk::start_eal({"--no-huge"}), std::nullopt);
    rte_vect_set_max_simd_bitwidth(GetParam().simd);
    pool_ = make_pool(kIova);
    ASSERT_EQ(rte_vdev_init(GetParam().device, nullptr), 0);
    ASSERT_EQ(rte_eth_dev_get_port_by_name(GetParam().device, &port_), 0);
    nic_ = intel_emulated_device(port_);
    nic_->iova = kIova;
    configuration_.txmode.offloads = GetParam().transmit_offloads;
    configuration_.rxmode.offloads = RTE_ETH_RX_OFFLOAD_CHECKSUM | RTE_ETH_RX_OFFLOAD_VLAN_STRIP;
    start(pool_);
  }

  /// Whatever a test has done, every buffer is in the pool again once the port is closed.
  void TearDown() override {
    if (taken_ != nullptr) give_back();
    EXPECT_EQ(nic_->wrong, 0U);
    ASSERT_EQ(rte_eth_dev_stop(port_), 0);
    expect_all_buffers(pool_);
    ASSERT_EQ(rte_eth_dev_close(port_), 0);
    ASSERT_EQ(rte_vdev_uninit(GetParam().device), 0);
    rte_mempool_free(pool_);
    rte_vect_set_max_simd_bitwidth(RTE_VECT_SIMD_256);
  }

  void start(rte_mempool* pool) {
    rte_eth_rxconf receive{};
    receive.rx_free_thresh = GetParam().receive_threshold;
    receive.offloads = configuration_.rxmode.offloads;
    rte_eth_txconf transmit{};
    transmit.offloads = configuration_.txmode.offloads;
    ASSERT_EQ(rte_eth_dev_configure(port_, 1, 1, &configuration_), 0);
    ASSERT_EQ(rte_eth_rx_queue_setup(port_, 0, kDescriptors, SOCKET_ID_ANY, &receive, pool), 0);
    ASSERT_EQ(rte_eth_tx_queue_setup(port_, 0, kDescriptors, SOCKET_ID_ANY, &transmit), 0);
    ASSERT_EQ(rte_eth_dev_start(port_), 0);
  }

  /// Buffers that the NIC sees elsewhere than the processor; in several pieces: each piece elsewhere.
  rte_mempool* make_pool(std::uint64_t iova, unsigned pieces = 1) {
    const unsigned size = sizeof(rte_mbuf) + RTE_MBUF_DEFAULT_BUF_SIZE;
    rte_mempool* pool =
        rte_mempool_create_empty("intel_test", kBuffers, size, 0, sizeof(rte_pktmbuf_pool_private), SOCKET_ID_ANY, 0);
    rte_pktmbuf_pool_init(pool, nullptr);
    const std::size_t whole = (kBuffers + 1) / pieces * kPage;  // one to a page
    for (unsigned i = 0; i < pieces; ++i) {
      memory_.emplace_back(whole + kPage);
      auto* const start = reinterpret_cast<char*>(RTE_PTR_ALIGN(memory_.back().data(), kPage));
      rte_mempool_populate_iova(pool, start, reinterpret_cast<std::uintptr_t>(start) + (i + 1) * iova, whole, nullptr,
                                nullptr);
    }
    rte_mempool_obj_iter(pool, rte_pktmbuf_init, nullptr);
    return pool;
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
  const char* refused(rte_mempool* pool) {
    const char* reason = "";
    EXPECT_EQ(xchg_takeover(port_, pool, &reason), nullptr);
    return reason;
  }

  bool arrive(const Bytes& bytes) {
    return GetParam().arrive(nic_, bytes.data(), static_cast<std::uint32_t>(bytes.size()));
  }
  std::vector<Bytes> leave(unsigned most = UINT32_MAX) {
    std::vector<Bytes> sent;
    GetParam().transmit(
        nic_, 0, most,
        [](void* context, const std::uint8_t* bytes, std::uint32_t length) {
          static_cast<std::vector<Bytes>*>(context)->emplace_back(bytes, bytes + length);
        },
        &sent);
    return sent;
  }

  unsigned receive(unsigned most = kBurst) {
    return xchg_receive(&taken_->receive_queues[0], packets_.data(), static_cast<std::uint16_t>(most));
  }
  unsigned transmit(unsigned count, unsigned from = 0) {
    for (unsigned i = from; i < count; ++i) packets_[i]->flags = 0;
    return xchg_transmit(&taken_->transmit_queues[0], packets_.data() + from, static_cast<std::uint16_t>(count - from));
  }
  rte_eth_stats statistics() {
    rte_eth_stats statistics{};
    rte_eth_stats_get(port_, &statistics);
    return statistics;
  }

  /// Numbered frames: at most `count` more arrive; a burst of them goes from ring to ring by whoever has the port; at most
  /// `most` leave, in the order in which they came.
  void some_arrive(unsigned count) {
    for (unsigned i = 0; i < count && arrive(frame_of(in_)); ++i) ++in_;
  }
  void some_leave(unsigned most = UINT32_MAX) {
    for (const Bytes& bytes : leave(most)) ASSERT_EQ(bytes, frame_of(out_++));
  }
  void some_forwarded() {
    std::array<rte_mbuf*, kBurst> mbufs{};
    const unsigned received = taken_ != nullptr ? receive() : rte_eth_rx_burst(port_, 0, mbufs.data(), kBurst);
    unsigned sent = 0;
    for (unsigned attempt = 0; sent < received; ++attempt) {
      ASSERT_LT(attempt, 4U);
      if (attempt > 0) some_leave();
      sent += taken_ != nullptr
                  ? transmit(received, sent)
                  : rte_eth_tx_burst(port_, 0, mbufs.data() + sent, static_cast<std::uint16_t>(received - sent));
    }
  }
  void forward(unsigned count) {
    const std::uint32_t end = in_ + count;
    for (unsigned burst = 0; out_ != end; ++burst) {
      ASSERT_LT(burst, count + 4);
      some_arrive(std::min(end - in_, kBurst));
      some_forwarded();
      some_leave();
      ASSERT_FALSE(HasFatalFailure());
    }
  }

  std::uint16_t port_ = 0;
  rte_eth_conf configuration_{};
  intel_device* nic_ = nullptr;
  rte_mempool* pool_ = nullptr;
  std::vector<Bytes> memory_;
  xchg_port* taken_ = nullptr;
  std::array<xchg, kBurst> storage_{};
  std::array<xchg*, kBurst> packets_{};
  std::uint32_t in_ = 0;
  std::uint32_t out_ = 0;
};

}  // namespace packetmill::testing
