#include "drivers/intel/emulated.h"

#include <errno.h>
#include <ethdev_vdev.h>
#include <rte_malloc.h>

/* Behind the driver's private data. */
struct emulated {
  const struct intel_emulated_kind* kind;
  struct eth_dev_ops operations;
  struct rte_ether_addr address;
  struct intel_device device;
};

static struct emulated* behind(const void* adapter, const struct intel_emulated_kind* kind) {
  return (struct emulated*)((uintptr_t)adapter + RTE_ALIGN(kind->adapter_size, RTE_CACHE_LINE_SIZE));
}

/* The operations are inside what is looked for. */
static struct emulated* emulated_of(const struct rte_eth_dev* dev) {
  return (struct emulated*)((uintptr_t)dev->dev_ops - offsetof(struct emulated, operations));
}

static int configure(struct rte_eth_dev* dev) { return emulated_of(dev)->kind->configure(dev); }

static int start(struct rte_eth_dev* dev) {
  dev->data->dev_link = (struct rte_eth_link){
      .link_speed = RTE_ETH_SPEED_NUM_10G, .link_duplex = RTE_ETH_LINK_FULL_DUPLEX, .link_status = RTE_ETH_LINK_UP};
  return emulated_of(dev)->kind->start(dev);
}

static int stop(struct rte_eth_dev* dev) {
  emulated_of(dev)->kind->clear_queues(dev);
  return 0;
}

static int close_port(struct rte_eth_dev* dev) {
  struct emulated* emulated = emulated_of(dev);
  emulated->kind->free_queues(dev);
  rte_free(emulated->device.registers);
  dev->data->mac_addrs = NULL; /* it is inside the private data */
  return 0;
}

static int get_info(struct rte_eth_dev* dev, struct rte_eth_dev_info* info) {
  const struct intel_emulated_kind* kind = emulated_of(dev)->kind;
  info->max_rx_queues = kind->most_queues;
  info->max_tx_queues = kind->most_queues;
  info->max_mac_addrs = 1;
  info->max_rx_pktlen = 9600;
  info->min_rx_bufsize = 1024;
  info->rx_offload_capa = kind->receive_offloads;
  info->tx_offload_capa = kind->transmit_offloads;
  info->rx_queue_offload_capa = kind->receive_offloads;
  info->tx_queue_offload_capa = kind->transmit_offloads;
  info->default_rxconf.rx_free_thresh = 32;
  info->default_txconf.tx_free_thresh = 32;
  info->default_txconf.tx_rs_thresh = 32;
  info->rx_desc_lim = (struct rte_eth_desc_lim){.nb_max = 4096, .nb_min = 64, .nb_align = 8};
  info->tx_desc_lim = info->rx_desc_lim;
  return 0;
}

static int get_statistics(struct rte_eth_dev* dev, struct rte_eth_stats* statistics) {
  const struct emulated* emulated = emulated_of(dev);
  const struct intel_device* device = &emulated->device;
  statistics->ipackets = *intel_device_register(device, INTEL_DEVICE_RECEIVED);
  statistics->ibytes = *intel_device_register(device, INTEL_DEVICE_BYTES_RECEIVED);
  statistics->opackets = *intel_device_register(device, INTEL_DEVICE_SENT);
  statistics->obytes = *intel_device_register(device, INTEL_DEVICE_BYTES_SENT);
  statistics->imissed = *intel_device_register(device, emulated->kind->missed);
  return 0;
}

static int update_link(struct rte_eth_dev* dev, int wait) {
  (void)dev;
  (void)wait;
  return 0;
}

static int set_promiscuous(struct rte_eth_dev* dev) {
  (void)dev;
  return 0;
}

int intel_emulated_probe(struct rte_vdev_device* vdev, const struct intel_emulated_kind* kind) {
  struct rte_eth_dev* dev =
      rte_eth_vdev_allocate(vdev, RTE_ALIGN(kind->adapter_size, RTE_CACHE_LINE_SIZE) + sizeof(struct emulated));
  if (dev == NULL) return -ENOMEM;
  struct emulated* emulated = behind(dev->data->dev_private, kind);
  emulated->kind = kind;
  emulated->operations = (struct eth_dev_ops){
      .dev_configure = configure,
      .dev_start = start,
      .dev_stop = stop,
      .dev_close = close_port,
      .dev_infos_get = get_info,
      .rx_queue_setup = kind->set_up_receive,
      .tx_queue_setup = kind->set_up_transmit,
      .stats_get = get_statistics,
      .link_update = update_link,
      .promiscuous_enable = set_promiscuous,
      .promiscuous_disable = set_promiscuous,
  };
  emulated->address = (struct rte_ether_addr){{0x00, 0x1b, 0x21, 0x33, 0xfe, (uint8_t)dev->data->port_id}};
  emulated->device.registers = rte_zmalloc("intel_emulated", INTEL_DEVICE_REGISTERS_SIZE, 4096);
  if (emulated->device.registers == NULL) {
    rte_eth_dev_release_port(dev);
    return -ENOMEM;
  }
  kind->prepare(dev->data->dev_private, emulated->device.registers);
  dev->data->mac_addrs = &emulated->address;
  dev->dev_ops = &emulated->operations;
  rte_eth_dev_probing_finish(dev);
  return 0;
}

int intel_emulated_remove(struct rte_vdev_device* vdev) {
  struct rte_eth_dev* dev = rte_eth_dev_allocated(rte_vdev_device_name(vdev));
  if (dev == NULL) return 0; /* it is closed */
  close_port(dev);
  return rte_eth_dev_release_port(dev);
}

struct intel_device* intel_emulated_device(uint16_t port) { return &emulated_of(&rte_eth_devices[port])->device; }
