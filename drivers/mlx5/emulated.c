#include "drivers/mlx5/emulated.h"

#include <bus_vdev_driver.h>
#include <errno.h>
#include <ethdev_vdev.h>
#include <mlx5_prm.h>
#include <mlx5_rxtx.h>
#include <rte_kvargs.h>
#include <rte_malloc.h>

#include "drivers/mlx5/emulated_port.h"

/* --- bursts: the NIC's turn, and then mlx5's own functions ------------------------------------------------------------ */

static uint16_t receive_scalar(void* argument, struct rte_mbuf** packets, uint16_t count) {
  struct receive_queue* queue = argument;
  mlx5_emulated_turn(queue->control->rxq.port_id, queue->owner.idx);
  return mlx5_rx_burst(&queue->control->rxq, packets, count);
}

static uint16_t receive_vector(void* argument, struct rte_mbuf** packets, uint16_t count) {
  struct receive_queue* queue = argument;
  mlx5_emulated_turn(queue->control->rxq.port_id, queue->owner.idx);
  return mlx5_rx_burst_vec(&queue->control->rxq, packets, count);
}

static uint16_t transmit_plain(void* argument, struct rte_mbuf** packets, uint16_t count) {
  return mlx5_tx_burst_none_empw(&((struct transmit_queue*)argument)->control->txq, packets, count);
}

static uint16_t transmit_with_offloads(void* argument, struct rte_mbuf** packets, uint16_t count) {
  return mlx5_tx_burst_scv_empw(&((struct transmit_queue*)argument)->control->txq, packets, count);
}

/* --- ethdev ----------------------------------------------------------------------------------------------------------- */

static int configure(struct rte_eth_dev* dev) {
  struct port* port = port_of(dev);
  port->mlx5.rxqs_n = dev->data->nb_rx_queues;
  port->mlx5.txqs_n = dev->data->nb_tx_queues;
  return 0;
}

static int start(struct rte_eth_dev* dev) {
  struct port* port = port_of(dev);
  uint64_t offloads = dev->data->dev_conf.txmode.offloads;
  for (uint16_t i = 0; i < dev->data->nb_tx_queues; ++i) offloads |= port->queues[i]->offloads;
  dev->rx_pkt_burst = port->vector ? receive_vector : receive_scalar;
  dev->tx_pkt_burst = offloads & ~RTE_ETH_TX_OFFLOAD_MBUF_FAST_FREE ? transmit_with_offloads : transmit_plain;
  dev->data->dev_link = (struct rte_eth_link){
      .link_speed = RTE_ETH_SPEED_NUM_100G, .link_duplex = RTE_ETH_LINK_FULL_DUPLEX, .link_status = RTE_ETH_LINK_UP};
  for (uint16_t i = 0; i < dev->data->nb_rx_queues; ++i) dev->data->rx_queue_state[i] = RTE_ETH_QUEUE_STATE_STARTED;
  for (uint16_t i = 0; i < dev->data->nb_tx_queues; ++i) dev->data->tx_queue_state[i] = RTE_ETH_QUEUE_STATE_STARTED;
  return mlx5_emulated_start_alone(port);
}

static int stop(struct rte_eth_dev* dev) {
  struct port* port = port_of(dev);
  mlx5_emulated_stop_alone(port);
  dev->data->dev_link.link_status = RTE_ETH_LINK_DOWN;
  return 0;
}

/* As mlx5_rx_queue_stop: the vector function counts on a ring that was never reset. */
static int stop_receive_queue(struct rte_eth_dev* dev, uint16_t index) {
  return port_of(dev)->vector ? -EINVAL : mlx5_rx_queue_stop_primary(dev, index);
}

static int close_port(struct rte_eth_dev* dev) {
  struct port* port = port_of(dev);
  if (port == NULL) return 0;
  mlx5_emulated_close_wire(port);
  for (unsigned i = 0; i < kMostQueues; ++i) {
    mlx5_emulated_free_receive(&port->receive[i], port->vector);
    mlx5_emulated_free_transmit(&port->transmit[i]);
  }
  rte_free(dev->process_private);
  dev->process_private = NULL;
  dev->data->mac_addrs = NULL; /* it is inside the port */
  return 0;
}

static int get_info(struct rte_eth_dev* dev, struct rte_eth_dev_info* info) {
  (void)dev;
  info->max_rx_queues = kMostQueues;
  info->max_tx_queues = kMostQueues;
  info->max_mac_addrs = 1;
  info->max_rx_pktlen = 9600;
  info->min_rx_bufsize = 64;
  info->rx_offload_capa = RTE_ETH_RX_OFFLOAD_CHECKSUM | RTE_ETH_RX_OFFLOAD_VLAN_STRIP | RTE_ETH_RX_OFFLOAD_RSS_HASH;
  info->tx_offload_capa = RTE_ETH_TX_OFFLOAD_IPV4_CKSUM | RTE_ETH_TX_OFFLOAD_UDP_CKSUM | RTE_ETH_TX_OFFLOAD_TCP_CKSUM |
                          RTE_ETH_TX_OFFLOAD_VLAN_INSERT | RTE_ETH_TX_OFFLOAD_MBUF_FAST_FREE;
  info->rx_queue_offload_capa = info->rx_offload_capa;
  info->tx_queue_offload_capa = info->tx_offload_capa;
  info->default_rxportconf.ring_size = 1024;
  info->default_txportconf.ring_size = 1024;
  info->rx_desc_lim = (struct rte_eth_desc_lim){.nb_max = 1 << kLogMost, .nb_min = 64, .nb_align = 1};
  info->tx_desc_lim = info->rx_desc_lim;
  return 0;
}

