#pragma once

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace packetmill::dpdk {

/// A bounded queue between one thread that pushes and one that pops.
template <typename T>
class SpscRing {
 public:
  explicit SpscRing(std::size_t capacity) : slots_(std::bit_ceil(capacity)) {}

  bool push(T value) {
    const std::size_t tail = tail_.load(std::memory_order_relaxed);
    if (tail - head_.load(std::memory_order_acquire) == slots_.size()) return false;
    slots_[tail & (slots_.size() - 1)] = value;
    tail_.store(tail + 1, std::memory_order_release);
    return true;
  }

  unsigned pop(T* out, unsigned n) {
    const std::size_t head = head_.load(std::memory_order_relaxed);
    const std::size_t count = std::min<std::size_t>(n, tail_.load(std::memory_order_acquire) - head);
    for (std::size_t i = 0; i < count; ++i) out[i] = slots_[(head + i) & (slots_.size() - 1)];
    head_.store(head + count, std::memory_order_release);
    return static_cast<unsigned>(count);
  }

 private:
  std::vector<T> slots_;
  alignas(64) std::atomic<std::size_t> head_{0};
  alignas(64) std::atomic<std::size_t> tail_{0};
};

/// Receive-side scaling in software, for devices that have one receive queue and no RSS.
///
/// Each of the consumers that finds its software queue empty tries to become the one that polls the device, and hands
/// what comes to all of them by hash: no thread is lost to distribution, and frames of a flow keep their order.
/// Consumer i is the only one to call `receive(i, ...)`.
///
/// `Device` gives `unsigned poll(Frame** out, unsigned n)`, `std::uint32_t hash(Frame*)`, and `void discard(Frame*)`
/// for a frame whose software queue is full; the calls never overlap.
template <typename Frame>
class Spreader {
 public:
  Spreader(unsigned queues, std::size_t ring_capacity) {
    for (unsigned i = 0; i < queues; ++i) rings_.push_back(std::make_unique<SpscRing<Frame*>>(ring_capacity));
  }

  /// At most `n` frames of software queue `queue`; 0 also while another consumer is polling.
  template <typename Device>
  unsigned receive(unsigned queue, Frame** out, unsigned n, Device&& device) {
    if (const unsigned waiting = rings_[queue]->pop(out, n)) return waiting;
    if (polling_.test_and_set(std::memory_order_acquire)) return 0;
    distribute(n, device);
    polling_.clear(std::memory_order_release);
    return rings_[queue]->pop(out, n);
  }

  /// Frames dropped because their software queue was full ("rss ring full").
  [[nodiscard]] std::uint64_t ring_full() const { return ring_full_.load(std::memory_order_relaxed); }

  /// The queue that a hash leads to, as a NIC with a table of 128 entries filled in turn would choose.
  [[nodiscard]] unsigned queue_of(std::uint32_t hash) const {
    return static_cast<unsigned>(hash % 128 % rings_.size());
  }

  /// Hands every waiting frame to `device.discard`; only when no consumer runs any more.
  template <typename Device>
  void drain(Device&& device) {
    for (auto& ring : rings_)
      for (Frame* frame; ring->pop(&frame, 1) == 1;) device.discard(frame);
  }

 private:
  static constexpr unsigned kBurst = 64;

  template <typename Device>
  void distribute(unsigned n, Device& device) {
    Frame* frames[kBurst];
    const unsigned count = device.poll(frames, std::min(n, kBurst));
    for (unsigned i = 0; i < count; ++i) {
      if (rings_[queue_of(device.hash(frames[i]))]->push(frames[i])) continue;
      ring_full_.fetch_add(1, std::memory_order_relaxed);
      device.discard(frames[i]);
    }
  }

  std::vector<std::unique_ptr<SpscRing<Frame*>>> rings_;
  std::atomic_flag polling_;
  std::atomic<std::uint64_t> ring_full_{0};
};

}  // namespace packetmill::dpdk
