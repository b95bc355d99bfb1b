/* What the descriptor rings of Intel's NICs have in common, from the 8254x (e1000) to the 82599 (ixgbe) and its successors:
 * 16-byte descriptors, of which the NIC owns those from its head to the tail that software tells it; it writes back into a
 * receive descriptor what it has received, and into a transmit descriptor that it is done where it was asked to report
 * ("Intel 82599 10 GbE Controller Datasheet", sections 7.1.6 to 7.1.9 and 7.2.3; "PCI/PCI-X Family of Gigabit Ethernet
 * Controllers Software Developer's Manual", sections 3.2.3 to 3.2.6 and 3.3). Little-endian. */
#ifndef PACKETMILL_DRIVERS_INTEL_RING_H
#define PACKETMILL_DRIVERS_INTEL_RING_H

#include <rte_atomic.h>
#include <rte_byteorder.h>
#include <rte_common.h>
#include <rte_prefetch.h>
#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct rte_mbuf;
struct rte_mempool;

struct xchg_intel_descriptor {
  uint64_t low; /* the frame's address, until a write-back */
  uint64_t high;
};

/* Bits of a write-back's status, wherever that begins. */
enum { XCHG_INTEL_DONE = 1u << 0, XCHG_INTEL_END_OF_PACKET = 1u << 1 };

/* Of a transmit data descriptor's command, in the lower half of `high`. */
#define XCHG_INTEL_LAST_SEGMENT (UINT32_C(1) << 24)
#define XCHG_INTEL_INSERT_CHECK_SEQUENCE (UINT32_C(1) << 25)
#define XCHG_INTEL_REPORT_STATUS (UINT32_C(1) << 27)
#define XCHG_INTEL_EXTENDED (UINT32_C(1) << 29)
#define XCHG_INTEL_INSERT_VLAN (UINT32_C(1) << 30)

/* Where its status is written back to. */
#define XCHG_INTEL_SENT (UINT64_C(1) << 32)

struct xchg_intel_receive_ring {
  struct xchg_intel_descriptor* descriptors;
  void** slots;  /* the buffer of each descriptor: write-backs overwrite its address */
  uint64_t iova; /* what is added to an address for the NIC to read it */
  volatile uint32_t* tail;
  uint16_t count;
  uint16_t next;      /* where the next frame will be */
  uint16_t held;      /* as many before that have an empty buffer that the NIC has not been told of */
  uint16_t chunk;     /* it is told of so many at a time, as the driver does */
  bool partial;       /* the frame before `next` is not over */
  uint64_t scattered; /* frames of several descriptors, which are dropped */
};

struct xchg_intel_transmit_ring {
  struct xchg_intel_descriptor* descriptors;
  void** slots;        /* buffers: of frames under way from behind `done` to `next`, empty ones elsewhere */
  uint16_t* following; /* by descriptor that reports: which is the next that does */
  uint64_t iova;
  volatile uint32_t* tail;
  uint16_t count;
  uint16_t next;
  uint16_t done;      /* the last descriptor that is known to be done: `next` gets as far as there, and no further */
  uint16_t asked;     /* the last that was asked to report */
  uint16_t used;      /* descriptors since that */
  uint16_t threshold; /* after so many one is asked */
};

static inline uint16_t xchg_intel_advance(uint16_t place, uint16_t steps, uint16_t count) {
  const uint32_t to = (uint32_t)place + steps;
  return (uint16_t)(to < count ? to : to - count);
}
/* How many steps it is from one place to another. */
static inline uint16_t xchg_intel_distance(uint16_t from, uint16_t to, uint16_t count) {
  return (uint16_t)(to >= from ? to - from : to + count - from);
}

/* --- receive ---------------------------------------------------------------------------------------------------------- */

/* The frame's buffer, which stays in the ring until it is exchanged. */
static inline void* xchg_intel_receive_buffer(const struct xchg_intel_receive_ring* ring) {
  return ring->slots[ring->next];
}

/* On to the next descriptor; where this one was, the NIC may put another frame into `empty`. */
static inline void xchg_intel_receive_exchange(struct xchg_intel_receive_ring* ring, void* empty) {
  struct xchg_intel_descriptor* descriptor = &ring->descriptors[ring->next];
  descriptor->low = rte_cpu_to_le_64((uintptr_t)empty + ring->iova);
  descriptor->high = 0;
  ring->slots[ring->next] = empty;
  ring->next = xchg_intel_advance(ring->next, 1, ring->count);
  ++ring->held;
}

/* What the NIC has written of the next frame, whose status begins at this bit of `high`; false where there is none.
 * Frames of several descriptors are left in the ring on the way: no port that is taken over should have any. */