static int get_statistics(struct rte_eth_dev* dev, struct rte_eth_stats* statistics) {
  struct port* port = port_of(dev);
  for (uint16_t i = 0; i < dev->data->nb_rx_queues; ++i) {
    const struct mlx5_rxq_stats* s = &port->receive[i].control->rxq.stats;
    statistics->ipackets += s->ipackets;
    statistics->ibytes += s->ibytes;
    statistics->ierrors += s->idropped;
    statistics->rx_nombuf += s->rx_nombuf;
    if (port->core < 0)
      statistics->imissed += port->receive[i].device.no_request + port->receive[i].device.no_completion;
  }
  for (uint16_t i = 0; i < dev->data->nb_tx_queues; ++i) {
    const struct mlx5_txq_stats* s = &port->queues[i]->stats;
    statistics->opackets += s->opackets;
    statistics->obytes += s->obytes;
    statistics->oerrors += s->oerrors;
  }
  return 0;
}

static const char* const kNames[] = {"burst_cycles_min", "burst_cycles_median", "burst_cycles_max", "full_bursts"};

static int get_extended_names(struct rte_eth_dev* dev, struct rte_eth_xstat_name* names, unsigned size) {
  (void)dev;
  for (unsigned i = 0; names != NULL && i < RTE_DIM(kNames) && i < size; ++i)
    snprintf(names[i].name, sizeof names[i].name, "%s", kNames[i]);
  return RTE_DIM(kNames);
}

/* The fewest cycles that at least `share` of the bursts of queue 0 took no more than. */
static uint64_t quantile(const struct receive_queue* queue, double share) {
  uint64_t sum = 0;
  for (uint32_t cycles = 0; cycles < kHistogram; ++cycles) {
    sum += queue->histogram[cycles];
    if (sum != 0 && (double)sum >= share * (double)queue->bursts) return cycles;
  }
  return 0;
}

