/* Transmitting on an 82599 under X-Change, frame by frame into the descriptors; for its buffer each gets one that has been
 * sent. By conversion functions it is in exchange.h. */
#ifndef PACKETMILL_DRIVERS_IXGBE_TRANSMIT_H
#define PACKETMILL_DRIVERS_IXGBE_TRANSMIT_H

#include <rte_mbuf_core.h>

#include "drivers/intel/checksums.h"
#include "drivers/ixgbe/queues.h"

/* What of an application's flags is asked of the NIC. */
#define XCHG_IXGBE_OFFLOADS (RTE_MBUF_F_TX_VLAN | RTE_MBUF_F_TX_IP_CKSUM | RTE_MBUF_F_TX_L4_MASK)

/* Looks at what has been sent. */
static inline void xchg_ixgbe_transmit_complete(struct xchg_ixgbe_transmit_queue* queue) {
  xchg_intel_transmit_complete(&queue->ring);
}

/* How many frames there is room for, whatever they ask the NIC to do: each may need a context. */
static inline uint16_t xchg_ixgbe_transmit_room(const struct xchg_ixgbe_transmit_queue* queue) {
  return (uint16_t)(xchg_intel_transmit_room(&queue->ring) >> queue->has_offloads);
}

/* A burst works on a copy of its queue. */
static inline struct xchg_ixgbe_transmit_queue xchg_ixgbe_transmit_begin(
    const struct xchg_ixgbe_transmit_queue* queue) {
  return *queue;
}

/* The options of a frame's descriptor, before which the NIC has got a context where the last one was another (section
 * 7.2.3.2.3). Of its two contexts we use the first. */
static inline uint32_t xchg_ixgbe_transmit_ask(struct xchg_ixgbe_transmit_queue* burst, const void* frame,
                                               uint64_t flags, uint16_t vlan_tci) {
  uint32_t options = 0;
  struct xchg_intel_descriptor context = {0, XCHG_IXGBE_CONTEXT | XCHG_INTEL_EXTENDED};
  if (flags & (RTE_MBUF_F_TX_IP_CKSUM | RTE_MBUF_F_TX_L4_MASK)) {
    const struct xchg_intel_headers headers = xchg_intel_prepare_checksums((uint8_t*)(uintptr_t)frame, flags);
    context.low = (uint32_t)headers.l2_length << XCHG_IXGBE_MAC_LENGTH_SHIFT | headers.l3_length;
  }
  if (flags & RTE_MBUF_F_TX_IP_CKSUM) {
    options |= XCHG_IXGBE_OPTION_IP_CHECKSUM;
    context.high |= XCHG_IXGBE_PROTOCOL_IPV4;
  }
  if (flags & RTE_MBUF_F_TX_L4_MASK) options |= XCHG_IXGBE_OPTION_L4_CHECKSUM;
  switch (flags & RTE_MBUF_F_TX_L4_MASK) {
    case RTE_MBUF_F_TX_UDP_CKSUM:
      break;
    case RTE_MBUF_F_TX_TCP_CKSUM:
      context.high |= XCHG_IXGBE_PROTOCOL_TCP;
      break;
    case RTE_MBUF_F_TX_SCTP_CKSUM:
      context.high |= XCHG_IXGBE_PROTOCOL_SCTP;
      break;
    default:
      context.high |= XCHG_IXGBE_PROTOCOL_NONE;
  }
  if (flags & RTE_MBUF_F_TX_VLAN) context.low |= (uint32_t)vlan_tci << XCHG_IXGBE_VLAN_SHIFT;
  if (context.low != burst->context.low || context.high != burst->context.high) {
    burst->context = context;
    xchg_intel_transmit_context(&burst->ring, context);
  }
  return options;
}

/* One frame, which lies somewhere in `buffer`; there must be room. Returns the buffer that its own is exchanged for. */
static inline void* xchg_ixgbe_transmit_put(struct xchg_ixgbe_transmit_queue* burst, void* buffer, const void* frame,
                                            uint32_t length, uint64_t flags, uint16_t vlan_tci) {
  uint32_t command =
      XCHG_IXGBE_DATA | XCHG_INTEL_EXTENDED | XCHG_INTEL_INSERT_CHECK_SEQUENCE | XCHG_INTEL_LAST_SEGMENT | length;
  uint32_t options = length << XCHG_IXGBE_PAYLOAD_SHIFT;
  if (burst->has_offloads && (flags & XCHG_IXGBE_OFFLOADS)) {
    options |= xchg_ixgbe_transmit_ask(burst, frame, flags, vlan_tci);
    if (flags & RTE_MBUF_F_TX_VLAN) command |= XCHG_INTEL_INSERT_VLAN;
  }
  return xchg_intel_transmit_put(&burst->ring, buffer, frame, command, options);
}

/* Tells the NIC of all that was put. */
static inline void xchg_ixgbe_transmit_end(struct xchg_ixgbe_transmit_queue* queue,
                                           const struct xchg_ixgbe_transmit_queue* burst) {
  queue->context = burst->context;
  xchg_intel_transmit_end(&queue->ring, &burst->ring);
}

#endif
