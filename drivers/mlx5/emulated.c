#include "drivers/mlx5/emulated.h"

#include <bus_vdev_driver.h>
#include <errno.h>
#include <ethdev_driver.h>
#include <ethdev_vdev.h>
#include <mlx5.h>
#include <mlx5_common_mr.h>
#include <mlx5_prm.h>
#include <mlx5_rx.h>
#include <mlx5_rxtx.h>
#include <mlx5_rxtx_vec.h>
#include <mlx5_tx.h>
#include <pcap/pcap.h>
#include <pthread.h>
#include <rte_cycles.h>
#include <rte_kvargs.h>
#include <rte_malloc.h>
#include <sched.h>

/* The control path that a real port has from mlx5 and its NIC: it fills in the structs that mlx5's data path works on, as
 * mlx5 would. Everything else, mlx5's own functions do. */

enum {
  kMostQueues = 16,
  kMostFrames = 4096,
  kBurst = 32,
  kLkey = 7,
  kLogMost = 12,
  kHistogram = 1 << 16,
  kBarSize = 64
};

struct frames {
  struct mlx5_device_frame list[kMostFrames];
  uint32_t count;
};

struct receive_queue {
  struct mlx5_rxq_ctrl* control;
  struct mlx5_rxq_priv owner;
  struct mlx5_device_receive_queue device;
  /* The turn. */
  uint32_t next; /* frame of the trace */
  uint64_t given;
  uint64_t began;      /* cycle at which the last turn ended; 0: there was none */
  uint32_t* histogram; /* bursts by cycles */
  uint64_t bursts;
};

struct transmit_queue {
  struct mlx5_txq_ctrl* control;
  struct mlx5_device_transmit_queue device;
};

struct port {
  struct mlx5_priv mlx5; /* first: mlx5's functions find it as dev_private */
  struct rte_eth_dev* dev;
  struct receive_queue receive[kMostQueues];
  struct transmit_queue transmit[kMostQueues];
  struct mlx5_rxq_priv* owners[kMostQueues];
  struct mlx5_txq_data* queues[kMostQueues];
  struct rte_ether_addr address;
  struct frames* frames;
  bool vector;
  bool compressed;
  uint32_t bad;
  int core; /* -1: none of its own */
  pthread_t thread;
  bool running;
  uint32_t generation; /* of memory registrations; never changes */
  volatile uint64_t doorbell;
};

static struct port* port_of(const struct rte_eth_dev* dev) { return dev->data->dev_private; }
static struct port* port_numbered(uint16_t number) { return port_of(&rte_eth_devices[number]); }

/* --- memory --------------------------------------------------------------------------------------------------------- */

static void* room(size_t size) { return rte_zmalloc("mlx5_emulated", size, 4096); }

/* As rxq_free_elts_sprq: from `rq_ci` on there may be places that the vector function has not filled again. */
static void free_receive_queue(struct receive_queue* queue, bool vector) {
  if (queue->control == NULL) return;
  struct mlx5_rxq_data* rxq = &queue->control->rxq;
  const uint32_t places = 1u << rxq->elts_n;
  const uint16_t used = vector ? (uint16_t)(places - (rxq->rq_ci - rxq->rq_pi)) : 0;
  for (uint32_t i = used; rxq->elts != NULL && i < places; ++i)
    rte_pktmbuf_free((*rxq->elts)[(rxq->rq_ci + i) & (places - 1)]);
  rte_free((void*)(uintptr_t)rxq->rq_db);
  rte_free((void*)(uintptr_t)rxq->cq_db);
  rte_free((void*)(uintptr_t)rxq->wqes);
  rte_free((void*)(uintptr_t)rxq->cqes);
  rte_free(rxq->elts);
  rte_free(queue->control);
  rte_free(queue->histogram);
  *queue = (struct receive_queue){0};
}

static void free_transmit_queue(struct transmit_queue* queue) {
  if (queue->control == NULL) return;
  struct mlx5_txq_data* txq = &queue->control->txq;
  for (; txq->elts_tail != txq->elts_head; ++txq->elts_tail) rte_pktmbuf_free(txq->elts[txq->elts_tail & txq->elts_m]);
  rte_free(txq->wqes);
  rte_free((void*)(uintptr_t)txq->cqes);
  rte_free(txq->fcqs);
  rte_free((void*)(uintptr_t)txq->qp_db);
  rte_free((void*)(uintptr_t)txq->cq_db);
  rte_free(queue->control);
  *queue = (struct transmit_queue){0};
}

