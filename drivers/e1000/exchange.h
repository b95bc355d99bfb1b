/* e1000's data path by conversion functions, which must be defined before (drivers/xchange.h). */
#ifndef PACKETMILL_DRIVERS_E1000_EXCHANGE_H
#define PACKETMILL_DRIVERS_E1000_EXCHANGE_H

#include "drivers/e1000/receive.h"
#include "drivers/e1000/transmit.h"
#include "drivers/xchange.h"

/* All of it into a packet, by the conversion functions. The driver sets the NIC up without a hash. */
static inline void xchg_e1000_convert(const struct xchg_e1000_receive_queue* queue, struct xchg_intel_descriptor frame,
                                      struct xchg* packet) {
  (void)packet; /* of macros that do nothing */
  xchg_set_length(packet, xchg_e1000_length(queue, frame));
  xchg_set_flags(packet, xchg_e1000_flags(frame));
  xchg_set_vlan_tci(packet, xchg_e1000_vlan_tci(frame));
  xchg_set_port(packet, queue->port);
}

/* At most `n` frames. Each of packets[0..n) owns an empty buffer before; of the ones that are received (the return value)
 * that is the frame's after. */
static inline uint16_t xchg_e1000_receive(struct xchg_e1000_receive_queue* queue, struct xchg* const* packets,
                                          uint16_t n) {
  struct xchg_e1000_receive_queue burst = xchg_e1000_receive_begin(queue);
  struct xchg_intel_descriptor frame;
  uint16_t i = 0;
  for (; i < n && xchg_e1000_receive_next(&burst, &frame); ++i) {
    struct xchg* packet = packets[i];
    void* empty = xchg_get_buffer(packet);
    xchg_set_buffer(packet, xchg_e1000_receive_buffer(&burst));
    xchg_e1000_convert(&burst, frame, packet);
    xchg_e1000_receive_exchange(&burst, empty);
  }
  xchg_e1000_receive_end(queue, &burst);
  return i;
}

/* As many of packets[0..n) as there is room for. Each of the ones that are sent (the return value) owns an empty buffer
 * after. */
static inline uint16_t xchg_e1000_transmit(struct xchg_e1000_transmit_queue* queue, struct xchg* const* packets,
                                           uint16_t n) {
  xchg_e1000_transmit_complete(queue);
  const uint16_t room = xchg_e1000_transmit_room(queue);
  if (n > room) n = room;
  struct xchg_e1000_transmit_queue burst = xchg_e1000_transmit_begin(queue);
  for (uint16_t i = 0; i < n; ++i) {
    struct xchg* packet = packets[i];
    xchg_set_buffer(
        packet, xchg_e1000_transmit_put(&burst, xchg_get_buffer(packet), xchg_get_frame(packet),
                                        xchg_get_length(packet), xchg_get_flags(packet), xchg_get_vlan_tci(packet)));
  }
  xchg_e1000_transmit_end(queue, &burst);
  return n;
}

#endif