static inline bool xchg_intel_receive_next(struct xchg_intel_receive_ring* ring, unsigned status_shift,
                                           struct xchg_intel_descriptor* frame) {
  for (;;) {
    const struct xchg_intel_descriptor* descriptor = &ring->descriptors[ring->next];
    frame->high = rte_le_to_cpu_64(*(const volatile uint64_t*)&descriptor->high);
    const uint32_t status = (uint32_t)(frame->high >> status_shift);
    if (!(status & XCHG_INTEL_DONE)) return false;
    rte_atomic_thread_fence(__ATOMIC_ACQUIRE); /* the rest of the descriptor was written before its status */
    frame->low = rte_le_to_cpu_64(descriptor->low);
    const bool last = (status & XCHG_INTEL_END_OF_PACKET) != 0;
    if (__builtin_expect(last && !ring->partial, 1)) {
      rte_prefetch0(&ring->descriptors[xchg_intel_advance(ring->next, 4, ring->count)]);
      return true;
    }
    ring->partial = !last;
    ring->scattered += last;
    xchg_intel_receive_exchange(ring, xchg_intel_receive_buffer(ring));
  }
}

/* The end of a burst, which worked on a copy of the ring. The NIC is told of whole chunks only: that is how the driver's
 * functions count, and they may go on from here. */
static inline void xchg_intel_receive_end(struct xchg_intel_receive_ring* ring, struct xchg_intel_receive_ring* burst) {
  const bool tell = burst->held >= burst->chunk;
  while (burst->held >= burst->chunk) burst->held -= burst->chunk;
  ring->next = burst->next;
  ring->held = burst->held;
  ring->partial = burst->partial;
  ring->scattered = burst->scattered;
  if (!tell) return;
  rte_io_wmb();
  *burst->tail =
      rte_cpu_to_le_32(xchg_intel_advance(burst->next, (uint16_t)(burst->count - 1 - burst->held), burst->count));
}

/* --- transmit --------------------------------------------------------------------------------------------------------- */

/* Looks at what has been sent; nothing is freed, the slots just become exchangeable. */
static inline void xchg_intel_transmit_complete(struct xchg_intel_transmit_ring* ring) {
  while (ring->done != ring->asked) {
    const uint16_t place = ring->following[ring->done];
    const uint64_t high = rte_le_to_cpu_64(*(const volatile uint64_t*)&ring->descriptors[place].high);
    if (!(high & XCHG_INTEL_SENT)) return;
    ring->done = place;
  }
}

/* Descriptors that may be written. */
static inline uint16_t xchg_intel_transmit_room(const struct xchg_intel_transmit_ring* ring) {
  return xchg_intel_distance(ring->next, ring->done, ring->count);
}

/* A descriptor without a frame; its slot keeps its buffer. */
static inline void xchg_intel_transmit_context(struct xchg_intel_transmit_ring* ring,
                                               struct xchg_intel_descriptor context) {
  ring->descriptors[ring->next].low = rte_cpu_to_le_64(context.low);
  ring->descriptors[ring->next].high = rte_cpu_to_le_64(context.high);
  ring->next = xchg_intel_advance(ring->next, 1, ring->count);
  ++ring->used;
}

/* One frame, which lies somewhere in `buffer`; there must be room. Returns the buffer that its own is exchanged for. */
static inline void* xchg_intel_transmit_put(struct xchg_intel_transmit_ring* ring, void* buffer, const void* frame,
                                            uint32_t command, uint32_t options) {
  struct xchg_intel_descriptor* descriptor = &ring->descriptors[ring->next];
  if (++ring->used >= ring->threshold) {
    command |= XCHG_INTEL_REPORT_STATUS;
    ring->following[ring->asked] = ring->next;
    ring->asked = ring->next;
    ring->used = 0;
  }
  descriptor->low = rte_cpu_to_le_64((uintptr_t)frame + ring->iova);
  descriptor->high = rte_cpu_to_le_64((uint64_t)options << 32 | command);
  void** slot = &ring->slots[ring->next];
  void* empty = *slot;
  *slot = buffer;
  ring->next = xchg_intel_advance(ring->next, 1, ring->count);
  return empty;
}

/* Tells the NIC of all that was put. */
static inline void xchg_intel_transmit_end(struct xchg_intel_transmit_ring* ring,
                                           const struct xchg_intel_transmit_ring* burst) {
  if (burst->next == ring->next) return;
  ring->next = burst->next;
  ring->asked = burst->asked;
  ring->used = burst->used;
  rte_io_wmb();
  *burst->tail = rte_cpu_to_le_32(burst->next);
}

#ifdef __cplusplus
}
#endif

#endif