static uint8_t log_of(uint16_t descriptors) {
  uint8_t log = 6;
  while (log < kLogMost && 1u << log < descriptors) ++log;
  return log;
}

/* A mempool is registered as a whole: every address has the same key. */
static void register_memory(struct mlx5_mr_ctrl* mr, uint32_t* generation) {
  mr->dev_gen_ptr = generation;
  mr->cache_bh.len = 1;
  mr->cache[0] = (struct mr_cache_entry){.start = 1, .end = UINTPTR_MAX, .lkey = kLkey};
}

static struct mlx5_cqe* make_completions(uint32_t count) {
  struct mlx5_cqe* completions = room(count * sizeof *completions);
  for (uint32_t i = 0; completions != NULL && i < count; ++i) completions[i].op_own = MLX5_CQE_INVALIDATE;
  return completions;
}

/* As mlx5_rxq_new and mlx5_rxq_obj_new leave a queue. */
static int set_up_receive(struct rte_eth_dev* dev, uint16_t index, uint16_t descriptors, unsigned socket,
                          const struct rte_eth_rxconf* configuration, struct rte_mempool* pool) {
  (void)socket;
  struct port* port = port_of(dev);
  struct receive_queue* queue = &port->receive[index];
  free_receive_queue(queue, port->vector);
  const uint8_t log = log_of(descriptors);
  const uint32_t count = 1u << log;
  const uint64_t offloads = configuration->offloads | dev->data->dev_conf.rxmode.offloads;
  struct mlx5_rxq_ctrl* control = queue->control = room(sizeof *control);
  queue->histogram = room(kHistogram * sizeof *queue->histogram);
  if (control == NULL || queue->histogram == NULL) return -ENOMEM;
  struct mlx5_rxq_data* rxq = &control->rxq;
  rxq->csum = (offloads & RTE_ETH_RX_OFFLOAD_CHECKSUM) != 0;
  rxq->vlan_strip = (offloads & RTE_ETH_RX_OFFLOAD_VLAN_STRIP) != 0;
  rxq->rss_hash = (dev->data->dev_conf.rxmode.mq_mode & RTE_ETH_MQ_RX_RSS_FLAG) != 0 ||
                  (offloads & RTE_ETH_RX_OFFLOAD_RSS_HASH) != 0;
  rxq->mark = 1;
  rxq->elts_n = log;
  rxq->cqe_n = log;
  rxq->mcqe_format = MLX5_CQE_RESP_FORMAT_HASH;
  rxq->byte_mask = UINT32_MAX;
  rxq->port_id = dev->data->port_id;
  rxq->idx = index;
  rxq->mp = pool;
  rxq->rq_repl_thresh = MLX5_VPMD_RXQ_RPLNSH_THRESH(count);
  rxq->rq_db = room(sizeof(uint32_t));
  rxq->cq_db = room(sizeof(uint32_t));
  rxq->wqes = room(count * sizeof(struct mlx5_wqe_data_seg));
  rxq->cqes = (volatile struct mlx5_cqe(*)[])make_completions(count);
  rxq->elts = room((count + MLX5_VPMD_DESCS_PER_LOOP) * sizeof(struct rte_mbuf*));
  if (rxq->rq_db == NULL || rxq->cq_db == NULL || rxq->wqes == NULL || rxq->cqes == NULL || rxq->elts == NULL)
    return -ENOMEM;
  register_memory(&rxq->mr_ctrl, &port->generation);
  for (uint32_t i = 0; i < count; ++i) {
    struct rte_mbuf* mbuf = (*rxq->elts)[i] = rte_pktmbuf_alloc(pool);
    if (mbuf == NULL) return -ENOMEM;
    mbuf->data_len = (uint16_t)(mbuf->buf_len - RTE_PKTMBUF_HEADROOM);
    mbuf->pkt_len = mbuf->data_len;
    mbuf->port = rxq->port_id;
  }
  rxq->fake_mbuf.data_off = RTE_PKTMBUF_HEADROOM;
  rte_mbuf_refcnt_set(&rxq->fake_mbuf, 1);
  rxq->fake_mbuf.nb_segs = 1;
  rxq->fake_mbuf.port = rxq->port_id;
  rxq->mbuf_initializer = *(rte_xmm_t*)&rxq->fake_mbuf.rearm_data;
  for (uint32_t i = 0; i < MLX5_VPMD_DESCS_PER_LOOP; ++i) (*rxq->elts)[count + i] = &rxq->fake_mbuf;
  queue->owner = (struct mlx5_rxq_priv){.idx = index, .refcnt = 1, .ctrl = control, .priv = &port->mlx5};
  LIST_INSERT_HEAD(&control->owners, &queue->owner, owner_entry);
  port->owners[index] = &queue->owner;
  const int failed = mlx5_rxq_initialize(rxq);
  queue->device = (struct mlx5_device_receive_queue){
      .requests = (struct xchg_mlx5_receive_request*)(uintptr_t)rxq->wqes,
      .completions = (struct xchg_mlx5_completion*)(uintptr_t)rxq->cqes,
      .request_record = rxq->rq_db,
      .completion_record = rxq->cq_db,
      .request_log = log,
      .completion_log = log,
  };
  dev->data->rx_queues[index] = queue;
  return failed;
}

