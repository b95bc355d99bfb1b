/* Taking over a whole port, whatever its driver, and giving it back. See xchange.h; the data path is in port.h. */
#ifndef PACKETMILL_DRIVERS_TAKEOVER_H
#define PACKETMILL_DRIVERS_TAKEOVER_H

#include <stdbool.h>
#include <stdint.h>

#include "drivers/e1000/queues.h"
#include "drivers/ixgbe/queues.h"
#include "drivers/memif/queues.h"
#include "drivers/mlx5/queues.h"
#include "drivers/virtio/queues.h"

#ifdef __cplusplus
extern "C" {
#endif

struct rte_mempool;

enum xchg_driver { XCHG_MLX5, XCHG_MEMIF, XCHG_VIRTIO, XCHG_IXGBE, XCHG_E1000 };

struct xchg_receive_queue {
  enum xchg_driver driver;
  uint16_t port;
  uint16_t number;
  /* An emulated NIC's turn before a burst; NULL on a real one. */
  void (*turn)(uint16_t port, uint16_t queue);
  union {
    struct xchg_mlx5_receive_queue mlx5;
    struct xchg_virtio_receive_queue virtio;
    struct xchg_memif_queue memif;
    struct xchg_ixgbe_receive_queue ixgbe;
    struct xchg_e1000_receive_queue e1000;
  };
};

struct xchg_transmit_queue {
  enum xchg_driver driver;
  union {
    struct xchg_mlx5_transmit_queue mlx5;
    struct xchg_virtio_transmit_queue virtio;
    struct xchg_memif_queue memif;
    struct xchg_ixgbe_transmit_queue ixgbe;
    struct xchg_e1000_transmit_queue e1000;
  };
};

struct xchg_port {
  uint16_t number;
  uint16_t receive_queue_count;
  uint16_t transmit_queue_count;
  struct rte_mempool* pool;
  struct xchg_receive_queue* receive_queues;
  struct xchg_transmit_queue* transmit_queues;
};

/* Whether there is a data path here for the port's driver. */
bool xchg_has_data_path(uint16_t port);

/* Takes over a port that is started and whose receive queues have their buffers from `pool`. While it lasts, only
 * xchg_receive and xchg_transmit may use the port's queues, one thread a queue. NULL, and why in `reason` (a constant), where
 * its driver has no data path here, or is set up in a way that has none: such a port goes on as it was. */
struct xchg_port* xchg_takeover(uint16_t port, struct rte_mempool* pool, const char** reason);

/* Gives the port back to its driver: every slot of its rings holds an mbuf again, and the transmit slots' spare buffers are in
 * the pool. Packets of the application still own a buffer each: xchg_free_buffer. */
void xchg_release(struct xchg_port* port);

/* A buffer for a packet that has none yet; NULL where the pool is empty. */
void* xchg_new_buffer(struct xchg_port* port);
void xchg_free_buffer(struct xchg_port* port, void* buffer);

#ifdef __cplusplus
}
#endif

#endif
