/* Transmitting on a ConnectX under X-Change, frame by frame into the descriptors; for its buffer each gets one that has been
 * sent. By conversion functions it is in exchange.h. */
#ifndef PACKETMILL_DRIVERS_MLX5_TRANSMIT_H
#define PACKETMILL_DRIVERS_MLX5_TRANSMIT_H

#include <rte_atomic.h>
#include <rte_byteorder.h>
#include <rte_common.h>
#include <rte_mbuf_core.h>
#include <string.h>

#include "drivers/mlx5/queues.h"

/* Frames of one send request, at most; and after how many a completion is asked for. The driver's own figure. */
enum { XCHG_MLX5_MOST_FRAMES = 32 };

/* The work request that is being written, which holds as many frames as are alike in what the NIC is to do to them. */
struct xchg_mlx5_transmit_burst {
  struct xchg_mlx5_transmit_queue queue; /* a copy, which a compiler has in registers */
  struct xchg_mlx5_data* next;           /* where the next frame's data segment goes */
  uint16_t frames;                       /* of this request so far */
  uint8_t checksums;
  uint16_t insert; /* XCHG_MLX5_INSERT_VLAN: then the request is of this one frame */
  uint16_t vlan_tci;
  uint64_t packets;
  uint64_t bytes;
};

/* Looks at what has been sent; nothing is freed, the slots just become exchangeable. */
static inline void xchg_mlx5_transmit_complete(struct xchg_mlx5_transmit_queue* queue) {
  bool some = false;
  if (__builtin_expect(queue->slot_count == 0, 0)) xchg_mlx5_transmit_recover(queue);
  for (;;) {
    const struct xchg_mlx5_completion* completion = &queue->completions[queue->completion & queue->completion_mask];
    const uint8_t owner = *(const volatile uint8_t*)&completion->owner;
    if ((owner & 1) != (queue->completion >> queue->completion_log & 1) || xchg_mlx5_opcode(owner) == XCHG_MLX5_INVALID)
      break;
    rte_atomic_thread_fence(__ATOMIC_ACQUIRE);
    if (__builtin_expect(xchg_mlx5_opcode(owner) == XCHG_MLX5_REQUESTER_ERROR, 0)) {
      xchg_mlx5_transmit_recover(queue);
      return;
    }
    queue->block_done = rte_be_to_cpu_16(completion->request);
    queue->tail = queue->slots_done[queue->completion & queue->completion_mask];
    ++queue->completion;
    some = true;
  }
  if (!some) return;
  rte_compiler_barrier();
  *queue->completion_record = rte_cpu_to_be_32(queue->completion);
}

/* How many frames there is room for, whatever they ask the NIC to do. */
static inline uint16_t xchg_mlx5_transmit_room(const struct xchg_mlx5_transmit_queue* queue) {
  const uint16_t slots = queue->slot_count - (uint16_t)(queue->head - queue->tail);
  const uint16_t blocks = queue->block_count - (uint16_t)(queue->block - queue->block_done);
  return RTE_MIN(slots, blocks);
}

/* Where the next request is written. */
static inline uint8_t* xchg_mlx5_transmit_block(const struct xchg_mlx5_transmit_queue* queue) {
  return queue->blocks + (size_t)(queue->block & queue->block_mask) * XCHG_MLX5_BLOCK_SIZE;
}

static inline struct xchg_mlx5_transmit_burst xchg_mlx5_transmit_begin(const struct xchg_mlx5_transmit_queue* queue) {
  struct xchg_mlx5_transmit_burst burst = {*queue, 0, 0, 0, 0, 0, 0, 0};
  return burst;
}