static int get_extended(struct rte_eth_dev* dev, struct rte_eth_xstat* values, unsigned size) {
  const struct receive_queue* queue = &port_of(dev)->receive[0];
  if (values == NULL || size < RTE_DIM(kNames)) return RTE_DIM(kNames);
  values[0] = (struct rte_eth_xstat){0, quantile(queue, 0)};
  values[1] = (struct rte_eth_xstat){1, quantile(queue, 0.5)};
  values[2] = (struct rte_eth_xstat){2, quantile(queue, 1)};
  values[3] = (struct rte_eth_xstat){3, queue->bursts};
  return RTE_DIM(kNames);
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

static int set_address(struct rte_eth_dev* dev, struct rte_ether_addr* address) {
  port_of(dev)->address = *address;
  return 0;
}

static const struct eth_dev_ops kOperations = {
    .dev_configure = configure,
    .dev_start = start,
    .dev_stop = stop,
    .dev_close = close_port,
    .dev_infos_get = get_info,
    .rx_queue_setup = mlx5_emulated_set_up_receive,
    .tx_queue_setup = mlx5_emulated_set_up_transmit,
    .rx_queue_start = mlx5_rx_queue_start_primary,
    .rx_queue_stop = stop_receive_queue,
    .tx_queue_start = mlx5_tx_queue_start_primary,
    .tx_queue_stop = mlx5_tx_queue_stop_primary,
    .stats_get = get_statistics,
    .xstats_get_names = get_extended_names,
    .xstats_get = get_extended,
    .link_update = update_link,
    .promiscuous_enable = set_promiscuous,
    .promiscuous_disable = set_promiscuous,
    .mac_addr_set = set_address,
};

/* What mlx5 asks of its NIC when a queue has an error: a reset, then ready again. */
static int modify_receive(struct mlx5_rxq_priv* owner, uint8_t state) {
  struct port* port = (struct port*)owner->priv;
  struct mlx5_device_receive_queue* device = &port->receive[owner->idx].device;
  if (state == IBV_WQS_RDY) {
    device->error = false;
    device->request = 0;
  }
  return 0;
}

static int modify_transmit(struct mlx5_txq_obj* object, enum mlx5_txq_modify_type type, uint8_t number) {
  (void)type;
  (void)number;
  struct mlx5_device_transmit_queue* device = (struct mlx5_device_transmit_queue*)object;
  device->error = false;
  device->block = 0;
  return 0;
}

/* --- the virtual device ----------------------------------------------------------------------------------------------- */

static int read_text(const char* key, const char* value, void* out) {
  (void)key;
  *(const char**)out = value;
  return 0;
}

static int read_number(const char* key, const char* value, void* out) {
  (void)key;
  char* end = NULL;
  const long number = strtol(value, &end, 10);
  if (end == value || *end != 0 || number < 0 || number > INT32_MAX) return -EINVAL;
  *(int*)out = (int)number;
  return 0;
}

static int probe(struct rte_vdev_device* vdev) {
  static const char* const keys[] = {"trace", "vector", "compressed", "core", "bad", "once", "sent", NULL};
  const char* trace = NULL;
  int vector = 1;
  int compressed = 0;
  int core = -1;
  int bad = 0;
  int once = 0;
  const char* sent = NULL;
  struct rte_kvargs* arguments = rte_kvargs_parse(rte_vdev_device_args(vdev), keys);
  if (arguments == NULL) return -EINVAL;
  if (rte_kvargs_process(arguments, "trace", read_text, &trace) < 0 ||
      rte_kvargs_process(arguments, "vector", read_number, &vector) < 0 ||
      rte_kvargs_process(arguments, "compressed", read_number, &compressed) < 0 ||
      rte_kvargs_process(arguments, "core", read_number, &core) < 0 ||
      rte_kvargs_process(arguments, "bad", read_number, &bad) < 0 ||
      rte_kvargs_process(arguments, "once", read_number, &once) < 0 ||
      rte_kvargs_process(arguments, "sent", read_text, &sent) < 0) {
    rte_kvargs_free(arguments);
    return -EINVAL;
  }
  struct rte_eth_dev* dev = rte_eth_vdev_allocate(vdev, sizeof(struct port));
  if (dev == NULL) {
    rte_kvargs_free(arguments);
    return -ENOMEM;
  }
  struct port* port = port_of(dev);
  int failed = trace == NULL ? 0 : mlx5_emulated_read_trace(port, trace);
  if (failed == 0 && sent != NULL) failed = mlx5_emulated_open_sent(port, sent);
  rte_kvargs_free(arguments);
  port->dev = dev;
  port->vector = vector != 0;
  port->compressed = compressed != 0;
  port->core = core;
  port->bad = (uint32_t)bad;
  port->once = once != 0;
  port->address = (struct rte_ether_addr){{0x98, 0x03, 0x9b, 0x33, 0xfe, (uint8_t)dev->data->port_id}};
  port->mlx5.dev_data = dev->data;
  port->mlx5.rxq_privs = (void*)&port->owners;
  port->mlx5.txqs = &port->queues;
  port->mlx5.obj_ops.rxq_obj_modify = modify_receive;
  port->mlx5.obj_ops.txq_obj_modify = modify_transmit;
  struct mlx5_proc_priv* process =
      rte_zmalloc("mlx5_emulated", sizeof *process + kMostQueues * sizeof process->uar_table[0], 64);
  if (process == NULL) failed = -ENOMEM;
  if (failed == 0) {
    process->uar_table_sz = kMostQueues;
    mlx5_set_ptype_table();
    mlx5_set_cksum_table();
    mlx5_set_swp_types_table();
  }
  dev->process_private = process;
  dev->data->mac_addrs = &port->address;
  dev->dev_ops = &kOperations;
  if (failed != 0) {
    close_port(dev);
    rte_eth_dev_release_port(dev);
    return failed;
  }
  rte_eth_dev_probing_finish(dev);
  return 0;
}

static int take_away(struct rte_vdev_device* vdev) {
  struct rte_eth_dev* dev = rte_eth_dev_allocated(rte_vdev_device_name(vdev));
  if (dev == NULL) return 0;
  close_port(dev);
  return rte_eth_dev_release_port(dev);
}

static struct rte_vdev_driver driver = {.probe = probe, .remove = take_away};

RTE_PMD_REGISTER_VDEV(net_mlx5_emulated, driver);
RTE_PMD_REGISTER_PARAM_STRING(net_mlx5_emulated,
                              "trace=<file> vector=0|1 compressed=0|1 core=<number> bad=<number> once=0|1 sent=<file>");

/* --- for takeover and tests ------------------------------------------------------------------------------------------- */

bool mlx5_emulated_is(uint16_t number) { return rte_eth_devices[number].dev_ops == &kOperations; }
void* mlx5_emulated_rxq(uint16_t number, uint16_t queue) { return &port_numbered(number)->receive[queue].control->rxq; }
void* mlx5_emulated_txq(uint16_t number, uint16_t queue) { return port_numbered(number)->queues[queue]; }
bool mlx5_emulated_is_vector(uint16_t number) { return port_numbered(number)->vector; }
struct mlx5_device_receive_queue* mlx5_emulated_receive_device(uint16_t number, uint16_t queue) {
  return &port_numbered(number)->receive[queue].device;
}
struct mlx5_device_transmit_queue* mlx5_emulated_transmit_device(uint16_t number, uint16_t queue) {
  return &port_numbered(number)->transmit[queue].device;
}
