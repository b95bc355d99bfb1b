/* Transmitting to a virtio device under X-Change, frame by frame; for its buffer each gets one that has been sent. By
 * conversion functions it is in exchange.h. */
#ifndef PACKETMILL_DRIVERS_VIRTIO_TRANSMIT_H
#define PACKETMILL_DRIVERS_VIRTIO_TRANSMIT_H

#include <string.h>

#include "drivers/virtio/ring.h"

/* What works on it is in line always: it has no address. */
struct xchg_virtio_transmit_burst {
  struct xchg_virtio_transmit_queue queue; /* a copy, which a compiler has in registers */
  uint16_t first;                          /* packed: flags of the first descriptor, which are written last */
  uint16_t packets;
  uint64_t bytes;
};

static inline void xchg_virtio_transmit_free(struct xchg_virtio_transmit_queue* queue, uint16_t id) {
  queue->ring.slots[id].next = queue->free;
  queue->free = id;
  ++queue->room;
}

static inline void xchg_virtio_transmit_complete_split(struct xchg_virtio_transmit_queue* queue) {
  struct xchg_virtio_ring* ring = &queue->ring;
  const uint16_t end = xchg_virtio_used_end(ring);
  if (ring->in_order) { /* the elements of a batch need not be written (2.7.9) */
    queue->room += (uint16_t)(end - ring->next_used);
    ring->next_used = end;
  }
  for (; ring->next_used != end; ++ring->next_used)
    xchg_virtio_transmit_free(queue, (uint16_t)ring->used_ring[ring->next_used & ring->mask].id);
}

static inline void xchg_virtio_transmit_complete_packed(struct xchg_virtio_transmit_queue* queue) {
  struct xchg_virtio_ring* ring = &queue->ring;
  while (xchg_virtio_packed_is_used(ring)) {
    const uint16_t id = ring->packed_ring[ring->next_used].id;
    uint16_t count = 1;
    if (ring->in_order) { /* one descriptor for a whole batch, with the id of its last (2.8.10) */
      count = (uint16_t)(id - ring->next_used + (id < ring->next_used ? ring->size : 0) + 1);
      queue->room += count;
    } else {
      xchg_virtio_transmit_free(queue, id);
    }
    ring->next_used = xchg_virtio_onward(ring, ring->next_used, count, &ring->used_flags);
  }
}

/* Looks at what has been sent; nothing is freed, the slots just become exchangeable. */
static inline void xchg_virtio_transmit_complete(struct xchg_virtio_transmit_queue* queue) {
  if (queue->ring.packed)
    xchg_virtio_transmit_complete_packed(queue);
  else
    xchg_virtio_transmit_complete_split(queue);
}

/* How many frames there is room for. */
static inline uint16_t xchg_virtio_transmit_room(const struct xchg_virtio_transmit_queue* queue) { return queue->room; }

static inline struct xchg_virtio_transmit_burst xchg_virtio_transmit_begin(
    const struct xchg_virtio_transmit_queue* queue) {
  struct xchg_virtio_transmit_burst burst = {*queue, 0, 0, 0};
  return burst;
}

/* Written only where it is not zero already: the device may still have the line in its cache. */
static inline void xchg_virtio_clear(struct xchg_virtio_header* header, uint8_t size) {
  uint64_t head;
  memcpy(&head, header, sizeof head);
  const bool counts = size == sizeof *header;
  if (__builtin_expect((head | header->checksum_offset | (counts ? header->buffers : 0)) == 0, 1)) return;
  memset(header, 0, offsetof(struct xchg_virtio_header, buffers));
  if (counts) header->buffers = 0;
}

/* A header may lie in front of its frame where the buffer begins early enough, on an even address. */
static inline bool xchg_virtio_has_headroom(const struct xchg_virtio_transmit_queue* queue, const void* buffer,
                                            const uint8_t* frame) {
  const uint8_t* header = frame - queue->ring.header_size;
  return queue->any_layout && header >= (const uint8_t*)buffer - RTE_PKTMBUF_HEADROOM && (uintptr_t)header % 2 == 0;
}

/* One frame, which lies somewhere in `buffer`; there must be room. Returns the buffer that its own is exchanged for. */
static __rte_always_inline void* xchg_virtio_transmit_put(struct xchg_virtio_transmit_burst* burst, void* buffer,
                                                          const void* frame, uint32_t length, uint64_t flags) {
  struct xchg_virtio_transmit_queue* queue = &burst->queue;
  struct xchg_virtio_ring* ring = &queue->ring;
  uint16_t id = queue->free;
  if (ring->in_order)
    id = ring->packed ? ring->next_available : ring->next_available & ring->mask;
  else
    queue->free = ring->slots[id].next;
  const uint16_t place = ring->packed ? ring->next_available : (id + queue->shift) & ring->mask;

  uint8_t* bytes = (uint8_t*)(uintptr_t)frame;
  struct xchg_virtio_header* header = (struct xchg_virtio_header*)(bytes - ring->header_size);
  uint64_t address = xchg_virtio_address(ring, buffer, header);
  uint32_t described = length + ring->header_size;
  uint16_t kind = 0;
  if (__builtin_expect(!xchg_virtio_has_headroom(queue, buffer, bytes), 0)) {
    struct xchg_virtio_region* region = &queue->regions[place];
    const uint64_t there = queue->region_address + place * sizeof *region;
    xchg_virtio_describe(region, there, address + ring->header_size, length, ring->header_size, ring->packed);
    header = &region->header;
    address = there + offsetof(struct xchg_virtio_region, split);
    described = 2 * sizeof region->split[0];
    kind = XCHG_VIRTIO_INDIRECT;
  }
  xchg_virtio_clear(header, ring->header_size);
  if (queue->has_checksums && __builtin_expect((flags & RTE_MBUF_F_TX_L4_MASK) != 0, 0))
    xchg_virtio_transmit_checksum(header, bytes, length, flags);

  if (ring->packed) {
    struct xchg_virtio_packed* descriptor = &ring->packed_ring[place];
    descriptor->address = address;
    descriptor->length = described;
    descriptor->id = id;
    if (burst->packets == 0) {
      burst->first = ring->available_flags | kind;
    } else {
      rte_io_wmb();
      descriptor->flags = ring->available_flags | kind;
    }
    ring->next_available = xchg_virtio_onward(ring, place, 1, &ring->available_flags);
  } else {
    ring->table[place].address = address;
    ring->table[place].length = described;
    ring->table[place].flags = kind;
    xchg_virtio_offer(ring, place);
  }
  void* empty = ring->slots[id].buffer;
  ring->slots[id].buffer = buffer;
  --queue->room;
  ++burst->packets;
  burst->bytes += length;
  return empty;
}

/* Makes all that was put available to the device. */
static __rte_always_inline void xchg_virtio_transmit_end(struct xchg_virtio_transmit_queue* queue,
                                                         const struct xchg_virtio_transmit_burst* burst) {
  const struct xchg_virtio_ring* ring = &burst->queue.ring;
  if (burst->packets == 0) return;
  rte_io_wmb();
  if (ring->packed)
    ring->packed_ring[queue->ring.next_available].flags = burst->first;
  else
    ring->available->index = ring->next_available;
  queue->ring.next_available = ring->next_available;
  queue->ring.available_flags = ring->available_flags;
  queue->free = burst->queue.free;
  queue->room = burst->queue.room;
  ring->statistics->packets += burst->packets;
  ring->statistics->bytes += burst->bytes;
  xchg_virtio_kick(ring);
}

#endif
