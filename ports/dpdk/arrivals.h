#pragma once

#include "ports/dpdk/burst.h"
#include "ports/dpdk/metadata.h"

namespace packetmill::dpdk {

/// A frame that has come in, and whose its buffer is: what makes a packet (Context::adopt).
struct Arrived {
  std::uint8_t* buffer;  ///< with its headroom
  std::uint32_t capacity;
  std::uint32_t headroom;
  std::uint32_t length;
  void* owner;
  Packet::Release release;
  bool room;  ///< for a Packet right in front of the buffer that nothing else uses
  bool has_hash;
  std::uint32_t hash;
  bool header_right;   ///< the checksum of its IPv4 header, as the NIC has found; false where it does not say
  bool segment_right;  ///< of the TCP or UDP segment in it
};

/// The receiving half of a burst: each frame in turn, looked at while it is at hand, because a pass of its own would cost a
/// packet as much as a short element.
struct Arrivals {
  struct Amount {
    std::uint64_t frames = 0;
    std::uint64_t bytes = 0;
  };

  /// `take(arrived)` for each of at most `n` frames (256 at most) that have arrived on `queue`. The port may exchange
  /// buffers with its driver where `kMayExchange`; then there is one more branch, always the same way, and not a second
  /// copy of all that `take` does.
  /// Returns how much there was.
  template <bool kMayExchange, class Take>
  [[gnu::always_inline]] static Amount each(Port& port, unsigned queue, unsigned n, Take take) {
    if constexpr (kMayExchange)
      return either(port, queue, n, take);
    else
      return mbufs(port, queue, n, take);
  }

 private:
  static unsigned burst(Port& port, unsigned queue, rte_mbuf** frames, unsigned n) {
    return port.spreader_ ? Bursts::receive_spread(port, queue, frames, n)
                          : Bursts::receive_any(port, queue, frames, n);
  }
  /// Of a tunnelled frame the flags are of its inner headers, or of both: nothing that is of use here.
  static bool is(const rte_mbuf& frame, std::uint64_t mask, std::uint64_t flag) {
    return (frame.ol_flags & mask) == flag && (frame.packet_type & RTE_PTYPE_TUNNEL_MASK) == 0;
  }
  static Arrived of(const rte_mbuf& frame) {
    return {.buffer = static_cast<std::uint8_t*>(frame.buf_addr),
            .capacity = frame.buf_len,
            .headroom = frame.data_off,
            .length = frame.data_len,
            .owner = const_cast<rte_mbuf*>(&frame),
            .release = free_buffer,
            .room = has_room(frame),
            .has_hash = (frame.ol_flags & RTE_MBUF_F_RX_RSS_HASH) != 0,
            .hash = frame.hash.rss,
            .header_right = is(frame, RTE_MBUF_F_RX_IP_CKSUM_MASK, RTE_MBUF_F_RX_IP_CKSUM_GOOD),
            .segment_right = is(frame, RTE_MBUF_F_RX_L4_CKSUM_MASK, RTE_MBUF_F_RX_L4_CKSUM_GOOD)};
  }
  template <class Take>
  [[gnu::always_inline]] static Amount mbufs(Port& port, unsigned queue, unsigned n, Take take) {
    rte_mbuf* frames[kMostFrames];
    const unsigned received = burst(port, queue, frames, n);
    Amount amount;
    for (unsigned i = 0; i < received; ++i) {
      if (i + 1 < received) __builtin_prefetch(rte_pktmbuf_mtod(frames[i + 1], void*));
      if (!Bursts::accept(port, queue, frames[i])) continue;
      const Arrived arrived = of(*frames[i]);
      ++amount.frames;
      amount.bytes += arrived.length;
      [[clang::always_inline]] take(arrived);
    }
    return amount;
  }

  /// The same from a descriptor. The frame's buffer is the packet's now, and in its place in the ring is a spare one.
  [[gnu::always_inline]] static Arrived of(xchg_mlx5_receive_queue& burst, const xchg_mlx5_completion& completion,
                                           std::uint32_t capacity, Spares& mine) {
    auto* const buffer = static_cast<std::uint8_t*>(xchg_mlx5_receive_buffer(&burst));
    show(buffer);
    xchg_mlx5_receive_exchange(&burst, mine.take());
    __builtin_prefetch(xchg_mlx5_receive_buffer(&burst));
    const std::uint32_t hash = xchg_mlx5_hash(&burst, &completion);
    return {.buffer = buffer - RTE_PKTMBUF_HEADROOM,
            .capacity = capacity,
            .headroom = RTE_PKTMBUF_HEADROOM,
            .length = xchg_mlx5_length(&burst, &completion),
            .owner = buffer,
            .release = free_exchanged,
            .room = false,
            .has_hash = hash != 0,
            .hash = hash,
            .header_right = xchg_mlx5_found(&burst, &completion, XCHG_MLX5_HEADER_L3_GOOD),
            .segment_right = xchg_mlx5_found(&burst, &completion, XCHG_MLX5_HEADER_L4_GOOD)};
  }

