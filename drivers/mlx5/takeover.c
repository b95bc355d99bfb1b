/* Between mlx5's own queues and the data paths' view of them. The only file that knows the driver's private structs: what
 * differs between releases of DPDK is here, and what the data paths take for granted is asserted here. */
#include <assert.h>
#include <errno.h>
#include <mlx5.h>
#include <mlx5_common_mr.h>
#include <mlx5_prm.h>
#include <mlx5_rx.h>
#include <mlx5_rxtx.h>
#include <mlx5_tx.h>
#include <rte_mbuf.h>

#include "drivers/buffers.h"
#include "drivers/mlx5/queues.h"
#include "drivers/mlx5/receive.h"

/* What mlx5_rx_err_handle answers, defined in mlx5_rx.c. */
enum { MLX5_RECOVERY_IGNORE_RET = 1, MLX5_RECOVERY_COMPLETED_RET = 2 };

#define SAME_PLACE(ours, our_field, theirs, their_field)                                              \
  static_assert(offsetof(struct ours, our_field) == offsetof(struct theirs, their_field) &&           \
                    sizeof(((struct ours*)0)->our_field) == sizeof(((struct theirs*)0)->their_field), \
                "this DPDK's mlx5 has another " #theirs ": see drivers/mlx5/README.md for releases that are known")

static_assert(sizeof(struct xchg_mlx5_completion) == sizeof(struct mlx5_cqe), "completion");
SAME_PLACE(xchg_mlx5_completion, packet_info, mlx5_cqe, pkt_info);
SAME_PLACE(xchg_mlx5_completion, hash, mlx5_cqe, rx_hash_res);
SAME_PLACE(xchg_mlx5_completion, header_types, mlx5_cqe, hdr_type_etc);
SAME_PLACE(xchg_mlx5_completion, vlan_tci, mlx5_cqe, vlan_info);
SAME_PLACE(xchg_mlx5_completion, byte_count, mlx5_cqe, byte_cnt);
SAME_PLACE(xchg_mlx5_completion, timestamp, mlx5_cqe, timestamp);
SAME_PLACE(xchg_mlx5_completion, mark, mlx5_cqe, sop_drop_qpn);
SAME_PLACE(xchg_mlx5_completion, request, mlx5_cqe, wqe_counter);
SAME_PLACE(xchg_mlx5_completion, owner, mlx5_cqe, op_own);
static_assert(sizeof(struct xchg_mlx5_mini) == sizeof(struct mlx5_mini_cqe8), "mini completion");
static_assert(sizeof(struct xchg_mlx5_receive_request) == sizeof(struct mlx5_wqe_data_seg), "receive request");
SAME_PLACE(xchg_mlx5_receive_request, address, mlx5_wqe_data_seg, addr);
static_assert(sizeof(struct xchg_mlx5_control) == sizeof(struct mlx5_wqe_cseg), "control segment");
SAME_PLACE(xchg_mlx5_control, queue_and_segments, mlx5_wqe_cseg, sq_ds);
SAME_PLACE(xchg_mlx5_control, flags, mlx5_wqe_cseg, flags);
static_assert(sizeof(struct xchg_mlx5_ethernet) == sizeof(struct mlx5_wqe_eseg), "Ethernet segment");
SAME_PLACE(xchg_mlx5_ethernet, checksums, mlx5_wqe_eseg, cs_flags);
SAME_PLACE(xchg_mlx5_ethernet, inline_size, mlx5_wqe_eseg, inline_hdr_sz);
SAME_PLACE(xchg_mlx5_ethernet, inline_start, mlx5_wqe_eseg, vlan_tag);
static_assert(sizeof(struct xchg_mlx5_data) == sizeof(struct mlx5_wqe_dseg), "data segment");
SAME_PLACE(xchg_mlx5_data, address, mlx5_wqe_dseg, pbuf);
static_assert(XCHG_MLX5_BLOCK_SIZE == MLX5_WQE_SIZE, "block");
static_assert(offsetof(struct mlx5_rxq_stats, ibytes) - offsetof(struct mlx5_rxq_stats, ipackets) ==
                  offsetof(struct xchg_mlx5_counters, bytes),
              "receive counters");
static_assert(offsetof(struct mlx5_txq_stats, obytes) - offsetof(struct mlx5_txq_stats, opackets) ==
                  offsetof(struct xchg_mlx5_counters, bytes),
              "transmit counters");

extern uint32_t mlx5_ptype_table[];

static uint8_t log2_of(uint32_t power) { return (uint8_t)__builtin_ctz(power); }

static int refuse(const char** reason, const char* why) {
  *reason = why;
  return -ENOTSUP;
}

/* The vector path gives buffers back to the NIC many at a time, and has places without one between `rq_ci` and what it has
 * consumed; here the ring is always full. */
static int fill(struct mlx5_rxq_data* rxq) {
  const uint32_t places = 1u << rxq->elts_n;
  const uint32_t consumed = rxq->rq_pi;
  struct mlx5_wqe_data_seg* requests = (struct mlx5_wqe_data_seg*)(uintptr_t)rxq->wqes;
  for (; rxq->rq_ci != consumed + places; ++rxq->rq_ci) {
    struct rte_mbuf* mbuf = rte_mbuf_raw_alloc(rxq->mp);
    if (mbuf == NULL) return -ENOMEM;
    const uint32_t place = rxq->rq_ci & (places - 1);
    (*rxq->elts)[place] = mbuf;
    requests[place].addr = rte_cpu_to_be_64((uintptr_t)xchg_buffer_of(mbuf));
  }
  rte_io_wmb();
  *rxq->rq_db = rte_cpu_to_be_32(rxq->rq_ci);
  return 0;
}

bool xchg_mlx5_is_vector(uint16_t port) { return rte_eth_devices[port].rx_pkt_burst == mlx5_rx_burst_vec; }

int xchg_mlx5_receive_takeover(void* driver, bool vector, struct rte_mempool* pool,
                               struct xchg_mlx5_receive_queue* queue, const char** reason) {
  struct mlx5_rxq_data* rxq = driver;
  if (rte_eth_devices[rxq->port_id].data->rx_queue_state[rxq->idx] == RTE_ETH_QUEUE_STATE_STOPPED)
    return refuse(reason, "a receive queue is stopped");
  if (rxq->mp != pool) return refuse(reason, "frames are received into another mempool");
  if (rxq->sges_n != 0)
    return refuse(reason, "frames may be of several segments: buffers must hold the greatest frame");
  if (rxq->mprq_bufs != NULL) return refuse(reason, "multi-packet receive requests: start the port with mprq_en=0");
  if (rxq->lro) return refuse(reason, "large receive offload is on");
  if (rxq->shared) return refuse(reason, "the queue is shared between ports");
  if (rxq->rxseg_n > 1) return refuse(reason, "buffers are split");
  if (mlx5_mr_btree_len(&rxq->mr_ctrl.cache_bh) > 1)
    return refuse(reason, "the mempool lies in several registered regions: use larger pages");
  if (vector) {
    if (rxq->decompressed != 0) return refuse(reason, "frames wait half received: stop the traffic first");
    const int failed = fill(rxq);
    if (failed != 0) {
      *reason = "no buffers";
      return failed;
    }
  } else if (rxq->zip.ai != 0) {
    return refuse(reason, "frames wait half received: stop the traffic first");
  }
  *queue = (struct xchg_mlx5_receive_queue){
      .completions = (struct xchg_mlx5_completion*)(uintptr_t)*rxq->cqes,
      .requests = (struct xchg_mlx5_receive_request*)(uintptr_t)rxq->wqes,
      .completion = rxq->cq_ci,
      .request = rxq->rq_ci,
      .completion_mask = (1u << rxq->cqe_n) - 1,
      .request_mask = (1u << rxq->elts_n) - 1,
      .completion_log = rxq->cqe_n,
      .vector = vector,
      .check_sequence = rxq->crc_present ? RTE_ETHER_CRC_LEN : 0,
      .has_checksums = rxq->csum,
      .has_hash = rxq->rss_hash,
      .has_mark = rxq->mark,
      .strips_vlan = rxq->vlan_strip,
      .port = rxq->port_id,
      .completion_record = rxq->cq_db,
      .request_record = rxq->rq_db,
      .statistics = (struct xchg_mlx5_counters*)&rxq->stats.ipackets,
      .packet_types = mlx5_ptype_table,
      .driver = rxq,
  };
  return 0;
}

void xchg_mlx5_receive_release(struct xchg_mlx5_receive_queue* queue) {
  struct mlx5_rxq_data* rxq = queue->driver;
  for (uint32_t i = 0; i <= queue->request_mask; ++i) {
    void* buffer = (void*)(uintptr_t)rte_be_to_cpu_64(queue->requests[i].address);
    struct rte_mbuf* mbuf = xchg_mbuf_of(rxq->mp, buffer);
    /* The driver finds the buffer's size there. */
    mbuf->data_len = (uint16_t)(mbuf->buf_len - RTE_PKTMBUF_HEADROOM);
    mbuf->pkt_len = mbuf->data_len;
    mbuf->port = rxq->port_id;
    (*rxq->elts)[i] = mbuf;
  }
  rxq->cq_ci = queue->completion;
  rxq->rq_ci = queue->request;
  rxq->rq_pi = queue->request - (queue->request_mask + 1); /* the vector path's: all are with the NIC */
}

/* Of the driver's slots, the `i`th from the oldest frame under way on. */
static void** slot_of(struct mlx5_txq_data* txq, uint16_t i) {
  return (void**)&txq->elts[(uint16_t)(txq->elts_tail + i) & txq->elts_m];
}

int xchg_mlx5_transmit_takeover(void* driver, struct rte_mempool* pool, struct xchg_mlx5_transmit_queue* queue,
                                const char** reason) {
  struct mlx5_txq_data* txq = driver;
  if (rte_eth_devices[txq->port_id].data->tx_queue_state[txq->idx] == RTE_ETH_QUEUE_STATE_STOPPED)
    return refuse(reason, "a transmit queue is stopped");
  if (txq->offloads & RTE_ETH_TX_OFFLOAD_SEND_ON_TIMESTAMP) return refuse(reason, "frames are sent by the clock");
  const uint16_t busy = txq->elts_head - txq->elts_tail;
  for (uint16_t i = 0; i != busy; ++i) {
    const struct rte_mbuf* mbuf = *slot_of(txq, i);
    if (mbuf->pool != pool || !RTE_MBUF_DIRECT(mbuf) || rte_mbuf_refcnt_read(mbuf) != 1 || mbuf->next != NULL)
      return refuse(reason, "frames of another mempool are under way: let them be sent first");
  }
  for (uint16_t i = 0; i != busy; ++i) {
    void** slot = slot_of(txq, i);
    *slot = xchg_buffer_of(*slot);
  }
  for (uint16_t i = busy; i != txq->elts_s; ++i) {
    struct rte_mbuf* mbuf = rte_mbuf_raw_alloc(pool);
    void** slot = slot_of(txq, i);
    *slot = mbuf == NULL ? NULL : xchg_buffer_of(mbuf);
    if (mbuf != NULL) continue;
    /* Undone, for the driver to go on with. */
    for (uint16_t k = 0; k != i; ++k) {
      void** other = slot_of(txq, k);
      mbuf = xchg_mbuf_of(pool, *other);
      if (k >= busy) rte_mbuf_raw_free(mbuf);
      *other = mbuf;
    }
    *reason = "no buffers for the transmit ring";
    return -ENOMEM;
  }
  struct rte_mbuf* any = xchg_mbuf_of(pool, *slot_of(txq, 0));
  *queue = (struct xchg_mlx5_transmit_queue){
      .blocks = (uint8_t*)txq->wqes,
      .end = (uint8_t*)txq->wqes_end,
      .slots = (void**)txq->elts,
      .head = txq->elts_head,
      .tail = txq->elts_tail,
      .asked = txq->elts_comp,
      .slot_count = txq->elts_s,
      .slot_mask = txq->elts_m,
      .block = txq->wqe_ci,
      .block_done = txq->wqe_pi,
      .block_count = txq->wqe_s,
      .block_mask = txq->wqe_m,
      .completion = txq->cq_ci,
      .completion_asked = txq->cq_pi,
      .completion_mask = txq->cqe_m,
      .completion_log = log2_of(txq->cqe_s),
      .doorbell_is_uncached = txq->db_nc,
      .doorbell_is_cached_sometimes = txq->db_heu,
      .queue_number = txq->qp_num_8s,
      .lkey = mlx5_mr_mb2mr(&txq->mr_ctrl, any),
      .completions = (struct xchg_mlx5_completion*)(uintptr_t)txq->cqes,
      .slots_done = txq->fcqs,
      .completion_record = txq->cq_db,
      .block_record = txq->qp_db,
      .doorbell = (volatile uint64_t*)mlx5_tx_bfreg(txq)->db,
      .statistics = (struct xchg_mlx5_counters*)&txq->stats.opackets,
      .pool = pool,
      .driver = txq,
  };
  return 0;
}

void xchg_mlx5_transmit_release(struct xchg_mlx5_transmit_queue* queue) {
  struct mlx5_txq_data* txq = queue->driver;
  const uint16_t busy = queue->head - queue->tail;
  txq->elts_head = queue->head;
  txq->elts_tail = queue->tail;
  for (uint16_t i = 0; i != queue->slot_count; ++i) {
    void** slot = slot_of(txq, i);
    struct rte_mbuf* mbuf = xchg_mbuf_of(queue->pool, *slot);
    *slot = mbuf; /* under way: the driver frees it when it is sent; others are empty places to it */
    if (i >= busy) rte_mbuf_raw_free(mbuf);
  }
  txq->elts_comp = queue->asked;
  txq->wqe_ci = queue->block;
  txq->wqe_pi = queue->block_done;
  txq->cq_ci = queue->completion;
  txq->cq_pi = queue->completion_asked;
}

/* A compressed session: a title, and then in the places of the completions that follow eight at a time what differs. Each
 * array is read before its places, and those of no later one, become ordinary completions. Where the arrays lie: the first
 * one place after the title, the others where their own packets' completions would be. */
static void expand(struct xchg_mlx5_receive_queue* queue, uint32_t first) {
  const struct xchg_mlx5_completion title = queue->completions[first & queue->completion_mask];
  const uint32_t count = rte_be_to_cpu_32(title.byte_count);
  for (uint32_t done = 0; done < count; done += 8) {
    const uint32_t array = done == 0 ? first + 1 : first + done;
    struct xchg_mlx5_mini minis[8];
    memcpy(minis, &queue->completions[array & queue->completion_mask], sizeof minis);
    for (uint32_t i = 0; i < 8 && done + i < count; ++i) {
      const uint32_t index = first + done + i;
      struct xchg_mlx5_completion completion = title;
      completion.byte_count = minis[i].byte_count;
      completion.hash = minis[i].hash;
      completion.owner = XCHG_MLX5_RESPONDER_SEND << 4 | (index >> queue->completion_log & 1);
      queue->completions[index & queue->completion_mask] = completion;
    }
  }
}

bool xchg_mlx5_receive_rare(struct xchg_mlx5_receive_queue* queue, uint32_t completion, uint32_t request,
                            bool written) {
  queue->completion = completion;
  queue->request = request;
  const uint8_t owner = queue->completions[completion & queue->completion_mask].owner;
  if (written && !queue->recovering && xchg_mlx5_opcode(owner) != XCHG_MLX5_RESPONDER_ERROR) {
    expand(queue, completion);
    return true;
  }
  struct mlx5_rxq_data* rxq = queue->driver;
  xchg_mlx5_receive_release(queue);
  /* What mlx5_rx_poll_len makes of its answers. */
  uint16_t skipped = 0;
  const int answer = mlx5_rx_err_handle(rxq, 0, 1, &skipped);
  bool more = true;
  if (answer == MLX5_RECOVERY_IGNORE_RET) { /* this frame is lost; its buffer stays where it is */
    ++rxq->cq_ci;
    ++rxq->rq_ci;
    ++rxq->rq_pi;
    ++rxq->stats.idropped;
  } else if (answer == MLX5_CQE_STATUS_ERR || answer == MLX5_CQE_STATUS_SW_OWN) { /* one of a queue that is reset */
    ++rxq->cq_ci;
    ++rxq->stats.idropped;
  } else {
    more = answer == MLX5_RECOVERY_COMPLETED_RET;
  }
  const char* reason = NULL;
  (void)xchg_mlx5_receive_takeover(rxq, queue->vector, rxq->mp, queue,
                                   &reason); /* the ring is full: nothing is asked for */
  queue->recovering = rxq->err_state != MLX5_RXQ_ERR_STATE_NO_ERROR;
  xchg_mlx5_receive_tell(queue);
  return more;
}

/* The driver resets the queue and frees the frames that were under way. Where there are then no buffers for the ring, the queue
 * has no slots, and the next burst tries again. */
void xchg_mlx5_transmit_recover(struct xchg_mlx5_transmit_queue* queue) {
  struct mlx5_txq_data* txq = queue->driver;
  const char* reason = NULL;
  if (queue->slot_count != 0) {
    xchg_mlx5_transmit_release(queue);
    mlx5_tx_handle_completion(txq, 0);
  }
  if (xchg_mlx5_transmit_takeover(txq, queue->pool, queue, &reason) != 0) queue->slot_count = 0;
}
