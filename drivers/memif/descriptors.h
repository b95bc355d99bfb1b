/* What the two ends of a memif share in memory (DPDK's "Memif Poll Mode Driver" guide, "Shared memory"), in the
 * processor's byte order. Rings have a direction: C2S, in which the client sends, and S2C. The client's index of either is
 * `head`, the server's is `tail`; the client's regions hold all buffers. Our own definitions; takeover.c holds them against
 * the driver's. */
#ifndef PACKETMILL_DRIVERS_MEMIF_DESCRIPTORS_H
#define PACKETMILL_DRIVERS_MEMIF_DESCRIPTORS_H

#include <stdint.h>

enum {
  XCHG_MEMIF_COOKIE = 0x3e31f20,
  XCHG_MEMIF_MASK_INTERRUPT = 1, /* of a ring's flags: its receiver polls */
  XCHG_MEMIF_NEXT = 1            /* of a descriptor's: the frame goes on in the next one */
};

/* One buffer. */
struct xchg_memif_descriptor {
  uint16_t flags;
  uint16_t region;
  uint32_t length; /* of the frame in it, or how much it holds */
  uint32_t offset; /* in the region */
  uint32_t metadata;
};

/* What precedes the descriptors, as many as a power of two. Indices count on beyond it. */
struct xchg_memif_ring {
  uint32_t cookie;
  uint16_t flags;
  uint16_t head; /* S2C: empty buffers up to here; C2S: frames */
  uint8_t reserved0[56];
  uint16_t tail; /* S2C: frames up to here; C2S: done with */
  uint8_t reserved1[62];
};

#endif