/* Closes the request that is being written: from now on the NIC may read it, once it is told. */
static inline void xchg_mlx5_transmit_close(struct xchg_mlx5_transmit_burst* burst) {
  struct xchg_mlx5_transmit_queue* queue = &burst->queue;
  if (burst->frames == 0) return;
  struct xchg_mlx5_control* control = (struct xchg_mlx5_control*)xchg_mlx5_transmit_block(queue);
  struct xchg_mlx5_ethernet* ethernet = (struct xchg_mlx5_ethernet*)(control + 1);
  const uint32_t segments = 2u + burst->frames;
  uint32_t flags = XCHG_MLX5_COMPLETE_ON_FIRST_ERROR;
  if ((uint16_t)(queue->head - queue->asked) >= XCHG_MLX5_MOST_FRAMES) {
    flags = XCHG_MLX5_COMPLETE_ALWAYS;
    queue->asked = queue->head;
    queue->slots_done[queue->completion_asked++ & queue->completion_mask] = queue->head;
  }
  const uint8_t opcode = burst->insert ? XCHG_MLX5_SEND : XCHG_MLX5_ENHANCED_MULTI_PACKET;
  control->opcode_and_index = rte_cpu_to_be_32((uint32_t)queue->block << 8 | opcode);
  control->queue_and_segments = rte_cpu_to_be_32(queue->queue_number | segments);
  control->flags = rte_cpu_to_be_32(flags);
  control->immediate = 0;
  memset(ethernet, 0, sizeof *ethernet);
  ethernet->checksums = burst->checksums;
  ethernet->inline_size = rte_cpu_to_be_16(burst->insert);
  ethernet->inline_start = rte_cpu_to_be_16(burst->vlan_tci);
  queue->block += (segments + 3) / 4;
  burst->frames = 0;
}

/* One frame, which lies somewhere in `buffer`; there must be room. Returns the buffer that its own is exchanged for. */
static inline void* xchg_mlx5_transmit_put(struct xchg_mlx5_transmit_burst* burst, void* buffer, const void* frame,
                                           uint32_t length, uint64_t flags, uint16_t vlan_tci) {
  struct xchg_mlx5_transmit_queue* queue = &burst->queue;
  const uint16_t insert = flags & RTE_MBUF_F_TX_VLAN ? XCHG_MLX5_INSERT_VLAN : 0;
  uint8_t checksums = 0;
  if (flags & RTE_MBUF_F_TX_IP_CKSUM) checksums |= XCHG_MLX5_CHECKSUM_L3;
  if (flags & RTE_MBUF_F_TX_L4_MASK) checksums |= XCHG_MLX5_CHECKSUM_L4;
  if (burst->frames != 0 &&
      (burst->frames == XCHG_MLX5_MOST_FRAMES || checksums != burst->checksums || (insert | burst->insert) != 0))
    xchg_mlx5_transmit_close(burst);
  if (burst->frames == 0) {
    burst->next = (struct xchg_mlx5_data*)xchg_mlx5_transmit_block(queue) + 2;
    burst->checksums = checksums;
    burst->insert = insert;
    burst->vlan_tci = vlan_tci;
  }
  struct xchg_mlx5_data* data = burst->next;
  data->byte_count = rte_cpu_to_be_32(length);
  data->lkey = queue->lkey;
  data->address = rte_cpu_to_be_64((uintptr_t)frame);
  ++data;
  burst->next = (uint8_t*)data < queue->end ? data : (struct xchg_mlx5_data*)queue->blocks;
  void** slot = &queue->slots[queue->head & queue->slot_mask];
  void* empty = *slot;
  *slot = buffer;
  ++queue->head;
  ++burst->frames;
  ++burst->packets;
  burst->bytes += length;
  return empty;
}

/* Tells the NIC of all that was put. */
static inline void xchg_mlx5_transmit_end(struct xchg_mlx5_transmit_queue* queue,
                                          struct xchg_mlx5_transmit_burst* burst) {
  const unsigned kWriteCombined = 64; /* frames after which the doorbell may wait for the next: the driver's figure */
  if (burst->packets == 0) return;
  const uint64_t* last = (const uint64_t*)xchg_mlx5_transmit_block(&burst->queue);
  xchg_mlx5_transmit_close(burst);
  queue->head = burst->queue.head;
  queue->asked = burst->queue.asked;
  queue->block = burst->queue.block;
  queue->completion_asked = burst->queue.completion_asked;
  burst->queue.statistics->packets += burst->packets;
  burst->queue.statistics->bytes += burst->bytes;
  rte_io_wmb();
  *burst->queue.block_record = rte_cpu_to_be_32(burst->queue.block);
  rte_wmb(); /* the record is there before the doorbell rings */
  *burst->queue.doorbell = *last;
  if (!burst->queue.doorbell_is_uncached &&
      (!burst->queue.doorbell_is_cached_sometimes || burst->packets % kWriteCombined))
    rte_wmb();
}

#endif
