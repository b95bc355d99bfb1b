/* A port of one of Intel's drivers without a NIC: a virtual device whose private data is that of the driver, with registers in
 * plain memory, so that the driver's own functions set up, start, run, stop and free its queues. */
#ifndef PACKETMILL_DRIVERS_INTEL_EMULATED_H
#define PACKETMILL_DRIVERS_INTEL_EMULATED_H

#include <bus_vdev_driver.h>
#include <ethdev_driver.h>

#include "drivers/intel/device.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What each of them adds to what is the same for all. The functions are the driver's own, or call them. */
struct intel_emulated_kind {
  size_t adapter_size; /* of the driver's private data */
  void (*prepare)(void* adapter, void* registers);
  int (*configure)(struct rte_eth_dev* dev);
  eth_rx_queue_setup_t set_up_receive;
  eth_tx_queue_setup_t set_up_transmit;
  int (*start)(struct rte_eth_dev* dev);
  void (*clear_queues)(struct rte_eth_dev* dev);
  void (*free_queues)(struct rte_eth_dev* dev);
  uint32_t missed; /* the counter of frames for which there was no descriptor */
  uint16_t most_queues;
  uint64_t receive_offloads;
  uint64_t transmit_offloads;
};

int intel_emulated_probe(struct rte_vdev_device* vdev, const struct intel_emulated_kind* kind);
int intel_emulated_remove(struct rte_vdev_device* vdev);

/* The NIC's side, for tests. */
struct intel_device* intel_emulated_device(uint16_t port);

#ifdef __cplusplus
}
#endif

#endif
