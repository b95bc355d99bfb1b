/* The queues of a virtio device as the data paths see them: what the driver's own structs say, gathered at takeover, and given
 * back at release. */
#ifndef PACKETMILL_DRIVERS_VIRTIO_QUEUES_H
#define PACKETMILL_DRIVERS_VIRTIO_QUEUES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "drivers/virtio/descriptors.h"

#ifdef __cplusplus
extern "C" {
#endif

struct rte_mempool;

/* The driver's own counters, so that rte_eth_stats_get counts on. */
struct xchg_virtio_counters {
  uint64_t packets;
  uint64_t bytes;
  uint64_t errors;
};

/* What the driver keeps for each descriptor's id, where it has an mbuf. */
struct xchg_virtio_slot {
  void* buffer;
  uint16_t descriptors;
  uint16_t next; /* of the ids that are free */
};

/* Where a transmit queue's headers are that do not lie in front of their frames, and the indirect descriptors with them. */
struct xchg_virtio_region {
  struct xchg_virtio_header header;
  uint32_t reserved;
  union {
    struct xchg_virtio_descriptor split[8];
    struct xchg_virtio_packed packed[8];
  };
};

/* A ring of either kind. Split: counts go on, and `mask` makes places of them. Packed: they are places. */
struct xchg_virtio_ring {
  union {
    struct xchg_virtio_descriptor* table;
    struct xchg_virtio_packed* packed_ring;
  };
  struct xchg_virtio_slot* slots;
  volatile struct xchg_virtio_head* available;
  uint16_t* available_ring;
  const volatile struct xchg_virtio_head* used;
  const struct xchg_virtio_used* used_ring;
  const volatile struct xchg_virtio_event* device_event;
  uint16_t size;
  uint16_t mask;
  uint16_t next_available;  /* where what is made available goes */
  uint16_t next_used;       /* the next to be looked at */
  uint16_t available_flags; /* packed: of a descriptor that is made available in this round */
  uint16_t used_flags;      /* and of one that is used */
  uint8_t header_size;
  bool packed;
  bool in_order;      /* the device uses descriptors in the order in which they were made available */
  bool weak_barriers; /* the device is a processor like this one */
  bool translated;    /* the device's addresses are not ours: each mbuf says its own */
  uint16_t mbuf_distance;
  struct xchg_virtio_counters* statistics;
  void* driver; /* struct virtqueue */
};

struct xchg_virtio_receive_queue {
  struct xchg_virtio_ring ring;
  uint32_t buffer_size; /* with the header */
  uint16_t discarded;   /* buffers still to come of a frame that lies in several */
  uint16_t lots;        /* mask: in how many at a time the driver's function makes buffers available */
  uint16_t port;
  bool merged; /* a frame may lie in several buffers */
  bool has_checksums;
};

struct xchg_virtio_transmit_queue {
  struct xchg_virtio_ring ring;
  uint16_t free;   /* an id, and the others behind it by `next`; nothing where the device works in order */
  uint16_t room;   /* frames */
  uint16_t count;  /* of frames that may be under way */
  uint16_t shift;  /* split, in order: from ids to places in the table */
  bool any_layout; /* header and frame may be one descriptor's */
  bool has_checksums;
  struct xchg_virtio_region* regions;
  uint64_t region_address;
  struct rte_mempool* pool;
};

/* Takes over a queue that the driver has set up: from now on only the data paths here may use it. 0, or a negative errno and
 * why in `reason`, a constant. */
int xchg_virtio_receive_takeover(void* rxq, struct rte_mempool* pool, struct xchg_virtio_receive_queue* queue,
                                 const char** reason);
int xchg_virtio_transmit_takeover(void* txq, struct rte_mempool* pool, struct xchg_virtio_transmit_queue* queue,
                                  const char** reason);

/* Gives it back: there are mbufs in the rings again, those in the other slots go to the pool. */
void xchg_virtio_receive_release(struct xchg_virtio_receive_queue* queue);
void xchg_virtio_transmit_release(struct xchg_virtio_transmit_queue* queue);

/* What is rare, out of line; nothing of it is given a burst's copy of a queue, which is in registers as long as nobody has its
 * address. Tells the device that there is something in this ring: a register, or a file descriptor. */
void xchg_virtio_notify(void* driver);
/* The indirect descriptors of a frame whose header is in `region`. */
void xchg_virtio_describe(struct xchg_virtio_region* region, uint64_t region_address, uint64_t frame, uint32_t length,
                          uint8_t header_size, bool packed);
/* What a frame's checksum is that the device has not completed, RTE_MBUF_F_RX_*; it is completed where nobody else would. */
uint64_t xchg_virtio_receive_checksum(const struct xchg_virtio_header* header, uint8_t* frame, uint32_t length);
/* Has the device complete the checksum that `flags` (RTE_MBUF_F_TX_*) ask for; the frame gets that of the pseudo-header. */
void xchg_virtio_transmit_checksum(struct xchg_virtio_header* header, uint8_t* frame, uint32_t length, uint64_t flags);

#ifdef __cplusplus
}
#endif

#endif
