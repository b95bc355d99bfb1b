#include "drivers/takeover.h"

#include <errno.h>
#include <ethdev_driver.h>
#include <rte_malloc.h>
#include <string.h>

#include "drivers/buffers.h"
#include "drivers/mlx5/emulated.h"

/* Where a port's queues are, by its driver. */
struct driver {
  enum xchg_driver driver;
  bool vector;
  void (*turn)(uint16_t port, uint16_t queue);
};

/* How their names begin: those of virtual functions, of virtio_user, and of the emulated ones of tests as well. */
static const struct {
  const char* name;
  enum xchg_driver driver;
} kNames[] = {{"mlx5", XCHG_MLX5},
              {"net_memif", XCHG_MEMIF},
              {"net_virtio", XCHG_VIRTIO},
              {"net_ixgbe", XCHG_IXGBE},
              {"net_e1000_em", XCHG_E1000}};

static bool find_driver(uint16_t port, struct driver* found) {
  if (mlx5_emulated_is(port)) {
    *found = (struct driver){XCHG_MLX5, mlx5_emulated_is_vector(port), mlx5_emulated_turn};
    return true;
  }
  struct rte_eth_dev_info info;
  if (rte_eth_dev_info_get(port, &info) != 0 || info.driver_name == NULL) return false;
  for (size_t i = 0; i < RTE_DIM(kNames); ++i) {
    if (strncmp(info.driver_name, kNames[i].name, strlen(kNames[i].name)) != 0) continue;
    *found = (struct driver){.driver = kNames[i].driver};
    if (found->driver == XCHG_MLX5) found->vector = xchg_mlx5_is_vector(port);
    return true;
  }
  return false;
}

bool xchg_has_data_path(uint16_t port) {
  struct driver driver;
  return find_driver(port, &driver);
}

static void* mlx5_receive_queue_of(uint16_t port, uint16_t queue) {
  return mlx5_emulated_is(port) ? mlx5_emulated_rxq(port, queue) : rte_eth_devices[port].data->rx_queues[queue];
}

static void* mlx5_transmit_queue_of(uint16_t port, uint16_t queue) {
  return mlx5_emulated_is(port) ? mlx5_emulated_txq(port, queue) : rte_eth_devices[port].data->tx_queues[queue];
}

static int receive_takeover(const struct driver* driver, struct rte_mempool* pool, struct xchg_receive_queue* queue,
                            const char** reason) {
  switch (driver->driver) {
    case XCHG_MLX5:
      return xchg_mlx5_receive_takeover(mlx5_receive_queue_of(queue->port, queue->number), driver->vector, pool,
                                        &queue->mlx5, reason);
    case XCHG_VIRTIO:
      return xchg_virtio_receive_takeover(rte_eth_devices[queue->port].data->rx_queues[queue->number], pool,
                                          &queue->virtio, reason);
    case XCHG_MEMIF:
      return xchg_memif_takeover(rte_eth_devices[queue->port].data->rx_queues[queue->number], pool, queue->number, true,
                                 &queue->memif, reason);
    case XCHG_IXGBE:
      return xchg_ixgbe_receive_takeover(queue->port, queue->number, pool, &queue->ixgbe, reason);
    case XCHG_E1000:
      return xchg_e1000_receive_takeover(queue->port, queue->number, pool, &queue->e1000, reason);
  }
  return -ENOTSUP;
}

static int transmit_takeover(const struct xchg_port* port, uint16_t number, struct xchg_transmit_queue* queue,
                             const char** reason) {
  switch (queue->driver) {
    case XCHG_MLX5:
      return xchg_mlx5_transmit_takeover(mlx5_transmit_queue_of(port->number, number), port->pool, &queue->mlx5,
                                         reason);
    case XCHG_VIRTIO:
      return xchg_virtio_transmit_takeover(rte_eth_devices[port->number].data->tx_queues[number], port->pool,
                                           &queue->virtio, reason);
    case XCHG_MEMIF:
      return xchg_memif_takeover(rte_eth_devices[port->number].data->tx_queues[number], port->pool, number, false,
                                 &queue->memif, reason);
    case XCHG_IXGBE:
      return xchg_ixgbe_transmit_takeover(port->number, number, port->pool, &queue->ixgbe, reason);
    case XCHG_E1000:
      return xchg_e1000_transmit_takeover(port->number, number, port->pool, &queue->e1000, reason);
  }
  return -ENOTSUP;
}

