/* X-Change by the C interface (drivers/port.h), for drivers whose descriptors Arrivals does not read itself: a burst goes
 * through an array of these first, which costs a few stores and loads a packet, and no second copy of a fused walk. */
#ifndef PACKETMILL_PORTS_DPDK_CONVERSION_H
#define PACKETMILL_PORTS_DPDK_CONVERSION_H

#include <stdint.h>

#include "drivers/takeover.h"

#ifdef __cplusplus
extern "C" {
#endif

struct converted_frame {
  void* buffer;
  const void* frame; /* on transmit: its first byte */
  uint64_t flags;    /* RTE_MBUF_F_RX_* */
  uint32_t length;
  uint32_t hash;
};

enum { kMostConverted = 256 };

/* At most `n` frames, kMostConverted at most. Each of frames[0..n) owns an empty buffer, and of those that are received,
 * by the return value, the frame's afterwards. */
unsigned receive_converted(struct xchg_receive_queue* queue, struct converted_frame* frames, unsigned n);

/* Sends as many of `n` frames as there is room for, and returns how many; each of those owns an empty buffer afterwards. */
unsigned transmit_converted(struct xchg_transmit_queue* queue, struct converted_frame* frames, unsigned n);

#ifdef __cplusplus
}
#endif

#endif
