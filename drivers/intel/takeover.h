/* Between the rings of Intel's drivers and ours: what is the same for each of them. */
#ifndef PACKETMILL_DRIVERS_INTEL_TAKEOVER_H
#define PACKETMILL_DRIVERS_INTEL_TAKEOVER_H

#include <ethdev_driver.h> /* which the drivers' own headers want to find before them */

#include "drivers/intel/ring.h"

/* The greatest rings that these drivers set up. */
enum { XCHG_INTEL_MOST_DESCRIPTORS = 4096 };

/* Says why, for the takeover function to return. */
int xchg_intel_refuse(const char** reason, const char* why);

/* The rest of a ring whose descriptors, tail, count, next, held and chunk the caller has filled in. `mbufs` are the driver's,
 * by descriptor, all from `own`; the last `missing` ones before `next` are not there. The driver's state is only read. 0, or a
 * negative errno and why in `reason`, a constant. */
int xchg_intel_receive_takeover(struct xchg_intel_receive_ring* ring, struct rte_mbuf* const* mbufs, uint16_t missing,
                                const struct rte_mempool* own, struct rte_mempool* pool, const char** reason);
/* Puts an mbuf into each place of the driver's ring. */
void xchg_intel_receive_release(struct xchg_intel_receive_ring* ring, struct rte_mbuf** mbufs, struct rte_mempool* pool,
                                uint16_t port);

/* What a driver remembers of a transmit descriptor. */
struct xchg_intel_entry {
  struct rte_mbuf** mbuf;
  uint16_t* last; /* of the same frame's descriptors. NULL: it is the only one, and a frame that was sent has no mbuf */
};
typedef struct xchg_intel_entry xchg_intel_entry_at(void* driver, uint16_t place);

/* The rest of a ring whose descriptors, tail, count, next, done and threshold the caller has filled in. */
int xchg_intel_transmit_takeover(struct xchg_intel_transmit_ring* ring, xchg_intel_entry_at* entry_at, void* driver,
                                 struct rte_mempool* pool, const char** reason);
/* The driver remembers mbufs of the frames under way; other slots' buffers go to the pool. */
void xchg_intel_transmit_release(struct xchg_intel_transmit_ring* ring, xchg_intel_entry_at* entry_at, void* driver,
                                 struct rte_mempool* pool);

#endif