/* As mlx5_txq_new and mlx5_txq_obj_new do. */
static int set_up_transmit(struct rte_eth_dev* dev, uint16_t index, uint16_t descriptors, unsigned socket,
                           const struct rte_eth_txconf* configuration) {
  (void)socket;
  struct port* port = port_of(dev);
  struct transmit_queue* queue = &port->transmit[index];
  free_transmit_queue(queue);
  const uint8_t log = log_of(descriptors);
  const uint32_t count = 1u << log;
  struct mlx5_txq_ctrl* control = queue->control = room(sizeof *control + count * sizeof(struct rte_mbuf*));
  if (control == NULL) return -ENOMEM;
  control->priv = &port->mlx5;
  control->obj = (struct mlx5_txq_obj*)&queue->device; /* whom modify_transmit resets */
  struct mlx5_txq_data* txq = &control->txq;
  txq->elts_n = log;
  txq->elts_s = (uint16_t)count;
  txq->elts_m = (uint16_t)(count - 1);
  txq->wqe_n = log;
  txq->wqe_s = (uint16_t)count;
  txq->wqe_m = (uint16_t)(count - 1);
  /* One completion for each so many frames, and one for a batch that is smaller than that. */
  txq->cqe_n = log >= 5 ? log - 4 : 1;
  txq->cqe_s = (uint16_t)(1u << txq->cqe_n);
  txq->cqe_m = txq->cqe_s - 1;
  txq->offloads = configuration->offloads | dev->data->dev_conf.txmode.offloads;
  txq->vlan_en = (txq->offloads & RTE_ETH_TX_OFFLOAD_VLAN_INSERT) != 0;
  txq->fast_free = (txq->offloads & RTE_ETH_TX_OFFLOAD_MBUF_FAST_FREE) != 0;
  txq->db_nc = 1;
  txq->port_id = dev->data->port_id;
  txq->idx = index;
  txq->qp_num_8s = (uint32_t)(index + 1) << 8;
  txq->wqes = room(count * sizeof(struct mlx5_wqe));
  txq->cqes = make_completions(txq->cqe_s);
  txq->fcqs = room(txq->cqe_s * sizeof *txq->fcqs);
  txq->qp_db = room(sizeof(uint32_t));
  txq->cq_db = room(sizeof(uint32_t));
  if (txq->wqes == NULL || txq->cqes == NULL || txq->fcqs == NULL || txq->qp_db == NULL || txq->cq_db == NULL)
    return -ENOMEM;
  txq->wqes_end = txq->wqes + count;
  register_memory(&txq->mr_ctrl, &port->generation);
  struct mlx5_proc_priv* process = dev->process_private;
  txq->uar_data.db = (uint64_t*)(uintptr_t)&port->doorbell;
  process->uar_table[index] = txq->uar_data;
  port->queues[index] = txq;
  queue->device = (struct mlx5_device_transmit_queue){
      .blocks = (uint8_t*)txq->wqes,
      .completions = (struct xchg_mlx5_completion*)(uintptr_t)txq->cqes,
      .block_record = txq->qp_db,
      .completion_record = txq->cq_db,
      .block_log = log,
      .completion_log = txq->cqe_n,
  };
  dev->data->tx_queues[index] = queue;
  return 0;
}

