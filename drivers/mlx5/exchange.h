/* mlx5's data path by conversion functions, which must be defined before (drivers/xchange.h). */
#ifndef PACKETMILL_DRIVERS_MLX5_EXCHANGE_H
#define PACKETMILL_DRIVERS_MLX5_EXCHANGE_H

#include "drivers/mlx5/receive.h"
#include "drivers/mlx5/transmit.h"
#include "drivers/xchange.h"

/* All of it into a packet, by the conversion functions. */
static inline void xchg_mlx5_convert(const struct xchg_mlx5_receive_queue* queue,
                                     const struct xchg_mlx5_completion* completion, struct xchg* packet) {
  (void)packet; /* of macros that do nothing */
  xchg_set_length(packet, xchg_mlx5_length(queue, completion));
  xchg_set_flags(packet, xchg_mlx5_flags(queue, completion));
  xchg_set_packet_type(packet, xchg_mlx5_packet_type(queue, completion));
  xchg_set_rss_hash(packet, xchg_mlx5_hash(queue, completion));
  xchg_set_vlan_tci(packet, rte_be_to_cpu_16(completion->vlan_tci));
  xchg_set_timestamp(packet, rte_be_to_cpu_64(completion->timestamp));
  xchg_set_mark(packet, xchg_mlx5_mark(queue, completion));
  xchg_set_port(packet, queue->port);
}

/* At most `n` frames. Each of packets[0..n) owns an empty buffer before; of the ones that are received (the return value)
 * that is the frame's after. */
static inline uint16_t xchg_mlx5_receive(struct xchg_mlx5_receive_queue* queue, struct xchg* const* packets,
                                         uint16_t n) {
  struct xchg_mlx5_receive_queue burst = xchg_mlx5_receive_begin(queue);
  uint64_t bytes = 0;
  uint16_t i = 0;
  for (; i < n; ++i) {
    const struct xchg_mlx5_completion* completion = xchg_mlx5_receive_next(queue, &burst);
    if (completion == 0) break;
    struct xchg* packet = packets[i];
    void* empty = xchg_get_buffer(packet);
    xchg_set_buffer(packet, xchg_mlx5_receive_buffer(&burst));
    xchg_mlx5_convert(&burst, completion, packet);
    bytes += xchg_mlx5_length(&burst, completion);
    xchg_mlx5_receive_exchange(&burst, empty);
  }
  xchg_mlx5_receive_end(queue, &burst, i, bytes);
  return i;
}

/* As many of packets[0..n) as there is room for. Each of the ones that are sent (the return value) owns an empty buffer
 * after. */
static inline uint16_t xchg_mlx5_transmit(struct xchg_mlx5_transmit_queue* queue, struct xchg* const* packets,
                                          uint16_t n) {
  xchg_mlx5_transmit_complete(queue);
  const uint16_t room = xchg_mlx5_transmit_room(queue);
  if (n > room) n = room;
  struct xchg_mlx5_transmit_burst burst = xchg_mlx5_transmit_begin(queue);
  for (uint16_t i = 0; i < n; ++i) {
    struct xchg* packet = packets[i];
    xchg_set_buffer(
        packet, xchg_mlx5_transmit_put(&burst, xchg_get_buffer(packet), xchg_get_frame(packet), xchg_get_length(packet),
                                       xchg_get_flags(packet), xchg_get_vlan_tci(packet)));
  }
  xchg_mlx5_transmit_end(queue, &burst);
  return n;
}

#endif
