/* The control path that a real port has from mlx5 and its NIC: it fills in the structs that mlx5's data path works on, as mlx5
 * would. Everything else, mlx5's own functions do. */
#include <errno.h>
#include <mlx5_common_mr.h>
#include <mlx5_prm.h>
#include <mlx5_rxtx.h>
#include <mlx5_rxtx_vec.h>
#include <rte_malloc.h>

#include "drivers/mlx5/emulated_port.h"

static void* room(size_t size) { return rte_zmalloc("mlx5_emulated", size, 4096); }

/* As rxq_free_elts_sprq: from `rq_ci` on there may be places that the vector function has not filled again. */
void mlx5_emulated_free_receive(struct receive_queue* queue, bool vector) {
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

void mlx5_emulated_free_transmit(struct transmit_queue* queue) {
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
int mlx5_emulated_set_up_receive(struct rte_eth_dev* dev, uint16_t index, uint16_t descriptors, unsigned socket,
                                 const struct rte_eth_rxconf* configuration, struct rte_mempool* pool) {
  (void)socket;
  struct port* port = port_of(dev);
  struct receive_queue* queue = &port->receive[index];
  mlx5_emulated_free_receive(queue, port->vector);
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
  rxq->rxseg_n = 1;
  rxq->rxseg[0] = (struct mlx5_eth_rxseg){
      .mp = pool,
      .length = (uint16_t)(rte_pktmbuf_data_room_size(pool) - RTE_PKTMBUF_HEADROOM),
      .offset = RTE_PKTMBUF_HEADROOM,
  };
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
int mlx5_emulated_set_up_transmit(struct rte_eth_dev* dev, uint16_t index, uint16_t descriptors, unsigned socket,
                                  const struct rte_eth_txconf* configuration) {
  (void)socket;
  struct port* port = port_of(dev);
  struct transmit_queue* queue = &port->transmit[index];
  mlx5_emulated_free_transmit(queue);
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
