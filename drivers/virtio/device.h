/* An emulated virtio network device: it reads and writes exactly the memory that a real one would, rings, events and frames,
 * and knows nothing of drivers. Tests stand in for the wire. */
#ifndef PACKETMILL_DRIVERS_VIRTIO_DEVICE_H
#define PACKETMILL_DRIVERS_VIRTIO_DEVICE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "drivers/virtio/descriptors.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Addresses of buffers that the driver translates for the device have this bit set. */
#define VIRTIO_DEVICE_BUS (1ull << 62)

struct virtio_device_queue {
  /* Memory that the driver has given it. */
  union {
    const struct xchg_virtio_descriptor* table;
    struct xchg_virtio_packed* packed_ring;
  };
  const volatile struct xchg_virtio_head* available;
  const uint16_t* available_ring;
  volatile struct xchg_virtio_head* used;
  struct xchg_virtio_used* used_ring;
  volatile struct xchg_virtio_event* event;
  uint16_t size;
  uint8_t header_size;
  bool packed;
  bool in_order;
  /* Its own. */
  uint16_t next_available; /* split: counts on; packed: a place */
  uint16_t next_used;
  bool available_round; /* packed: wrap counters, which begin with true */
  bool used_round;
  uint64_t frames;
  uint64_t no_buffer; /* frames lost because the driver had given none, or too few */
  uint64_t wrong;     /* descriptors that it could not make sense of */
  uint64_t kicks;
};

/* A frame, and what its header says of it. */
struct virtio_device_frame {
  const uint8_t* bytes;
  uint32_t length;
  uint8_t flags; /* XCHG_VIRTIO_NEEDS_CHECKSUM, ... */
  uint16_t checksum_start;
  uint16_t checksum_offset;
};

/* Receives a frame: header and bytes go where the driver said, and the descriptor is used; as many buffers as it takes. False
 * where there are not so many. */
bool virtio_device_receive(struct virtio_device_queue* queue, const struct virtio_device_frame* frame);

/* Receives two frames, and uses the second one's buffer first: what a device may do that does not work in order. */
bool virtio_device_receive_crossed(struct virtio_device_queue* queue, const struct virtio_device_frame frames[2]);

/* Uses a buffer for less than a header. */
bool virtio_device_receive_runt(struct virtio_device_queue* queue);

/* What becomes of a frame that the driver had sent. */
struct virtio_device_sent {
  struct xchg_virtio_header header;
  bool apart; /* the header had a descriptor of its own */
  const uint8_t* bytes;
  uint32_t length;
};
typedef void virtio_device_wire(void* context, const struct virtio_device_sent* frame);

/* Sends at most `most` frames. Their descriptors are used at once: with one entry for all of them where it works in order,
 * else the last one's first. Returns the frames sent. */
unsigned virtio_device_transmit(struct virtio_device_queue* queue, unsigned most, virtio_device_wire* wire,
                                void* context);

/* Whether it wants to be kicked. */
void virtio_device_want_kicks(struct virtio_device_queue* queue, bool wants);

#ifdef __cplusplus
}
#endif

#endif
