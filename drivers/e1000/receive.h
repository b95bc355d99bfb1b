/* Receiving on an e1000 under X-Change, frame by frame. What an application makes of one is its own; by conversion functions it
 * is in exchange.h. */
#ifndef PACKETMILL_DRIVERS_E1000_RECEIVE_H
#define PACKETMILL_DRIVERS_E1000_RECEIVE_H

#include <rte_mbuf_core.h>

#include "drivers/e1000/queues.h"

/* A burst works on a copy of its queue, which a compiler has in registers, and says at its end how far it has got. */
static inline struct xchg_e1000_receive_queue xchg_e1000_receive_begin(const struct xchg_e1000_receive_queue* queue) {
  return *queue;
}

/* What the NIC has written of the next frame; false where there is none. */
static inline bool xchg_e1000_receive_next(struct xchg_e1000_receive_queue* burst,
                                           struct xchg_intel_descriptor* frame) {
  return xchg_intel_receive_next(&burst->ring, XCHG_E1000_STATUS_SHIFT, frame);
}

/* The frame's buffer, which stays in the ring until it is exchanged. */
static inline void* xchg_e1000_receive_buffer(const struct xchg_e1000_receive_queue* burst) {
  return xchg_intel_receive_buffer(&burst->ring);
}

/* On to the next frame; where this one was, the NIC may put another into `empty`. */
static inline void xchg_e1000_receive_exchange(struct xchg_e1000_receive_queue* burst, void* empty) {
  xchg_intel_receive_exchange(&burst->ring, empty);
}

/* The end of a burst: the NIC may have what was exchanged. It counts frames itself. */
static inline void xchg_e1000_receive_end(struct xchg_e1000_receive_queue* queue,
                                          struct xchg_e1000_receive_queue* burst) {
  xchg_intel_receive_end(&queue->ring, &burst->ring);
}

/* What a descriptor says, by name. */
static inline uint32_t xchg_e1000_length(const struct xchg_e1000_receive_queue* queue,
                                         struct xchg_intel_descriptor frame) {
  return (uint16_t)frame.high - (uint32_t)queue->check_sequence;
}
static inline uint16_t xchg_e1000_vlan_tci(struct xchg_intel_descriptor frame) {
  return (uint16_t)(frame.high >> XCHG_E1000_VLAN_SHIFT);
}
/* The driver never says "good"; here it is said of what the NIC has looked at. */
static inline uint64_t xchg_e1000_flags(struct xchg_intel_descriptor frame) {
  const uint32_t status = (uint8_t)(frame.high >> XCHG_E1000_STATUS_SHIFT);
  const uint32_t errors = (uint8_t)(frame.high >> XCHG_E1000_ERROR_SHIFT);
  const bool checked = !(status & XCHG_E1000_STATUS_CHECKSUMS_IGNORED);
  uint64_t flags = 0;
  if (errors & XCHG_E1000_ERROR_IP)
    flags |= RTE_MBUF_F_RX_IP_CKSUM_BAD;
  else if (checked && (status & XCHG_E1000_STATUS_IP_CHECKED))
    flags |= RTE_MBUF_F_RX_IP_CKSUM_GOOD;
  if (errors & XCHG_E1000_ERROR_L4)
    flags |= RTE_MBUF_F_RX_L4_CKSUM_BAD;
  else if (checked && (status & (XCHG_E1000_STATUS_TCP_CHECKED | XCHG_E1000_STATUS_UDP_CHECKED)))
    flags |= RTE_MBUF_F_RX_L4_CKSUM_GOOD;
  if (status & XCHG_E1000_STATUS_VLAN) flags |= RTE_MBUF_F_RX_VLAN | RTE_MBUF_F_RX_VLAN_STRIPPED;
  return flags;
}

#endif
