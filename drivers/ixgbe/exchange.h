/* ixgbe's data path by conversion functions, which must be defined before (drivers/xchange.h). */
#ifndef PACKETMILL_DRIVERS_IXGBE_EXCHANGE_H
#define PACKETMILL_DRIVERS_IXGBE_EXCHANGE_H

#include "drivers/ixgbe/receive.h"
#include "drivers/ixgbe/transmit.h"
#include "drivers/xchange.h"

/* All of it into a packet, by the conversion functions. The NIC has no timestamps. */
static inline void xchg_ixgbe_convert(const struct xchg_ixgbe_receive_queue* queue, struct xchg_intel_descriptor frame,
                                      struct xchg* packet) {
  (void)packet; /* of macros that do nothing */
  xchg_set_length(packet, xchg_ixgbe_length(queue, frame));
  xchg_set_flags(packet, xchg_ixgbe_flags(queue, frame));
  xchg_set_packet_type(packet, xchg_ixgbe_packet_type(queue, frame));
  xchg_set_rss_hash(packet, xchg_ixgbe_hash(frame));
  xchg_set_vlan_tci(packet, xchg_ixgbe_vlan_tci(frame));
  xchg_set_mark(packet, xchg_ixgbe_mark(frame));
  xchg_set_port(packet, queue->port);
}

/* At most `n` frames. Each of packets[0..n) owns an empty buffer before; of the ones that are received (the return value)
 * that is the frame's after. */
static inline uint16_t xchg_ixgbe_receive(struct xchg_ixgbe_receive_queue* queue, struct xchg* const* packets,
                                          uint16_t n) {
  struct xchg_ixgbe_receive_queue burst = xchg_ixgbe_receive_begin(queue);
  struct xchg_intel_descriptor frame;
  uint16_t i = 0;
  for (; i < n && xchg_ixgbe_receive_next(&burst, &frame); ++i) {
    struct xchg* packet = packets[i];
    void* empty = xchg_get_buffer(packet);
    xchg_set_buffer(packet, xchg_ixgbe_receive_buffer(&burst));
    xchg_ixgbe_convert(&burst, frame, packet);
    xchg_ixgbe_receive_exchange(&burst, empty);
  }
  xchg_ixgbe_receive_end(queue, &burst);
  return i;
}

/* As many of packets[0..n) as there is room for. Each of the ones that are sent (the return value) owns an empty buffer
 * after. */
static inline uint16_t xchg_ixgbe_transmit(struct xchg_ixgbe_transmit_queue* queue, struct xchg* const* packets,
                                           uint16_t n) {
  xchg_ixgbe_transmit_complete(queue);
  const uint16_t room = xchg_ixgbe_transmit_room(queue);
  if (n > room) n = room;
  struct xchg_ixgbe_transmit_queue burst = xchg_ixgbe_transmit_begin(queue);
  for (uint16_t i = 0; i < n; ++i) {
    struct xchg* packet = packets[i];
    xchg_set_buffer(
        packet, xchg_ixgbe_transmit_put(&burst, xchg_get_buffer(packet), xchg_get_frame(packet),
                                        xchg_get_length(packet), xchg_get_flags(packet), xchg_get_vlan_tci(packet)));
  }
  xchg_ixgbe_transmit_end(queue, &burst);
  return n;
}

#endif
