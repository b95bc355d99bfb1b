/* Between virtio's own queues and the data paths' view of them. The only file that knows the driver's private structs: what
 * differs between releases of DPDK is here, and what the data paths take for granted is asserted here. */
#include <assert.h>
#include <errno.h>
#include <rte_mbuf.h>
#include <stdlib.h>
#include <string.h>
#include <virtio.h>
#include <virtio_ethdev.h>
#include <virtio_rxtx_simple.h>
#include <virtio_user/virtio_user_dev.h>
#include <virtqueue.h>

#include "drivers/buffers.h"
#include "drivers/virtio/receive.h"

#define SAME_PLACE(ours, our_field, theirs, their_field)                                              \
  static_assert(offsetof(struct ours, our_field) == offsetof(struct theirs, their_field) &&           \
                    sizeof(((struct ours*)0)->our_field) == sizeof(((struct theirs*)0)->their_field), \
                "this DPDK's virtio has another " #theirs                                             \
                ": see drivers/virtio/README.md for releases that are known")

static_assert(sizeof(struct xchg_virtio_descriptor) == sizeof(struct vring_desc), "descriptor");
SAME_PLACE(xchg_virtio_descriptor, address, vring_desc, addr);
SAME_PLACE(xchg_virtio_descriptor, length, vring_desc, len);
SAME_PLACE(xchg_virtio_descriptor, flags, vring_desc, flags);
SAME_PLACE(xchg_virtio_descriptor, next, vring_desc, next);
SAME_PLACE(xchg_virtio_head, flags, vring_avail, flags);
SAME_PLACE(xchg_virtio_head, index, vring_avail, idx);
static_assert(offsetof(struct vring_avail, ring) == sizeof(struct xchg_virtio_head), "available ring");
SAME_PLACE(xchg_virtio_head, flags, vring_used, flags);
SAME_PLACE(xchg_virtio_head, index, vring_used, idx);
static_assert(offsetof(struct vring_used, ring) == sizeof(struct xchg_virtio_head), "used ring");
static_assert(sizeof(struct xchg_virtio_used) == sizeof(struct vring_used_elem), "used element");
SAME_PLACE(xchg_virtio_used, id, vring_used_elem, id);
SAME_PLACE(xchg_virtio_used, length, vring_used_elem, len);
static_assert(sizeof(struct xchg_virtio_packed) == sizeof(struct vring_packed_desc), "packed descriptor");
SAME_PLACE(xchg_virtio_packed, address, vring_packed_desc, addr);
SAME_PLACE(xchg_virtio_packed, length, vring_packed_desc, len);
SAME_PLACE(xchg_virtio_packed, id, vring_packed_desc, id);
SAME_PLACE(xchg_virtio_packed, flags, vring_packed_desc, flags);
SAME_PLACE(xchg_virtio_event, flags, vring_packed_desc_event, desc_event_flags);
static_assert(sizeof(struct xchg_virtio_header) == sizeof(struct virtio_net_hdr_mrg_rxbuf), "header");
SAME_PLACE(xchg_virtio_header, flags, virtio_net_hdr, flags);
SAME_PLACE(xchg_virtio_header, checksum_start, virtio_net_hdr, csum_start);
SAME_PLACE(xchg_virtio_header, checksum_offset, virtio_net_hdr, csum_offset);
SAME_PLACE(xchg_virtio_header, buffers, virtio_net_hdr_mrg_rxbuf, num_buffers);
static_assert(sizeof(struct xchg_virtio_region) == sizeof(struct virtio_tx_region), "region");
SAME_PLACE(xchg_virtio_region, header, virtio_tx_region, tx_hdr);
SAME_PLACE(xchg_virtio_region, split, virtio_tx_region, tx_indir);
SAME_PLACE(xchg_virtio_region, packed, virtio_tx_region, tx_packed_indir);
static_assert(sizeof(struct xchg_virtio_slot) == sizeof(struct vq_desc_extra), "slot");
SAME_PLACE(xchg_virtio_slot, buffer, vq_desc_extra, cookie);
SAME_PLACE(xchg_virtio_slot, descriptors, vq_desc_extra, ndescs);
SAME_PLACE(xchg_virtio_slot, next, vq_desc_extra, next);
SAME_PLACE(xchg_virtio_counters, packets, virtnet_stats, packets);
SAME_PLACE(xchg_virtio_counters, bytes, virtnet_stats, bytes);
SAME_PLACE(xchg_virtio_counters, errors, virtnet_stats, errors);
static_assert(XCHG_VIRTIO_ROUND == VRING_PACKED_DESC_F_AVAIL_USED && XCHG_VIRTIO_WRITE == VRING_DESC_F_WRITE, "flags");

