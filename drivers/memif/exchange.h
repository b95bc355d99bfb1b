/* memif's data path by conversion functions, which must be defined before (drivers/xchange.h). */
#ifndef PACKETMILL_DRIVERS_MEMIF_EXCHANGE_H
#define PACKETMILL_DRIVERS_MEMIF_EXCHANGE_H

#include "drivers/memif/receive.h"
#include "drivers/memif/transmit.h"
#include "drivers/xchange.h"

/* All of it into a packet, by the conversion functions: a descriptor says no more than the length. */
static inline void xchg_memif_convert(const struct xchg_memif_queue* queue,
                                      const struct xchg_memif_descriptor* descriptor, struct xchg* packet) {
  (void)packet; /* of macros that do nothing */
  (void)queue;
  xchg_set_length(packet, descriptor->length);
  xchg_set_flags(packet, 0);
  xchg_set_packet_type(packet, 0);
  xchg_set_rss_hash(packet, 0);
  xchg_set_port(packet, queue->port);
}

/* At most `n` frames. Each of packets[0..n) owns an empty buffer before; of the ones that are received (the return value)
 * that is the frame's after. */
static inline uint16_t xchg_memif_receive(struct xchg_memif_queue* queue, struct xchg* const* packets, uint16_t n) {
  struct xchg_memif_queue burst = xchg_memif_receive_begin(queue);
  struct xchg_memif_descriptor descriptor;
  uint64_t bytes = 0;
  uint16_t i = 0;
  for (; i < n && xchg_memif_receive_next(queue, &burst, &descriptor); ++i) {
    struct xchg* packet = packets[i];
    xchg_set_buffer(packet, xchg_memif_receive_exchange(&burst, &descriptor, xchg_get_buffer(packet)));
    xchg_memif_convert(&burst, &descriptor, packet);
    bytes += descriptor.length;
  }
  xchg_memif_receive_end(queue, &burst, i, bytes);
  return i;
}

/* As many of packets[0..n) as there is room for. Each of the ones that are sent (the return value) owns an empty buffer
 * after. */
static inline uint16_t xchg_memif_transmit(struct xchg_memif_queue* queue, struct xchg* const* packets, uint16_t n) {
  xchg_memif_transmit_complete(queue);
  const uint16_t room = xchg_memif_transmit_room(queue);
  if (n > room) n = room;
  struct xchg_memif_transmit_burst burst = xchg_memif_transmit_begin(queue);
  for (uint16_t i = 0; i < n; ++i) {
    struct xchg* packet = packets[i];
    xchg_set_buffer(packet, xchg_memif_transmit_put(&burst, xchg_get_buffer(packet), xchg_get_frame(packet),
                                                    xchg_get_length(packet)));
  }
  xchg_memif_transmit_end(queue, &burst);
  return n;
}

#endif