  /// The same of a driver whose descriptors are not mlx5's: a burst through the C interface, and then frame by frame.
  [[gnu::noinline]] static unsigned converted(xchg_receive_queue& queue, converted_frame* frames, unsigned n,
                                              Spares& mine) {
    for (unsigned i = 0; i < n; ++i) {
      frames[i].buffer = mine.take();
      show(frames[i].buffer);  // a peer in this process may write to it
    }
    const unsigned received = receive_converted(&queue, frames, n);
    for (unsigned i = received; i < n; ++i) mine.give(frames[i].buffer);
    return received;
  }
  [[gnu::always_inline]] static Arrived of(const converted_frame& frame, std::uint32_t capacity) {
    return {.buffer = static_cast<std::uint8_t*>(frame.buffer) - RTE_PKTMBUF_HEADROOM,
            .capacity = capacity,
            .headroom = RTE_PKTMBUF_HEADROOM,
            .length = frame.length,
            .owner = frame.buffer,
            .release = free_exchanged,
            .room = false,
            .has_hash = (frame.flags & RTE_MBUF_F_RX_RSS_HASH) != 0,
            .hash = frame.hash,
            .header_right = (frame.flags & RTE_MBUF_F_RX_IP_CKSUM_MASK) == RTE_MBUF_F_RX_IP_CKSUM_GOOD,
            .segment_right = (frame.flags & RTE_MBUF_F_RX_L4_CKSUM_MASK) == RTE_MBUF_F_RX_L4_CKSUM_GOOD};
  }

  template <class Take>
  [[gnu::always_inline]] static Amount either(Port& port, unsigned number, unsigned n, Take take) {
    rte_mbuf* frames[kMostFrames];
    converted_frame others[kMostFrames];
    xchg_receive_queue* const exchange = port.exchange_ == nullptr ? nullptr : &port.exchange_->receive_queues[number];
    const bool convert = exchange != nullptr && exchange->driver != XCHG_MLX5;
    Spares& mine = spares;
    xchg_mlx5_receive_queue ring;
    std::uint32_t capacity = 0;
    if (convert) {
      n = converted(*exchange, others, mine.prepare(port.pool_, n), mine);
      capacity = rte_pktmbuf_data_room_size(port.pool_);
    } else if (exchange != nullptr) {
      if (exchange->turn != nullptr) [[unlikely]]
        exchange->turn(exchange->port, exchange->number);
      n = mine.prepare(port.pool_, n);
      ring = xchg_mlx5_receive_begin(&exchange->mlx5);
      capacity = rte_pktmbuf_data_room_size(port.pool_);
    } else {
      n = burst(port, number, frames, n);
    }
    Amount amount;
    unsigned i = 0;
    unsigned gone = 0;
    const auto too_long = [&](const Arrived& arrived) {
      if (arrived.length <= port.max_frame_) [[likely]]
        return false;
      port.receive_counts_[number].too_long.add(1);
      mine.give(arrived.owner);
      ++gone;
      return true;
    };
    for (; i < n; ++i) {
      Arrived arrived;
      if (exchange == nullptr) {
        if (!Bursts::accept(port, number, frames[i])) [[unlikely]] {
          ++gone;
          continue;
        }
        arrived = of(*frames[i]);
      } else if (!convert) {
        const xchg_mlx5_completion* completion = xchg_mlx5_receive_next(&exchange->mlx5, &ring);
        if (completion == nullptr) break;
        arrived = of(ring, *completion, capacity, mine);
        if (too_long(arrived)) [[unlikely]]
          continue;
      } else {
        arrived = of(others[i], capacity);
        if (too_long(arrived)) [[unlikely]]
          continue;
      }
      amount.bytes += arrived.length;
      [[clang::always_inline]] take(arrived);
    }
    amount.frames = i - gone;
    if (exchange != nullptr && !convert) xchg_mlx5_receive_end(&exchange->mlx5, &ring, amount.frames, amount.bytes);
    return amount;
  }
};

}  // namespace packetmill::dpdk