static int refuse(const char** reason, const char* why) {
  *reason = why;
  return -ENOTSUP;
}

/* What both directions ask of a port: one mempool of ordinary buffers, and that the driver leaves its rings alone meanwhile. */
static int check(const struct virtqueue* vq, const struct rte_mempool* pool, const char** reason) {
  const struct rte_eth_dev* dev = &rte_eth_devices[vq->hw->port_id];
  if (rte_pktmbuf_priv_flags((struct rte_mempool*)(uintptr_t)pool) & RTE_PKTMBUF_POOL_F_PINNED_EXT_BUF)
    return refuse(reason, "the mempool's buffers are external");
  if (dev->data->dev_conf.intr_conf.lsc)
    return refuse(reason, "link interrupts are on, at which the driver itself may send");
  const bool is_user = strcmp(dev->device->driver->name, "net_virtio_user") == 0;
  if (is_user && virtio_with_packed_queue(vq->hw) && container_of(vq->hw, struct virtio_user_dev, hw)->is_server)
    return refuse(reason, "the driver resets packed rings when a client connects again: start the port with server=0");
  return 0;
}

/* What a ring of either kind and direction has, whose buffers are like `any`. */
static struct xchg_virtio_ring ring_of(struct virtqueue* vq, struct virtnet_stats* statistics,
                                       const struct rte_mbuf* any) {
  struct xchg_virtio_ring ring = {
      .slots = (struct xchg_virtio_slot*)vq->vq_descx,
      .size = vq->vq_nentries,
      .mask = vq->vq_nentries - 1,
      .next_available = vq->vq_avail_idx,
      .next_used = vq->vq_used_cons_idx,
      .header_size = (uint8_t)vq->hw->vtnet_hdr_size,
      .packed = virtio_with_packed_queue(vq->hw),
      .in_order = virtio_with_feature(vq->hw, VIRTIO_F_IN_ORDER),
      .weak_barriers = vq->hw->weak_barriers,
      .translated = vq->mbuf_addr_offset != offsetof(struct rte_mbuf, buf_addr) &&
                    rte_mbuf_iova_get(any) != (uintptr_t)any->buf_addr,
      .mbuf_distance = (uint16_t)((const uint8_t*)xchg_buffer_of(any) - (const uint8_t*)any),
      .statistics = (struct xchg_virtio_counters*)statistics,
      .driver = vq,
  };
  if (ring.packed) {
    ring.packed_ring = (struct xchg_virtio_packed*)vq->vq_packed.ring.desc;
    ring.device_event = (const volatile struct xchg_virtio_event*)vq->vq_packed.ring.device;
    ring.available_flags = vq->vq_packed.cached_flags;
    ring.used_flags = vq->vq_packed.used_wrap_counter ? XCHG_VIRTIO_ROUND : 0;
  } else {
    ring.table = (struct xchg_virtio_descriptor*)vq->vq_split.ring.desc;
    ring.available = (volatile struct xchg_virtio_head*)vq->vq_split.ring.avail;
    ring.available_ring = vq->vq_split.ring.avail->ring;
    ring.used = (const volatile struct xchg_virtio_head*)vq->vq_split.ring.used;
    ring.used_ring = (const struct xchg_virtio_used*)vq->vq_split.ring.used->ring;
  }
  return ring;
}

static void give_ring(const struct xchg_virtio_ring* ring) {
  struct virtqueue* vq = ring->driver;
  vq->vq_used_cons_idx = ring->next_used;
  vq->vq_avail_idx = ring->next_available;
  if (!ring->packed) return;
  vq->vq_packed.cached_flags = ring->available_flags;
  vq->vq_packed.used_wrap_counter = ring->used_flags != 0;
}

/* --- receive ---------------------------------------------------------------------------------------------------------- */

/* The vector function of split rings has its mbufs elsewhere, takes it that they come back in order, and gives the device
 * this many at a time. */
static bool is_split_vector(const struct virtqueue* vq) {
  return vq->hw->use_vec_rx && !virtio_with_packed_queue(vq->hw);
}
enum { VECTOR_LOT = RTE_VIRTIO_VPMD_RX_REARM_THRESH };

