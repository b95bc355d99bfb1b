/* An emulated peer: the other end of a memif, working on the rings and buffers as another process would, and knowing nothing
 * of drivers. Tests stand in for the wire. */
#ifndef PACKETMILL_DRIVERS_MEMIF_DEVICE_H
#define PACKETMILL_DRIVERS_MEMIF_DEVICE_H

#include <stdbool.h>
#include <stdint.h>

#include "drivers/memif/queues.h"

#ifdef __cplusplus
extern "C" {
#endif

/* One ring, seen from there. */
struct memif_device_queue {
  struct xchg_memif_ring* ring;
  struct xchg_memif_descriptor* descriptors;
  const struct xchg_memif_region* regions;
  uint16_t mask;
  uint16_t next; /* the descriptor of the next frame */
  uint32_t room; /* bytes in one of its buffers, where it is the client */
  bool client;
};

/* The other end of what `queue`, which is connected, receives from or transmits to, with buffers of `room` bytes. A client that
 * receives gives all of them. */
struct memif_device_queue memif_device_opposite(const struct xchg_memif_queue* queue, uint32_t room);

/* One descriptor with these bytes. With XCHG_MEMIF_NEXT in `flags` the frame goes on in the next. False where the ring is
 * full. */
bool memif_device_send(struct memif_device_queue* queue, const void* bytes, uint32_t length, uint16_t flags);

/* What becomes of a frame that the driver had sent. */
typedef void memif_device_wire(void* context, const uint8_t* bytes, const struct xchg_memif_descriptor* descriptor);

/* Takes at most `most` frames, and gives their buffers back. Returns how many. */
unsigned memif_device_receive(struct memif_device_queue* queue, unsigned most, memif_device_wire* wire, void* context);

#ifdef __cplusplus
}
#endif

#endif
