/* virtio's data path by conversion functions, which must be defined before (drivers/xchange.h). */
#ifndef PACKETMILL_DRIVERS_VIRTIO_EXCHANGE_H
#define PACKETMILL_DRIVERS_VIRTIO_EXCHANGE_H

#include "drivers/virtio/receive.h"
#include "drivers/virtio/transmit.h"
#include "drivers/xchange.h"

/* All of it into a packet, by the conversion functions. The device knows of a frame its length and its checksum. */
static inline void xchg_virtio_convert(const struct xchg_virtio_receive_burst* burst,
                                       const struct xchg_virtio_header* header, struct xchg* packet) {
  (void)packet; /* of macros that do nothing */
  (void)header;
  xchg_set_length(packet, xchg_virtio_length(burst));
  xchg_set_flags(packet, xchg_virtio_flags(burst, header));
  xchg_set_packet_type(packet, 0);
  xchg_set_rss_hash(packet, 0);
  xchg_set_port(packet, burst->queue.port);
}

/* Of one kind of ring, which a compiler knows: then there is little enough in a burst for its registers. */
static __rte_always_inline uint16_t xchg_virtio_receive_from(bool packed, struct xchg_virtio_receive_queue* queue,
                                                             struct xchg* const* packets, uint16_t n) {
  struct xchg_virtio_receive_burst burst = xchg_virtio_receive_begin(queue);
  burst.queue.ring.packed = packed;
  uint64_t bytes = 0;
  uint16_t i = 0;
  for (; i < n; ++i) {
    const struct xchg_virtio_header* header = xchg_virtio_receive_next(&burst);
    if (header == NULL) break;
    struct xchg* packet = packets[i];
    void* empty = xchg_get_buffer(packet);
    xchg_set_buffer(packet, xchg_virtio_receive_buffer(&burst));
    xchg_virtio_convert(&burst, header, packet);
    bytes += xchg_virtio_length(&burst);
    xchg_virtio_receive_exchange(&burst, empty);
  }
  xchg_virtio_receive_end(queue, &burst, i, bytes);
  return i;
}
static __rte_always_inline void xchg_virtio_transmit_to(bool packed, struct xchg_virtio_transmit_queue* queue,
                                                        struct xchg* const* packets, uint16_t n) {
  struct xchg_virtio_transmit_burst burst = xchg_virtio_transmit_begin(queue);
  burst.queue.ring.packed = packed;
  for (uint16_t i = 0; i < n; ++i) {
    struct xchg* packet = packets[i];
    xchg_set_buffer(packet, xchg_virtio_transmit_put(&burst, xchg_get_buffer(packet), xchg_get_frame(packet),
                                                     xchg_get_length(packet), xchg_get_flags(packet)));
  }
  xchg_virtio_transmit_end(queue, &burst);
}

/* At most `n` frames. Each of packets[0..n) owns an empty buffer before; of the ones that are received (the return value)
 * that is the frame's after. */
static inline uint16_t xchg_virtio_receive(struct xchg_virtio_receive_queue* queue, struct xchg* const* packets,
                                           uint16_t n) {
  return queue->ring.packed ? xchg_virtio_receive_from(true, queue, packets, n)
                            : xchg_virtio_receive_from(false, queue, packets, n);
}

/* As many of packets[0..n) as there is room for. Each of the ones that are sent (the return value) owns an empty buffer
 * after. */
static inline uint16_t xchg_virtio_transmit(struct xchg_virtio_transmit_queue* queue, struct xchg* const* packets,
                                            uint16_t n) {
  xchg_virtio_transmit_complete(queue);
  const uint16_t room = xchg_virtio_transmit_room(queue);
  if (n > room) n = room;
  if (queue->ring.packed)
    xchg_virtio_transmit_to(true, queue, packets, n);
  else
    xchg_virtio_transmit_to(false, queue, packets, n);
  return n;
}

#endif
