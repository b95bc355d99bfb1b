/* Transmitting on an e1000 under X-Change, frame by frame into the descriptors; for its buffer each gets one that has been sent.
 * By conversion functions it is in exchange.h. */
#ifndef PACKETMILL_DRIVERS_E1000_TRANSMIT_H
#define PACKETMILL_DRIVERS_E1000_TRANSMIT_H

#include <rte_mbuf_core.h>

#include "drivers/e1000/queues.h"
#include "drivers/intel/checksums.h"

/* Looks at what has been sent. */
static inline void xchg_e1000_transmit_complete(struct xchg_e1000_transmit_queue* queue) {
  xchg_intel_transmit_complete(&queue->ring);
}

/* How many frames there is room for, whatever they ask the NIC to do: each may need a context. */
static inline uint16_t xchg_e1000_transmit_room(const struct xchg_e1000_transmit_queue* queue) {
  return xchg_intel_transmit_room(&queue->ring) / 2;
}

/* A burst works on a copy of its queue. */
static inline struct xchg_e1000_transmit_queue xchg_e1000_transmit_begin(
    const struct xchg_e1000_transmit_queue* queue) {
  return *queue;
}

/* The options of a frame's descriptor, before which the NIC has got a context where the last one was another (section 3.3.6). */
static inline uint32_t xchg_e1000_transmit_ask(struct xchg_e1000_transmit_queue* burst, const void* frame,
                                               uint64_t flags) {
  const struct xchg_intel_headers headers = xchg_intel_prepare_checksums((uint8_t*)(uintptr_t)frame, flags);
  const uint64_t ip = headers.l2_length;
  const uint64_t l4 = ip + headers.l3_length;
  uint32_t options = 0;
  struct xchg_intel_descriptor context = {
      ip << XCHG_E1000_IP_START_SHIFT | (ip + 10) << XCHG_E1000_IP_PLACE_SHIFT | l4 << XCHG_E1000_L4_START_SHIFT,
      XCHG_INTEL_EXTENDED};
  if (flags & RTE_MBUF_F_TX_IP_CKSUM) {
    options |= XCHG_E1000_OPTION_IP_CHECKSUM;
    context.low |= (l4 - 1) << XCHG_E1000_IP_END_SHIFT;
    context.high |= XCHG_E1000_PROTOCOL_IPV4;
  }
  if ((flags & RTE_MBUF_F_TX_L4_MASK) == RTE_MBUF_F_TX_UDP_CKSUM) {
    options |= XCHG_E1000_OPTION_L4_CHECKSUM;
    context.low |= (l4 + 6) << XCHG_E1000_L4_PLACE_SHIFT;
  } else if ((flags & RTE_MBUF_F_TX_L4_MASK) == RTE_MBUF_F_TX_TCP_CKSUM) {
    options |= XCHG_E1000_OPTION_L4_CHECKSUM;
    context.low |= (l4 + 16) << XCHG_E1000_L4_PLACE_SHIFT;
    context.high |= XCHG_E1000_PROTOCOL_TCP;
  }
  if (context.low != burst->context.low || context.high != burst->context.high) {
    burst->context = context;
    xchg_intel_transmit_context(&burst->ring, context);
  }
  return options;
}

/* One frame, which lies somewhere in `buffer`; there must be room. Returns the buffer that its own is exchanged for. */
static inline void* xchg_e1000_transmit_put(struct xchg_e1000_transmit_queue* burst, void* buffer, const void* frame,
                                            uint32_t length, uint64_t flags, uint16_t vlan_tci) {
  uint32_t command =
      XCHG_E1000_DATA | XCHG_INTEL_EXTENDED | XCHG_INTEL_INSERT_CHECK_SEQUENCE | XCHG_INTEL_LAST_SEGMENT | length;
  uint32_t options = 0;
  if (flags & (RTE_MBUF_F_TX_IP_CKSUM | RTE_MBUF_F_TX_L4_MASK)) options = xchg_e1000_transmit_ask(burst, frame, flags);
  if (flags & RTE_MBUF_F_TX_VLAN) {
    command |= XCHG_INTEL_INSERT_VLAN;
    options |= (uint32_t)vlan_tci << XCHG_E1000_TAG_SHIFT;
  }
  return xchg_intel_transmit_put(&burst->ring, buffer, frame, command, options);
}

/* Tells the NIC of all that was put. */
static inline void xchg_e1000_transmit_end(struct xchg_e1000_transmit_queue* queue,
                                           const struct xchg_e1000_transmit_queue* burst) {
  queue->context = burst->context;
  xchg_intel_transmit_end(&queue->ring, &burst->ring);
}

#endif