/* Its mbufs into the slots. Those that make up for the lot that it has not given yet wait there. */
static int take_vector(struct virtqueue* vq) {
  const uint16_t mask = vq->vq_nentries - 1;
  const uint16_t end = vq->vq_used_cons_idx + vq->vq_nentries;
  uint16_t i = vq->vq_avail_idx;
  for (; i != end; ++i) {
    vq->sw_ring[i & mask] = rte_mbuf_raw_alloc(vq->rxq.mpool);
    if (vq->sw_ring[i & mask] == NULL) break;
  }
  if (i != end) {
    while (i-- != vq->vq_avail_idx) rte_mbuf_raw_free(vq->sw_ring[i & mask]);
    return -ENOMEM;
  }
  for (i = 0; i <= mask; ++i) vq->vq_descx[i].cookie = vq->sw_ring[i];
  return 0;
}

static void give_vector(struct virtqueue* vq, uint16_t next_available) {
  const uint16_t mask = vq->vq_nentries - 1;
  vq->vq_avail_idx = next_available & -VECTOR_LOT;
  vq->vq_free_cnt = next_available - vq->vq_avail_idx;
  for (uint16_t i = vq->vq_avail_idx; i != next_available; ++i) rte_mbuf_raw_free(vq->vq_descx[i & mask].cookie);
  for (uint16_t i = 0; i <= mask; ++i) {
    vq->sw_ring[i] = vq->vq_descx[i].cookie;
    vq->vq_descx[i].cookie = NULL;
  }
}

/* A driver that is asked for no frames fills its ring. Of a packed one, its vector function would leave some places. */
static int fill(struct virtqueue* vq) {
  if (is_split_vector(vq)) return take_vector(vq);
  if (virtio_with_packed_queue(vq->hw))
    (void)virtio_recv_pkts_packed(&vq->rxq, NULL, 0);
  else if (vq->hw->use_inorder_rx)
    (void)virtio_recv_pkts_inorder(&vq->rxq, NULL, 0);
  else
    (void)virtio_recv_pkts(&vq->rxq, NULL, 0);
  return vq->vq_free_cnt == 0 ? 0 : -ENOMEM;
}

static int check_receive(const struct virtqueue* vq, const struct rte_mempool* pool, const char** reason) {
  if (vq->rxq.mpool != pool) return refuse(reason, "the port receives into another mempool");
  if (vq->hw->rx_ol_scatter)
    return refuse(reason, "frames may be of several segments: buffers must hold the greatest frame");
  if (vq->hw->vlan_strip) return refuse(reason, "VLAN tags are stripped, which the device does not do");
  if (virtio_with_feature(vq->hw, VIRTIO_NET_F_GUEST_TSO4) || virtio_with_feature(vq->hw, VIRTIO_NET_F_GUEST_TSO6))
    return refuse(reason, "large receive offload is on");
  return check(vq, pool, reason);
}

int xchg_virtio_receive_takeover(void* rxq, struct rte_mempool* pool, struct xchg_virtio_receive_queue* queue,
                                 const char** reason) {
  struct virtqueue* vq = virtnet_rxq_to_vq((struct virtnet_rx*)rxq);
  int failed = check_receive(vq, pool, reason);
  if (failed != 0) return failed;
  failed = fill(vq);
  if (failed != 0) {
    *reason = "no buffers for the receive ring";
    return failed;
  }
  if (virtio_with_packed_queue(vq->hw) && vq->vq_avail_idx != vq->vq_used_cons_idx)
    return refuse(reason, "a packed ring must be full: set up as many receive descriptors as it has places");
  const struct rte_mbuf* any = NULL;
  for (uint16_t i = 0; i < vq->vq_nentries && any == NULL; ++i) any = vq->vq_descx[i].cookie;
  *queue = (struct xchg_virtio_receive_queue){
      .ring = ring_of(vq, &vq->rxq.stats, any),
      .buffer_size = (uint32_t)(any->buf_len - RTE_PKTMBUF_HEADROOM + vq->hw->vtnet_hdr_size),
      .lots = UINT16_MAX,
      .port = vq->rxq.port_id,
      .merged = virtio_with_feature(vq->hw, VIRTIO_NET_F_MRG_RXBUF),
      .has_checksums = virtio_with_feature(vq->hw, VIRTIO_NET_F_GUEST_CSUM),
  };
  struct xchg_virtio_ring* ring = &queue->ring;
  for (uint16_t i = 0; i < ring->size; ++i) {
    struct xchg_virtio_slot* slot = &ring->slots[i];
    if (slot->buffer != NULL) slot->buffer = xchg_buffer_of(slot->buffer);
    if (ring->packed) continue;
    /* Those that are not in use, too: the data path writes addresses only. */
    ring->table[i].length = queue->buffer_size;
    ring->table[i].flags = XCHG_VIRTIO_WRITE;
  }
  if (!is_split_vector(vq)) return 0;
  ring->in_order = true;
  queue->lots = (uint16_t)-VECTOR_LOT;
  for (uint16_t i = vq->vq_avail_idx; i != (uint16_t)(ring->next_used + ring->size); ++i) {
    uint8_t* buffer = ring->slots[i & ring->mask].buffer;
    ring->table[i & ring->mask].address = xchg_virtio_address(ring, buffer, buffer - ring->header_size);
  }
  ring->next_available = ring->next_used + ring->size;
  rte_io_wmb();
  ring->available->index = ring->next_available & queue->lots;
  xchg_virtio_kick(ring);
  return 0;
}