/* --- the NIC's turn ------------------------------------------------------------------------------------------------- */

static void to_nobody(void* context, const struct mlx5_device_sent* frame) {
  (void)context;
  (void)frame;
}

static void give(struct port* port, struct receive_queue* queue, uint32_t most) {
  const struct frames* frames = port->frames;
  struct mlx5_device_frame session[kBurst];
  for (uint32_t i = 0; i < most; ++i) {
    const struct mlx5_device_frame* frame = &frames->list[queue->next];
    queue->next = queue->next + 1 < frames->count ? queue->next + 1 : 0;
    ++queue->given;
    session[i] = *frame;
    if (port->compressed) continue;
    if (port->bad != 0 && queue->given % port->bad == 0)
      (void)mlx5_device_receive_error(&queue->device, MLX5_CQE_SYNDROME_LOCAL_LENGTH_ERR);
    else if (!mlx5_device_receive(&queue->device, frame))
      break;
  }
  if (port->compressed) (void)mlx5_device_receive_compressed(&queue->device, session, most);
}

void mlx5_emulated_turn(uint16_t number, uint16_t index) {
  struct port* port = port_numbered(number);
  struct receive_queue* queue = &port->receive[index];
  if (port->frames == NULL || port->core >= 0) return;
  const uint64_t now = rte_rdtsc();
  const uint32_t waiting = queue->device.completion - rte_be_to_cpu_32(*queue->device.completion_record);
  if (queue->began != 0 && (waiting & 0xffff) == 0) {
    const uint64_t cycles = now - queue->began;
    ++queue->histogram[RTE_MIN(cycles, (uint64_t)kHistogram - 1)];
    ++queue->bursts;
  }
  for (uint16_t i = 0; i < port->dev->data->nb_tx_queues; ++i)
    (void)mlx5_device_transmit(&port->transmit[i].device, UINT32_MAX, to_nobody, NULL);
  queue->began = 0;
  if ((waiting & 0xffff) == 0) {
    give(port, queue, kBurst);
    queue->began = rte_rdtsc();
  }
}

static void* run_alone(void* argument) {
  struct port* port = argument;
  cpu_set_t cpus;
  CPU_ZERO(&cpus);
  CPU_SET((unsigned)port->core, &cpus);
  (void)pthread_setaffinity_np(pthread_self(), sizeof cpus, &cpus);
  while (__atomic_load_n(&port->running, __ATOMIC_ACQUIRE)) {
    for (uint16_t i = 0; i < port->dev->data->nb_rx_queues; ++i) give(port, &port->receive[i], kBurst);
    for (uint16_t i = 0; i < port->dev->data->nb_tx_queues; ++i)
      (void)mlx5_device_transmit(&port->transmit[i].device, UINT32_MAX, to_nobody, NULL);
  }
  return NULL;
}

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
  if (port->core >= 0 && port->frames != NULL) {
    port->running = true;
    if (pthread_create(&port->thread, NULL, run_alone, port) != 0) return -EAGAIN;
  }
  for (uint16_t i = 0; i < dev->data->nb_rx_queues; ++i) dev->data->rx_queue_state[i] = RTE_ETH_QUEUE_STATE_STARTED;
  for (uint16_t i = 0; i < dev->data->nb_tx_queues; ++i) dev->data->tx_queue_state[i] = RTE_ETH_QUEUE_STATE_STARTED;
  return 0;
}

static int stop(struct rte_eth_dev* dev) {
  struct port* port = port_of(dev);
  if (port->running) {
    __atomic_store_n(&port->running, false, __ATOMIC_RELEASE);
    pthread_join(port->thread, NULL);
  }
  dev->data->dev_link.link_status = RTE_ETH_LINK_DOWN;
  return 0;
}

