/* Receiving on a ConnectX under X-Change, completion by completion. What an application makes of one is its own; by conversion
 * functions it is in exchange.h. */
#ifndef PACKETMILL_DRIVERS_MLX5_RECEIVE_H
#define PACKETMILL_DRIVERS_MLX5_RECEIVE_H

#include <rte_atomic.h>
#include <rte_byteorder.h>
#include <rte_mbuf_core.h>
#include <rte_prefetch.h>

#include "drivers/mlx5/queues.h"

/* A burst works on a copy of its queue, which a compiler has in registers, and says at its end how far it has got. */
static inline struct xchg_mlx5_receive_queue xchg_mlx5_receive_begin(const struct xchg_mlx5_receive_queue* queue) {
  return *queue;
}

/* The completion of the next frame, or NULL where there is none. Compressed completions are expanded and errors recovered
 * from on the way, out of line. */
static inline const struct xchg_mlx5_completion* xchg_mlx5_receive_next(struct xchg_mlx5_receive_queue* queue,
                                                                        struct xchg_mlx5_receive_queue* burst) {
  for (;;) {
    const struct xchg_mlx5_completion* completion = &burst->completions[burst->completion & burst->completion_mask];
    const uint8_t owner = *(const volatile uint8_t*)&completion->owner;
    const uint8_t round = (burst->completion >> burst->completion_log) & 1;
    /* Bit 1 says "solicited" and means nothing here. */
    if (__builtin_expect((owner & 0xfd) == (XCHG_MLX5_RESPONDER_SEND << 4 | round), 1)) {
      rte_atomic_thread_fence(__ATOMIC_ACQUIRE); /* the rest of the completion was written before its owner */
      rte_prefetch0(&burst->completions[(burst->completion + 4) & burst->completion_mask]);
      return completion;
    }
    const bool written = (owner & 1) == round && xchg_mlx5_opcode(owner) != XCHG_MLX5_INVALID;
    if (!written && __builtin_expect(!burst->recovering, 1)) return 0;
    const bool more = xchg_mlx5_receive_rare(queue, burst->completion, burst->request, written);
    *burst = *queue;
    if (!more) return 0;
  }
}

/* The frame's buffer, which stays in the ring until it is exchanged. */
static inline void* xchg_mlx5_receive_buffer(const struct xchg_mlx5_receive_queue* burst) {
  return (void*)(uintptr_t)rte_be_to_cpu_64(burst->requests[burst->request & burst->request_mask].address);
}

/* On to the next frame; where this one was, the NIC may put another into `empty`. */
static inline void xchg_mlx5_receive_exchange(struct xchg_mlx5_receive_queue* burst, void* empty) {
  burst->requests[burst->request & burst->request_mask].address = rte_cpu_to_be_64((uintptr_t)empty);
  ++burst->completion;
  ++burst->request;
}

/* Tells the NIC how far the queue has got. */
static inline void xchg_mlx5_receive_tell(const struct xchg_mlx5_receive_queue* queue) {
  rte_io_wmb();
  *queue->completion_record = rte_cpu_to_be_32(queue->completion & 0xffffff);
  rte_io_wmb();
  *queue->request_record = rte_cpu_to_be_32(queue->request);
}

/* The end of a burst: the NIC may have everything that was taken and exchanged. */
static inline void xchg_mlx5_receive_end(struct xchg_mlx5_receive_queue* queue,
                                         const struct xchg_mlx5_receive_queue* burst, uint64_t packets,
                                         uint64_t bytes) {
  if (packets == 0 && burst->completion == queue->completion) return;
  queue->completion = burst->completion;
  queue->request = burst->request;
  burst->statistics->packets += packets;
  burst->statistics->bytes += bytes;
  xchg_mlx5_receive_tell(burst);
}

/* What a completion says, by name. */
static inline uint32_t xchg_mlx5_length(const struct xchg_mlx5_receive_queue* queue,
                                        const struct xchg_mlx5_completion* c) {
  return rte_be_to_cpu_32(c->byte_count) - queue->check_sequence;
}
static inline uint32_t xchg_mlx5_packet_type(const struct xchg_mlx5_receive_queue* queue,
                                             const struct xchg_mlx5_completion* c) {
  return queue->packet_types[(c->packet_info & 3) << 6 | (rte_be_to_cpu_16(c->header_types) & 0xfc) >> 2];
}
static inline uint32_t xchg_mlx5_hash(const struct xchg_mlx5_receive_queue* queue,
                                      const struct xchg_mlx5_completion* c) {
  return queue->has_hash ? rte_be_to_cpu_32(c->hash) : 0;
}
/* The driver gives its rules a tag that reads little-endian: the number and one; 0 for none, all ones for one without a
 * number. */
static inline uint32_t xchg_mlx5_tag(const struct xchg_mlx5_completion* c) { return rte_le_to_cpu_32(c->mark) >> 8; }
/* 0: no rule has marked it, or one without a number. */
static inline uint32_t xchg_mlx5_mark(const struct xchg_mlx5_receive_queue* queue,
                                      const struct xchg_mlx5_completion* c) {
  const uint32_t tag = xchg_mlx5_tag(c);
  return queue->has_mark && tag != 0 && tag != 0xffffff ? tag - 1 : 0;
}
/* Whether the NIC has found this checksum (XCHG_MLX5_HEADER_*) right; not of tunnelled frames, which have two of each. */
static inline bool xchg_mlx5_found(const struct xchg_mlx5_receive_queue* queue, const struct xchg_mlx5_completion* c,
                                   uint16_t checksum) {
  return queue->has_checksums && (c->packet_info & 1) == 0 && (rte_be_to_cpu_16(c->header_types) & checksum) != 0;
}
static inline uint64_t xchg_mlx5_flags(const struct xchg_mlx5_receive_queue* queue,
                                       const struct xchg_mlx5_completion* c) {
  const uint16_t types = rte_be_to_cpu_16(c->header_types);
  uint64_t flags = 0;
  if (queue->has_checksums) {
    if (types & XCHG_MLX5_HEADER_L3_GOOD) flags |= RTE_MBUF_F_RX_IP_CKSUM_GOOD;
    if (types & XCHG_MLX5_HEADER_L4_GOOD) flags |= RTE_MBUF_F_RX_L4_CKSUM_GOOD;
  }
  if (queue->strips_vlan && (types & XCHG_MLX5_HEADER_VLAN_STRIPPED))
    flags |= RTE_MBUF_F_RX_VLAN | RTE_MBUF_F_RX_VLAN_STRIPPED;
  if (queue->has_hash && c->hash != 0) flags |= RTE_MBUF_F_RX_RSS_HASH;
  if (queue->has_mark) {
    const uint32_t tag = xchg_mlx5_tag(c);
    if (tag != 0) flags |= RTE_MBUF_F_RX_FDIR;
    if (tag != 0 && tag != 0xffffff) flags |= RTE_MBUF_F_RX_FDIR_ID;
  }
  return flags;
}

#endif
