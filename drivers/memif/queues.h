/* A memif's queue as the data paths see it: what the driver's own structs say, gathered at takeover, and given back at
 * release. */
#ifndef PACKETMILL_DRIVERS_MEMIF_QUEUES_H
#define PACKETMILL_DRIVERS_MEMIF_QUEUES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "drivers/memif/descriptors.h"

#ifdef __cplusplus
extern "C" {
#endif

struct rte_mempool;

/* The driver's own counters, so that rte_eth_stats_get counts on. */
struct xchg_memif_counters {
  uint64_t packets;
  uint64_t bytes;
};

struct xchg_memif_region {
  uint8_t* address;
  uint64_t size;
};

/* Either direction. A queue whose peer is away has no ring: `theirs` is its own `next` then, so that it is empty, and
 * full. */
struct xchg_memif_queue {
  struct xchg_memif_descriptor* descriptors;
  struct xchg_memif_region* regions;
  void** slots;           /* zero-copy: the buffers behind the descriptors */
  const uint16_t* theirs; /* the peer's index of the ring */
  uint16_t* ours;
  uint16_t next;  /* the descriptor of the next frame; counts on */
  uint16_t limit; /* how far `next` may go, by the peer's index when it was last looked at */
  uint16_t mask;
  uint16_t
      lead; /* how far a client's index is ahead of the server's where nothing is under way: the ring's size; or 0 */
  uint32_t room;        /* bytes in a packet's buffer */
  uint32_t shared_room; /* in one of the client's, where frames are copied */
  uint16_t region_count;
  uint16_t port;
  bool client;
  bool zero_copy; /* a client whose descriptors point to packets' buffers: these are exchanged. Others copy. */
  bool chained;   /* a frame of several descriptors is being skipped */
  struct xchg_memif_counters* statistics;
  uint64_t errors; /* frames of several descriptors, or that there is no room for; the driver has no such counter */
  const volatile uint32_t* status; /* the driver's: XCHG_MEMIF_CONNECTED */
  volatile uint16_t*
      mark; /* a field of the driver's that is 0 in a new connection, and not in one that is taken over */
  struct xchg_memif_ring* ring;
  int doorbell; /* an eventfd, or -1 */
  uint16_t number;
  bool receives;
  struct rte_mempool* pool;
  void* driver; /* struct memif_queue */
};

enum { XCHG_MEMIF_CONNECTED = 1 << 1 };

/* Takes over a queue that memif has set up: from now on only the data paths here may use it. 0, or a negative errno and why
 * in `reason`, a constant. The peer may come, go and come again. */
int xchg_memif_takeover(void* memif_queue, struct rte_mempool* pool, uint16_t number, bool receives,
                        struct xchg_memif_queue* queue, const char** reason);

/* Gives it back: where buffers are exchanged there are mbufs in the ring again, those in the other slots go to the pool. */
void xchg_memif_release(struct xchg_memif_queue* queue);

/* What is rare, out of line. The peer is not the one that it was, or is away: takes the new connection's ring over, if there is
 * one. */
void xchg_memif_reconnect(struct xchg_memif_queue* queue);
/* The descriptor at `next` has no frame that can be received: it is counted and given back. */
void xchg_memif_receive_skip(struct xchg_memif_queue* queue, uint16_t next);
/* The receiver sleeps. */
void xchg_memif_interrupt(const struct xchg_memif_queue* queue);

#ifdef __cplusplus
}
#endif

#endif