void xchg_virtio_receive_release(struct xchg_virtio_receive_queue* queue) {
  struct xchg_virtio_ring* ring = &queue->ring;
  struct virtqueue* vq = ring->driver;
  for (uint16_t i = 0; i < ring->size; ++i) {
    struct xchg_virtio_slot* slot = &ring->slots[i];
    if (slot->buffer == NULL) continue;
    struct rte_mbuf* mbuf = xchg_mbuf_of(vq->rxq.mpool, slot->buffer);
    rte_pktmbuf_reset(mbuf);
    mbuf->port = queue->port; /* the vector functions take it that this is there */
    slot->buffer = mbuf;
  }
  /* The driver's own count of the same: only where it works in order does it go on. */
  if (vq->hw->use_inorder_rx) vq->vq_desc_head_idx += (uint16_t)(ring->next_available - vq->vq_avail_idx);
  if (ring->packed) ring->next_available = ring->next_used; /* it is full */
  give_ring(ring);
  if (is_split_vector(vq)) give_vector(vq, ring->next_available);
}

/* --- transmit --------------------------------------------------------------------------------------------------------- */

/* How many frames are under way. */
static int count_busy(const struct virtqueue* vq, const struct rte_mempool* pool, const char** reason) {
  int busy = 0;
  for (uint16_t i = 0; i < vq->vq_nentries; ++i) {
    const struct rte_mbuf* mbuf = vq->vq_descx[i].cookie;
    if (mbuf == NULL) continue;
    ++busy;
    if (mbuf->pool != pool || !RTE_MBUF_DIRECT(mbuf) || rte_mbuf_refcnt_read(mbuf) != 1 || mbuf->next != NULL)
      return refuse(reason, "frames of another mempool are under way: let them be sent first");
    if (vq->vq_descx[i].ndescs != 1)
      return refuse(reason, "frames of several descriptors are under way: let them be sent first");
  }
  return busy;
}

static int check_transmit(const struct virtqueue* vq, const struct rte_mempool* pool, const char** reason) {
  if (rte_eth_devices[vq->hw->port_id].data->dev_conf.txmode.offloads & RTE_ETH_TX_OFFLOAD_VLAN_INSERT)
    return refuse(reason, "VLAN tags are inserted, which the device does not do");
  if (!virtio_with_feature(vq->hw, VIRTIO_RING_F_INDIRECT_DESC))
    return refuse(reason, "the device does not know indirect descriptors");
  return check(vq, pool, reason);
}

/* The ids that are free, in the slots for rings of either kind. */
static void take_free_ids(struct virtqueue* vq) {
  if (virtio_with_packed_queue(vq->hw)) return;
  const struct vring_desc* table = vq->vq_split.ring.desc;
  for (uint16_t id = vq->vq_desc_head_idx; id != VQ_RING_DESC_CHAIN_END; id = table[id].next)
    vq->vq_descx[id].next = table[id].next;
}

static void give_free_ids(struct virtqueue* vq, uint16_t first) {
  vq->vq_desc_head_idx = first;
  vq->vq_desc_tail_idx = VQ_RING_DESC_CHAIN_END;
  for (uint16_t id = first; id != VQ_RING_DESC_CHAIN_END; id = vq->vq_descx[id].next) {
    vq->vq_desc_tail_idx = id;
    if (!virtio_with_packed_queue(vq->hw)) vq->vq_split.ring.desc[id].next = vq->vq_descx[id].next;
  }
}

