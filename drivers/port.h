/* A whole port under X-Change, whatever its driver: what an application calls. See xchange.h. */
#ifndef PACKETMILL_DRIVERS_PORT_H
#define PACKETMILL_DRIVERS_PORT_H

#include <stdint.h>

#include "drivers/e1000/exchange.h"
#include "drivers/ixgbe/exchange.h"
#include "drivers/memif/exchange.h"
#include "drivers/mlx5/exchange.h"
#include "drivers/takeover.h"
#include "drivers/virtio/exchange.h"
#include "drivers/xchange.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Receives at most `count` frames. Each of packets[0..count) owns an empty buffer; those that are received, by the return
 * value, own the frames' afterwards. */
static inline uint16_t xchg_receive(struct xchg_receive_queue* queue, struct xchg* const* packets, uint16_t count) {
  if (__builtin_expect(queue->turn != 0, 0)) queue->turn(queue->port, queue->number);
  switch (queue->driver) {
    case XCHG_MLX5:
      return xchg_mlx5_receive(&queue->mlx5, packets, count);
    case XCHG_VIRTIO:
      return xchg_virtio_receive(&queue->virtio, packets, count);
    case XCHG_MEMIF:
      return xchg_memif_receive(&queue->memif, packets, count);
    case XCHG_IXGBE:
      return xchg_ixgbe_receive(&queue->ixgbe, packets, count);
    case XCHG_E1000:
      return xchg_e1000_receive(&queue->e1000, packets, count);
  }
  return 0;
}

/* Sends as many as there is room for, and returns how many; each of those owns an empty buffer afterwards. */
static inline uint16_t xchg_transmit(struct xchg_transmit_queue* queue, struct xchg* const* packets, uint16_t count) {
  switch (queue->driver) {
    case XCHG_MLX5:
      return xchg_mlx5_transmit(&queue->mlx5, packets, count);
    case XCHG_VIRTIO:
      return xchg_virtio_transmit(&queue->virtio, packets, count);
    case XCHG_MEMIF:
      return xchg_memif_transmit(&queue->memif, packets, count);
    case XCHG_IXGBE:
      return xchg_ixgbe_transmit(&queue->ixgbe, packets, count);
    case XCHG_E1000:
      return xchg_e1000_transmit(&queue->e1000, packets, count);
  }
  return 0;
}

#ifdef __cplusplus
}
#endif

#endif