static int close_port(struct rte_eth_dev* dev) {
  struct port* port = port_of(dev);
  if (port == NULL) return 0;
  for (unsigned i = 0; i < kMostQueues; ++i) {
    free_receive_queue(&port->receive[i], port->vector);
    free_transmit_queue(&port->transmit[i]);
  }
  for (uint32_t i = 0; port->frames != NULL && i < port->frames->count; ++i)
    rte_free((void*)(uintptr_t)port->frames->list[i].bytes);
  rte_free(port->frames);
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
    .rx_queue_setup = set_up_receive,
    .tx_queue_setup = set_up_transmit,
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

/* Frames with what a NIC makes of their headers: good checksums of IPv4, TCP and UDP. */
static int read_trace(struct port* port, const char* file) {
  char wrong[PCAP_ERRBUF_SIZE];
  pcap_t* trace = pcap_open_offline(file, wrong);
  if (trace == NULL) {
    RTE_LOG(ERR, PMD, "%s: %s\n", file, wrong);
    return -ENOENT;
  }
  port->frames = room(sizeof *port->frames);
  struct pcap_pkthdr* header = NULL;
  const u_char* bytes = NULL;
  while (port->frames != NULL && port->frames->count < kMostFrames && pcap_next_ex(trace, &header, &bytes) == 1) {
    uint8_t* copy = rte_malloc("frame", header->caplen, 64);
    if (copy == NULL) break;
    memcpy(copy, bytes, header->caplen);
    const bool ip = header->caplen >= 34 && copy[12] == 0x08 && copy[13] == 0x00;
    const bool l4 = ip && (copy[23] == 6 || copy[23] == 17);
    port->frames->list[port->frames->count] = (struct mlx5_device_frame){
        .bytes = copy,
        .length = header->caplen,
        .hash = port->frames->count * 0x9e3779b9u | 1u,
        .header_types = (uint16_t)((ip ? XCHG_MLX5_HEADER_L3_GOOD : 0) | (l4 ? XCHG_MLX5_HEADER_L4_GOOD : 0)),
        .type = (uint8_t)(ip ? 2 | (l4 ? (copy[23] == 6 ? 1u : 2u) << 2 : 0) : 0),
        .timestamp = port->frames->count,
    };
    ++port->frames->count;
  }
  pcap_close(trace);
  if (port->frames == NULL || port->frames->count == 0) {
    RTE_LOG(ERR, PMD, "%s: no frames\n", file);
    return -EINVAL;
  }
  return 0;
}

static int probe(struct rte_vdev_device* vdev) {
  static const char* const keys[] = {"trace", "vector", "compressed", "core", "bad", NULL};
  const char* trace = NULL;
  int vector = 1;
  int compressed = 0;
  int core = -1;
  int bad = 0;
  struct rte_kvargs* arguments = rte_kvargs_parse(rte_vdev_device_args(vdev), keys);
  if (arguments == NULL) return -EINVAL;
  if (rte_kvargs_process(arguments, "trace", read_text, &trace) < 0 ||
      rte_kvargs_process(arguments, "vector", read_number, &vector) < 0 ||
      rte_kvargs_process(arguments, "compressed", read_number, &compressed) < 0 ||
      rte_kvargs_process(arguments, "core", read_number, &core) < 0 ||
      rte_kvargs_process(arguments, "bad", read_number, &bad) < 0) {
    rte_kvargs_free(arguments);
    return -EINVAL;
  }
  struct rte_eth_dev* dev = rte_eth_vdev_allocate(vdev, sizeof(struct port));
  if (dev == NULL) {
    rte_kvargs_free(arguments);
    return -ENOMEM;
  }
  struct port* port = port_of(dev);
  int failed = trace == NULL ? 0 : read_trace(port, trace);
  rte_kvargs_free(arguments);
  port->dev = dev;
  port->vector = vector != 0;
  port->compressed = compressed != 0;
  port->core = core;
  port->bad = (uint32_t)bad;
  port->address = (struct rte_ether_addr){{0x98, 0x03, 0x9b, 0x33, 0xfe, (uint8_t)dev->data->port_id}};
  port->mlx5.dev_data = dev->data;
  port->mlx5.rxq_privs = (void*)&port->owners;
  port->mlx5.txqs = &port->queues;
  port->mlx5.obj_ops.rxq_obj_modify = modify_receive;
  port->mlx5.obj_ops.txq_obj_modify = modify_transmit;
  struct mlx5_proc_priv* process = room(sizeof *process + kMostQueues * sizeof process->uar_table[0]);
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
RTE_PMD_REGISTER_PARAM_STRING(net_mlx5_emulated, "trace=<file> vector=0|1 compressed=0|1 core=<number> bad=<number>");

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
