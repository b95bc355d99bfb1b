/* What a virtio network device reads and writes in memory (OASIS, "Virtual I/O Device", version 1.2, the sections named
 * below). Little-endian, and so are the processors on which DPDK drives it. Our own definitions, so that data paths need none
 * of the driver's headers; takeover.c holds them against the driver's. */
#ifndef PACKETMILL_DRIVERS_VIRTIO_DESCRIPTORS_H
#define PACKETMILL_DRIVERS_VIRTIO_DESCRIPTORS_H

#include <stdint.h>

/* A split ring's descriptor (2.7.5). */
struct xchg_virtio_descriptor {
  uint64_t address;
  uint32_t length;
  uint16_t flags; /* XCHG_VIRTIO_NEXT, ... */
  uint16_t next;
};

/* The head of its available ring (2.7.6), which places of 16 bits follow, and of its used ring (2.7.8), which elements
 * follow. */
struct xchg_virtio_head {
  uint16_t flags; /* of the used ring: XCHG_VIRTIO_NO_NOTIFY */
  uint16_t index; /* where the next entry will be; counts on */
};
struct xchg_virtio_used {
  uint32_t id;
  uint32_t length;
};

/* A packed ring's descriptor, available and used (2.8.13). */
struct xchg_virtio_packed {
  uint64_t address;
  uint32_t length;
  uint16_t id;
  uint16_t flags; /* and XCHG_VIRTIO_AVAILABLE, XCHG_VIRTIO_USED (2.8.1) */
};

/* Whether one side wants to be told (2.8.14). */
struct xchg_virtio_event {
  uint16_t place;
  uint16_t flags;
};

enum {
  XCHG_VIRTIO_NEXT = 1,
  XCHG_VIRTIO_WRITE = 2,
  XCHG_VIRTIO_INDIRECT = 4,
  XCHG_VIRTIO_AVAILABLE = 1u << 7,
  XCHG_VIRTIO_USED = 1u << 15,
  XCHG_VIRTIO_ROUND = XCHG_VIRTIO_AVAILABLE | XCHG_VIRTIO_USED, /* what changes at each round of a packed ring */
  XCHG_VIRTIO_NO_NOTIFY = 1,
  XCHG_VIRTIO_EVENTS_OFF = 1
};

/* In front of every frame (5.1.6). */
struct xchg_virtio_header {
  uint8_t flags; /* XCHG_VIRTIO_NEEDS_CHECKSUM, ... */
  uint8_t segmentation;
  uint16_t header_length;
  uint16_t segment_size;
  uint16_t checksum_start;
  uint16_t checksum_offset;
  uint16_t buffers; /* that the frame lies in; devices older than version 1.0 have it only with merged buffers */
};

enum { XCHG_VIRTIO_NEEDS_CHECKSUM = 1, XCHG_VIRTIO_CHECKSUM_VALID = 2 };

#endif
