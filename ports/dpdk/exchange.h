#pragma once

#include <rte_mbuf.h>

#include "drivers/mlx5/receive.h"
#include "drivers/mlx5/transmit.h"
#include "drivers/takeover.h"
#include "ports/dpdk/conversion.h"
#include "ports/dpdk/eal.h"
#include "ports/dpdk/hidden.h"
#include "runtime/packet.h"

/// X-Change: frames between descriptors and packets, without an rte_mbuf in between (drivers/xchange.h). Packets of the
/// network function take the pieces of the data path that they need; its C interface, with conversion functions, is for
/// other programs.
namespace packetmill::dpdk {

constexpr unsigned kMostFrames = 256;  ///< of a burst

/// The empty buffers that a thread has at hand: those of frames that were sent or dropped last, so in its cache. What is
/// received takes one of them, what is sent or dropped gives one; a mempool is asked only where packets are stored.
///
/// Only a thread that is registered (ThreadRegistration) keeps any: of another, which lets go of a packet now and then
/// (a handler that empties a queue), nobody would know when it ends.
class Spares {
 public:
  static constexpr unsigned kMost = 1024;
  static constexpr unsigned kMostAtOnce = kMost - kMostFrames;

  /// Makes sure of `n` buffers, at most kMostFrames; says how many there are. Until they have been taken, `give` and
  /// `take_beside` leave as many.
  unsigned prepare(rte_mempool* pool, unsigned n) {
    if (count_ < n) [[unlikely]]
      fetch(pool);
    return std::min(n, count_);
  }
  /// There must be one. It stays hidden.
  void* take() {
    void* const buffer = buffers_[--count_];
    check_untouched(buffer);
    return buffer;
  }
  /// One more than a burst under way may want; null where there is none.
  void* take_beside(rte_mempool* pool) {
    if (count_ <= kMostFrames) fetch(pool);
    return count_ <= kMostFrames ? nullptr : take();
  }
  void give(void* buffer) {
    if (count_ >= room_) [[unlikely]]
      return give_back(buffer);
    put_away(buffer);
    buffers_[count_++] = buffer;
  }
  /// Where the next `n`, at most kMostAtOnce, go, all of which are then given. Of a registered thread.
  void** give(unsigned n) {
    if (count_ + n > kMost) [[unlikely]]
      shrink(kMost - n);
    void** place = &buffers_[count_];
    count_ += n;
    return place;
  }
  /// All of them to their mempools.
  void drain() { shrink(0); }
  void open() { room_ = kMost; }
  void close() {
    drain();
    room_ = 0;
  }

 private:
  [[gnu::noinline, gnu::cold]] void fetch(rte_mempool* pool) {
    register_thread();
    constexpr unsigned kBulk = 2 * kMostFrames;
    void* mbufs[kBulk];
    if (rte_mempool_get_bulk(pool, mbufs, kBulk) != 0) return;
    for (void* mbuf : mbufs) give(xchg_buffer_of(static_cast<rte_mbuf*>(mbuf)));
  }
  [[gnu::noinline, gnu::cold]] void shrink(unsigned count) {
    while (count_ > count) give_back(take());
  }
  [[gnu::noinline, gnu::cold]] static void give_back(void* buffer) {
    show(buffer);
    rte_mbuf_raw_free(mbuf_of(buffer));
  }

  unsigned count_ = 0;
  unsigned room_ = 0;  ///< kMost, or 0
  void* buffers_[kMost] = {};
};

inline thread_local constinit Spares spares;

/// Of a packet whose buffer is under exchange: Packet::release.
inline void free_exchanged(void* buffer) { spares.give(buffer); }

/// A frame on its way out, in a buffer under exchange.
struct Outgoing {
  void* buffer;
  const std::uint8_t* frame;
  std::uint32_t length;
};

/// A copy of a frame in a spare buffer; no buffer where there is none, or the frame is too long for it.
[[gnu::noinline]] inline Outgoing exchanged_copy(const std::uint8_t* bytes, std::uint32_t length, rte_mempool* pool) {
  if (length > rte_pktmbuf_data_room_size(pool) - RTE_PKTMBUF_HEADROOM) return {};
  auto* const buffer = static_cast<std::uint8_t*>(spares.take_beside(pool));
  if (buffer == nullptr) return {};
  show(buffer);
  std::memcpy(buffer, bytes, length);
  return {buffer, buffer, length};
}

/// The same for a driver whose descriptors are not mlx5's.
[[gnu::noinline]] inline unsigned transmit_through_c(xchg_transmit_queue& queue, const Outgoing* frames, unsigned n) {
  converted_frame converted[kMostConverted];
  n = std::min<unsigned>(n, kMostConverted);
  for (unsigned i = 0; i < n; ++i)
    converted[i] = {
        .buffer = frames[i].buffer, .frame = frames[i].frame, .flags = 0, .length = frames[i].length, .hash = 0};
  const unsigned sent = transmit_converted(&queue, converted, n);
  for (unsigned i = 0; i < sent; ++i) spares.give(converted[i].buffer);
  return sent;
}

/// Sends as many of them as there is room for; their buffers are exchanged for spare ones.
inline unsigned transmit_exchanged(xchg_transmit_queue& queue, const Outgoing* frames, unsigned n) {
  if (queue.driver != XCHG_MLX5) [[unlikely]]
    return transmit_through_c(queue, frames, n);
  xchg_mlx5_transmit_complete(&queue.mlx5);
  n = std::min({n, unsigned{xchg_mlx5_transmit_room(&queue.mlx5)}, Spares::kMostAtOnce});
  void** const empty = spares.give(n);
  xchg_mlx5_transmit_burst burst = xchg_mlx5_transmit_begin(&queue.mlx5);
  for (unsigned i = 0; i < n; ++i) {
    empty[i] = xchg_mlx5_transmit_put(&burst, frames[i].buffer, frames[i].frame, frames[i].length, 0, 0);
    hide(frames[i].buffer);
    put_away(empty[i]);
  }
  xchg_mlx5_transmit_end(&queue.mlx5, &burst);
  return n;
}

}  // namespace packetmill::dpdk
