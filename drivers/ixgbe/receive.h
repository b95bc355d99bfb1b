/* Receiving on an 82599 under X-Change, frame by frame. What an application makes of one is its own; by conversion functions
 * it is in exchange.h. */
#ifndef PACKETMILL_DRIVERS_IXGBE_RECEIVE_H
#define PACKETMILL_DRIVERS_IXGBE_RECEIVE_H

#include <rte_mbuf_core.h>

#include "drivers/ixgbe/queues.h"

/* A burst works on a copy of its queue, which a compiler has in registers, and says at its end how far it has got. */
static inline struct xchg_ixgbe_receive_queue xchg_ixgbe_receive_begin(const struct xchg_ixgbe_receive_queue* queue) {
  return *queue;
}

/* What the NIC has written of the next frame; false where there is none. */
static inline bool xchg_ixgbe_receive_next(struct xchg_ixgbe_receive_queue* burst,
                                           struct xchg_intel_descriptor* frame) {
  return xchg_intel_receive_next(&burst->ring, 0, frame);
}

/* The frame's buffer, which stays in the ring until it is exchanged. */
static inline void* xchg_ixgbe_receive_buffer(const struct xchg_ixgbe_receive_queue* burst) {
  return xchg_intel_receive_buffer(&burst->ring);
}

/* On to the next frame; where this one was, the NIC may put another into `empty`. */
static inline void xchg_ixgbe_receive_exchange(struct xchg_ixgbe_receive_queue* burst, void* empty) {
  xchg_intel_receive_exchange(&burst->ring, empty);
}

/* The end of a burst: the NIC may have what was exchanged. It counts frames itself. */
static inline void xchg_ixgbe_receive_end(struct xchg_ixgbe_receive_queue* queue,
                                          struct xchg_ixgbe_receive_queue* burst) {
  xchg_intel_receive_end(&queue->ring, &burst->ring);
}

/* What a descriptor says, by name. */
static inline uint32_t xchg_ixgbe_length(const struct xchg_ixgbe_receive_queue* queue,
                                         struct xchg_intel_descriptor frame) {
  return (uint16_t)(frame.high >> 32) - (uint32_t)queue->check_sequence;
}
static inline uint16_t xchg_ixgbe_vlan_tci(struct xchg_intel_descriptor frame) { return (uint16_t)(frame.high >> 48); }
static inline uint32_t xchg_ixgbe_packet_type(const struct xchg_ixgbe_receive_queue* queue,
                                              struct xchg_intel_descriptor frame) {
  const uint32_t info = (uint32_t)frame.low;
  const uint32_t type = info >> XCHG_IXGBE_TYPE_SHIFT & queue->type_mask;
  if (info & XCHG_IXGBE_TYPE_BY_FILTER) return 0;
  return type & XCHG_IXGBE_TYPE_TUNNEL ? queue->tunnel_types[type & 0xff] : queue->packet_types[type & 0x7f];
}
/* The kinds that the driver calls a hash: of IPv4, and of IPv6 without extensions, with and without ports. */
static inline bool xchg_ixgbe_has_hash(struct xchg_intel_descriptor frame) {
  const uint32_t kinds = 1u << 1 | 1u << 2 | 1u << 3 | 1u << 5 | 1u << 7 | 1u << 8;
  return (kinds >> (frame.low & 0xf) & 1) != 0;
}
static inline uint32_t xchg_ixgbe_hash(struct xchg_intel_descriptor frame) {
  return xchg_ixgbe_has_hash(frame) ? (uint32_t)(frame.low >> 32) : 0;
}
static inline bool xchg_ixgbe_has_mark(struct xchg_intel_descriptor frame) {
  return (frame.low & 0xf) == XCHG_IXGBE_HASH_FLOW_DIRECTOR;
}
static inline uint32_t xchg_ixgbe_mark(struct xchg_intel_descriptor frame) {
  return xchg_ixgbe_has_mark(frame) ? (uint16_t)(frame.low >> 32) : 0;
}
/* The driver says "good" of whatever the NIC has not called bad; here, only of what it has looked at. */
static inline uint64_t xchg_ixgbe_flags(const struct xchg_ixgbe_receive_queue* queue,
                                        struct xchg_intel_descriptor frame) {
  const uint32_t status = (uint32_t)frame.high;
  const bool forgiven = queue->zero_udp_is_bad && (frame.low & XCHG_IXGBE_TYPE_UDP);
  uint64_t flags = 0;
  if (status & XCHG_IXGBE_ERROR_IP)
    flags |= RTE_MBUF_F_RX_IP_CKSUM_BAD;
  else if (status & XCHG_IXGBE_STATUS_IP_CHECKED)
    flags |= RTE_MBUF_F_RX_IP_CKSUM_GOOD;
  if (status & XCHG_IXGBE_ERROR_L4)
    flags |= forgiven ? 0 : RTE_MBUF_F_RX_L4_CKSUM_BAD;
  else if (status & XCHG_IXGBE_STATUS_L4_CHECKED)
    flags |= RTE_MBUF_F_RX_L4_CKSUM_GOOD;
  if ((status & XCHG_IXGBE_STATUS_OUTER_IP_CHECKED) && (status & XCHG_IXGBE_ERROR_OUTER_IP))
    flags |= RTE_MBUF_F_RX_OUTER_IP_CKSUM_BAD;
  if (status & XCHG_IXGBE_STATUS_VLAN) flags |= queue->vlan_flags;
  if (xchg_ixgbe_has_hash(frame)) flags |= RTE_MBUF_F_RX_RSS_HASH;
  if (xchg_ixgbe_has_mark(frame)) flags |= RTE_MBUF_F_RX_FDIR;
  return flags;
}

#endif