static void receive_release(struct xchg_receive_queue* queue) {
  switch (queue->driver) {
    case XCHG_MLX5:
      xchg_mlx5_receive_release(&queue->mlx5);
      break;
    case XCHG_VIRTIO:
      xchg_virtio_receive_release(&queue->virtio);
      break;
    case XCHG_MEMIF:
      xchg_memif_release(&queue->memif);
      break;
    case XCHG_IXGBE:
      xchg_ixgbe_receive_release(&queue->ixgbe);
      break;
    case XCHG_E1000:
      xchg_e1000_receive_release(&queue->e1000);
      break;
  }
}

static void transmit_release(struct xchg_transmit_queue* queue) {
  switch (queue->driver) {
    case XCHG_MLX5:
      xchg_mlx5_transmit_release(&queue->mlx5);
      break;
    case XCHG_VIRTIO:
      xchg_virtio_transmit_release(&queue->virtio);
      break;
    case XCHG_MEMIF:
      xchg_memif_release(&queue->memif);
      break;
    case XCHG_IXGBE:
      xchg_ixgbe_transmit_release(&queue->ixgbe);
      break;
    case XCHG_E1000:
      xchg_e1000_transmit_release(&queue->e1000);
      break;
  }
}

struct xchg_port* xchg_takeover(uint16_t number, struct rte_mempool* pool, const char** reason) {
  struct driver driver;
  if (!rte_eth_dev_is_valid_port(number) || !rte_eth_devices[number].data->dev_started) {
    *reason = "the port is not started";
    return NULL;
  }
  if (!find_driver(number, &driver)) {
    *reason = "its driver has no X-Change data path";
    return NULL;
  }
  if (rte_pktmbuf_priv_flags(pool) & RTE_PKTMBUF_POOL_F_PINNED_EXT_BUF) {
    *reason = "the mempool's buffers are external ones: an mbuf is not found from its buffer";
    return NULL;
  }
  const struct rte_eth_dev_data* data = rte_eth_devices[number].data;
  struct xchg_port* port = rte_zmalloc("xchg_port", sizeof *port, 64);
  if (port != NULL) {
    *port = (struct xchg_port){.number = number, .pool = pool};
    port->receive_queues = rte_zmalloc("xchg_receive", data->nb_rx_queues * sizeof *port->receive_queues, 64);
    port->transmit_queues = rte_zmalloc("xchg_transmit", data->nb_tx_queues * sizeof *port->transmit_queues, 64);
  }
  *reason = "no memory";
  bool taken = port != NULL && port->receive_queues != NULL && port->transmit_queues != NULL;
  for (uint16_t i = 0; taken && i < data->nb_rx_queues; ++i) {
    struct xchg_receive_queue* queue = &port->receive_queues[i];
    *queue = (struct xchg_receive_queue){.driver = driver.driver, .port = number, .number = i, .turn = driver.turn};
    taken = receive_takeover(&driver, pool, queue, reason) == 0;
    if (taken) ++port->receive_queue_count;
  }
  for (uint16_t i = 0; taken && i < data->nb_tx_queues; ++i) {
    struct xchg_transmit_queue* queue = &port->transmit_queues[i];
    queue->driver = driver.driver;
    taken = transmit_takeover(port, i, queue, reason) == 0;
    if (taken) ++port->transmit_queue_count;
  }
  if (taken) return port;
  xchg_release(port);
  return NULL;
}

void xchg_release(struct xchg_port* port) {
  if (port == NULL) return;
  for (uint16_t i = 0; i < port->receive_queue_count; ++i) receive_release(&port->receive_queues[i]);
  for (uint16_t i = 0; i < port->transmit_queue_count; ++i) transmit_release(&port->transmit_queues[i]);
  rte_free(port->receive_queues);
  rte_free(port->transmit_queues);
  rte_free(port);
}

void* xchg_new_buffer(struct xchg_port* port) {
  struct rte_mbuf* mbuf = rte_mbuf_raw_alloc(port->pool);
  return mbuf == NULL ? NULL : xchg_buffer_of(mbuf);
}

void xchg_free_buffer(struct xchg_port* port, void* buffer) { rte_mbuf_raw_free(xchg_mbuf_of(port->pool, buffer)); }
