#pragma once

#include <rte_ethdev.h>
#include <rte_mbuf.h>

#include <span>

#include "ports/dpdk/eal.h"
#include "ports/dpdk/exchange.h"
#include "ports/dpdk/port.h"

namespace packetmill::dpdk {

/// The hot path of a port; see `receive` and `transmit` below.
struct Bursts {
  /// Reads one hardware queue.
  static unsigned receive_any(Port& port, unsigned queue, rte_mbuf** frames, unsigned n) {
    return rte_eth_rx_burst(port.number_, static_cast<std::uint16_t>(queue), frames, static_cast<std::uint16_t>(n));
  }

  /// Sees to it that a frame lies in one buffer and is no longer than the port allows; false where it is gone.
  static bool accept(Port& port, unsigned queue, rte_mbuf* frame) {
    if (frame->nb_segs == 1 && frame->pkt_len <= port.max_frame_) [[likely]]
      return true;
    return make_contiguous(port, queue, frame);
  }

  static unsigned receive_contiguous(Port& port, unsigned queue, rte_mbuf** frames, unsigned n) {
    const unsigned received = receive_any(port, queue, frames, n);
    unsigned kept = 0;
    for (unsigned i = 0; i < received; ++i)
      if (accept(port, queue, frames[i])) frames[kept++] = frames[i];
    return kept;
  }

  [[gnu::noinline, gnu::cold]] static bool make_contiguous(Port& port, unsigned queue, rte_mbuf* frame) {
    Port::ReceiveCounts& counts = port.receive_counts_[queue];
    if (frame->pkt_len > port.max_frame_ || rte_pktmbuf_linearize(frame) != 0) {
      counts.too_long.add(1);
      rte_pktmbuf_free(frame);
      return false;
    }
    counts.linearised.add(1);
    return true;
  }

  /// The one hardware queue of a port without RSS, as a Spreader sees it.
  struct SpreadDevice {
    Port& port;
    unsigned poll(rte_mbuf** frames, unsigned n) { return receive_contiguous(port, 0, frames, n); }
    std::uint32_t hash(rte_mbuf* frame) {
      frame->hash.rss = port.toeplitz_->hash_frame({rte_pktmbuf_mtod(frame, const std::uint8_t*), frame->data_len});
      frame->ol_flags |= RTE_MBUF_F_RX_RSS_HASH;
      return frame->hash.rss;
    }
    void discard(rte_mbuf* frame) { rte_pktmbuf_free(frame); }
  };

  [[gnu::noinline]] static unsigned receive_spread(Port& port, unsigned queue, rte_mbuf** frames, unsigned n) {
    return port.spreader_->receive(queue, frames, n, SpreadDevice{port});
  }

  static unsigned receive(Port& port, unsigned queue, rte_mbuf** frames, unsigned n) {
    if (port.spreader_) return receive_spread(port, queue, frames, n);
    return receive_contiguous(port, queue, frames, n);
  }

  static unsigned transmit_exchanged(Port& port, unsigned number, const Outgoing* frames, unsigned n) {
    return dpdk::transmit_exchanged(port.exchange_->transmit_queues[number], frames, n);
  }

  static unsigned transmit(Port& port, unsigned queue, rte_mbuf** frames, unsigned n) {
    const auto count = static_cast<std::uint16_t>(n);
    if (port.transmit_locks_.empty())
      return rte_eth_tx_burst(port.number_, static_cast<std::uint16_t>(queue), frames, count);
    const std::size_t shared = queue % port.transmit_locks_.size();
    std::atomic_flag& taken = port.transmit_locks_[shared].taken;
    while (taken.test_and_set(std::memory_order_acquire)) rte_pause();
    const unsigned sent = rte_eth_tx_burst(port.number_, static_cast<std::uint16_t>(shared), frames, count);
    taken.clear(std::memory_order_release);
    return sent;
  }
};

/// At most `n` frames that have arrived on `queue`, each contiguous and at most `max_frame` bytes long; the caller owns
/// them. One thread per queue. May give less than has arrived.
inline unsigned receive(Port& port, unsigned queue, rte_mbuf** frames, unsigned n) {
  return Bursts::receive(port, queue, frames, n);
}

/// Sends `frames` by X-Change, as many as there is room for; the port must exchange.
inline unsigned transmit_exchanged(Port& port, unsigned queue, const Outgoing* frames, unsigned n) {
  return Bursts::transmit_exchanged(port, queue, frames, n);
}

/// Hands `frames` to the device and returns how many it took; the others still belong to the caller. One thread per
/// queue.
inline unsigned transmit(Port& port, unsigned queue, rte_mbuf** frames, unsigned n) {
  return Bursts::transmit(port, queue, frames, n);
}

/// The bytes of a frame.
inline std::span<std::uint8_t> bytes(rte_mbuf* frame) {
  return {rte_pktmbuf_mtod(frame, std::uint8_t*), frame->data_len};
}

/// An empty frame of `size` bytes (at most the pool's `max_frame`), or nullptr if the pool is empty.
inline rte_mbuf* allocate(rte_mempool* pool, std::uint16_t size) {
  rte_mbuf* const frame = rte_pktmbuf_alloc(pool);
  if (frame) frame->data_len = size, frame->pkt_len = size;
  return frame;
}

inline void release(rte_mbuf** frames, unsigned n) { rte_pktmbuf_free_bulk(frames, n); }

}  // namespace packetmill::dpdk