int xchg_virtio_transmit_takeover(void* txq, struct rte_mempool* pool, struct xchg_virtio_transmit_queue* queue,
                                  const char** reason) {
  struct virtqueue* vq = virtnet_txq_to_vq((struct virtnet_tx*)txq);
  const bool in_order = virtio_with_feature(vq->hw, VIRTIO_F_IN_ORDER);
  const int failed = check_transmit(vq, pool, reason);
  if (failed != 0) return failed;
  const int busy = count_busy(vq, pool, reason);
  if (busy < 0) return busy;
  const unsigned spare_count = (unsigned)(vq->vq_nentries - busy);
  void** spares = calloc(vq->vq_nentries, sizeof *spares);
  if (spares == NULL || rte_mempool_get_bulk(pool, spares, spare_count) != 0) {
    free(spares);
    *reason = "no buffers for the transmit ring";
    return -ENOMEM;
  }
  struct rte_mbuf** next_spare = (struct rte_mbuf**)spares;
  const struct rte_mbuf* any = NULL;
  for (uint16_t i = 0; i < vq->vq_nentries; ++i) {
    struct vq_desc_extra* slot = &vq->vq_descx[i];
    any = slot->cookie != NULL ? slot->cookie : *next_spare++;
    slot->cookie = xchg_buffer_of(any);
    slot->ndescs = 1;
  }
  free(spares);
  if (!in_order) take_free_ids(vq);
  *queue = (struct xchg_virtio_transmit_queue){
      .ring = ring_of(vq, &vq->txq.stats, any),
      .free = vq->vq_desc_head_idx,
      .room = vq->vq_free_cnt,
      .count = (uint16_t)(vq->vq_free_cnt + busy),
      .shift = in_order ? (uint16_t)(vq->vq_desc_head_idx - vq->vq_avail_idx) : 0,
      .any_layout = virtio_with_feature(vq->hw, VIRTIO_F_VERSION_1) || virtio_with_feature(vq->hw, VIRTIO_F_ANY_LAYOUT),
      .has_checksums = virtio_with_feature(vq->hw, VIRTIO_NET_F_CSUM),
      .regions = vq->txq.virtio_net_hdr_mz->addr,
      .region_address = vq->txq.virtio_net_hdr_mem,
      .pool = pool,
  };
  return 0;
}

static void free_spare(const struct xchg_virtio_transmit_queue* queue, struct xchg_virtio_slot* slot) {
  rte_mbuf_raw_free(xchg_mbuf_of(queue->pool, slot->buffer));
  slot->buffer = NULL;
}

void xchg_virtio_transmit_release(struct xchg_virtio_transmit_queue* queue) {
  const struct xchg_virtio_ring* ring = &queue->ring;
  struct virtqueue* vq = ring->driver;
  const uint16_t spare_count = ring->size - (queue->count - queue->room);
  if (ring->in_order) {
    for (uint16_t i = 0; i < spare_count; ++i)
      free_spare(
          queue,
          &ring->slots[(uint32_t)((ring->packed ? ring->next_available : ring->next_available & ring->mask) + i) %
                       ring->size]);
    if (!ring->packed) vq->vq_desc_head_idx = (ring->next_available + queue->shift) & ring->mask;
  } else {
    give_free_ids(vq, queue->free);
    for (uint16_t id = queue->free; id != VQ_RING_DESC_CHAIN_END; id = ring->slots[id].next)
      free_spare(queue, &ring->slots[id]);
  }
  for (uint16_t i = 0; i < ring->size; ++i) /* under way: the driver frees it when it is sent */
    if (ring->slots[i].buffer != NULL) ring->slots[i].buffer = xchg_mbuf_of(queue->pool, ring->slots[i].buffer);
  vq->vq_free_cnt = queue->room;
  give_ring(ring);
}

/* --- what is rare ----------------------------------------------------------------------------------------------------- */

void xchg_virtio_notify(void* driver) { virtqueue_notify(driver); }

void xchg_virtio_describe(struct xchg_virtio_region* region, uint64_t region_address, uint64_t frame, uint32_t length,
                          uint8_t header_size, bool packed) {
  if (packed) {
    region->packed[0] = (struct xchg_virtio_packed){.address = region_address, .length = header_size};
    region->packed[1] = (struct xchg_virtio_packed){.address = frame, .length = length};
  } else {
    region->split[0] = (struct xchg_virtio_descriptor){region_address, header_size, XCHG_VIRTIO_NEXT, 1};
    region->split[1] = (struct xchg_virtio_descriptor){.address = frame, .length = length};
  }
}
