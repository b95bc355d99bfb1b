/* Between memif's own queues and the data paths' view of them. The only file that knows the driver's private structs: what
 * differs between releases of DPDK is here, and what the data paths take for granted is asserted here.
 *
 * memif connects and disconnects in EAL's interrupt thread, whenever the peer likes. Whatever reads its connection therefore
 * runs in that thread too. */
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <rte_alarm.h>
#include <rte_interrupts.h>
#include <rte_malloc.h>
#include <rte_mbuf.h>
#include <semaphore.h>
#include <sys/mman.h>
#include <unistd.h>

#include "drivers/buffers.h"
#include "drivers/memif/queues.h"
#include "drivers/memif/receive.h"
#include "rte_eth_memif.h" /* behind sys/mman.h and unistd.h, which it wants */

#define SAME_PLACE(ours, our_field, theirs, their_field)                                       \
  static_assert(offsetof(struct ours, our_field) == offsetof(theirs, their_field) &&           \
                    sizeof(((struct ours*)0)->our_field) == sizeof(((theirs*)0)->their_field), \
                "this DPDK's memif has another " #theirs ": see drivers/memif/README.md for releases that are known")

static_assert(sizeof(struct xchg_memif_descriptor) == sizeof(memif_desc_t), "descriptor");
SAME_PLACE(xchg_memif_descriptor, flags, memif_desc_t, flags);
SAME_PLACE(xchg_memif_descriptor, region, memif_desc_t, region);
SAME_PLACE(xchg_memif_descriptor, length, memif_desc_t, length);
SAME_PLACE(xchg_memif_descriptor, offset, memif_desc_t, offset);
SAME_PLACE(xchg_memif_descriptor, metadata, memif_desc_t, metadata);
static_assert(sizeof(struct xchg_memif_ring) == offsetof(memif_ring_t, desc), "ring");
SAME_PLACE(xchg_memif_ring, cookie, memif_ring_t, cookie);
SAME_PLACE(xchg_memif_ring, flags, memif_ring_t, flags);
SAME_PLACE(xchg_memif_ring, head, memif_ring_t, head);
SAME_PLACE(xchg_memif_ring, tail, memif_ring_t, tail);
static_assert(XCHG_MEMIF_COOKIE == MEMIF_COOKIE && XCHG_MEMIF_NEXT == MEMIF_DESC_FLAG_NEXT &&
                  XCHG_MEMIF_MASK_INTERRUPT == MEMIF_RING_FLAG_MASK_INT &&
                  XCHG_MEMIF_CONNECTED == ETH_MEMIF_FLAG_CONNECTED,
              "flags");
static_assert(sizeof(((struct pmd_internals*)0)->flags) == sizeof(uint32_t), "status");
static_assert(sizeof(((struct memif_queue*)0)->last_head) == sizeof(uint16_t), "mark");
static_assert(offsetof(struct memif_queue, n_bytes) - offsetof(struct memif_queue, n_pkts) ==
                  offsetof(struct xchg_memif_counters, bytes),
              "counters");

static int refuse(const char** reason, const char* why) {
  *reason = why;
  return -ENOTSUP;
}

/* Work in the thread in which memif connects and disconnects, waited for. */
struct work {
  int (*function)(struct xchg_memif_queue* queue, const char** reason);
  struct xchg_memif_queue* queue;
  const char* reason;
  int result;
  sem_t done;
};

static void perform(void* argument) {
  struct work* work = argument;
  work->result = work->function(work->queue, &work->reason);
  sem_post(&work->done);
}

static int in_control_thread(int (*function)(struct xchg_memif_queue*, const char**), struct xchg_memif_queue* queue,
                             const char** reason) {
  struct work work = {.function = function, .queue = queue};
  if (rte_thread_is_intr()) return function(queue, reason);
  sem_init(&work.done, 0, 0);
  work.result = rte_eal_alarm_set(1, perform, &work);
  if (work.result == 0)
    while (sem_wait(&work.done) != 0) continue; /* a signal */
  else
    work.reason = "EAL's interrupt thread takes no alarm";
  sem_destroy(&work.done);
  if (work.reason != NULL) *reason = work.reason;
  return work.result;
}

static uint16_t size_of(const struct xchg_memif_queue* queue) { return queue->mask + 1; }

static struct rte_mbuf** driver_slot(const struct xchg_memif_queue* queue, uint16_t index) {
  return &((struct memif_queue*)queue->driver)->buffers[index & queue->mask];
}

/* Beyond the first one, a zero-copy client's regions are EAL's memory. */
static bool is_mapped(const struct xchg_memif_queue* queue, uint16_t region) {
  return region == 0 || !queue->zero_copy;
}

/* Nothing comes, nothing goes. */
static void unplug(struct xchg_memif_queue* queue) {
  queue->ring = NULL;
  queue->theirs = &queue->next;
  queue->lead = 0;
  queue->chained = false;
}

/* Forgets a connection: every buffer goes to the pool, whoever had it. */
static void detach(struct xchg_memif_queue* queue) {
  unplug(queue);
  if (queue->slots != NULL)
    for (uint32_t i = 0; i <= queue->mask; ++i)
      if (queue->slots[i] != NULL) rte_mbuf_raw_free(xchg_mbuf_of(queue->pool, queue->slots[i]));
  rte_free(queue->slots);
  queue->slots = NULL;
  for (uint16_t i = 0; i < queue->region_count; ++i)
    if (is_mapped(queue, i)) munmap(queue->regions[i].address, queue->regions[i].size);
  rte_free(queue->regions);
  queue->regions = NULL;
  queue->region_count = 0;
  if (queue->doorbell >= 0) close(queue->doorbell);
  queue->doorbell = -1;
}

/* The driver's regions, mapped once more. */
static int map_regions(struct xchg_memif_queue* queue, const struct pmd_process_private* theirs, const char** reason) {
  const uint16_t count = queue->zero_copy ? 2 : theirs->regions_num;
  queue->regions = rte_calloc("xchg_memif", count, sizeof *queue->regions, 0);
  *reason = "no memory";
  if (queue->regions == NULL) return -ENOMEM;
  for (; queue->region_count < count; ++queue->region_count) {
    const struct memif_region* region = theirs->regions[queue->region_count];
    void* address = region->addr;
    if (is_mapped(queue, queue->region_count)) {
      address = mmap(NULL, region->region_size, PROT_READ | PROT_WRITE, MAP_SHARED, region->fd, 0);
      *reason = "a region cannot be mapped";
      if (address == MAP_FAILED) return -errno;
    }
    queue->regions[queue->region_count] = (struct xchg_memif_region){address, region->region_size};
  }
  return 0;
}

/* Whether the peer sees every buffer of the pool: memif shares the memory that there was when it connected, and its
 * descriptors can name the first list of segments only. */
struct look {
  const struct xchg_memif_region* region;
  bool outside;
};

static void look_at_chunk(struct rte_mempool* pool, void* argument, struct rte_mempool_memhdr* chunk, unsigned i) {
  struct look* look = argument;
  const uint64_t offset = (uint64_t)((uint8_t*)chunk->addr - look->region->address);
  (void)pool;
  (void)i;
  if (offset + chunk->len > RTE_MIN(look->region->size, UINT32_MAX)) look->outside = true;
}

/* The buffers behind the descriptors: those of the driver's mbufs up to the ring's head, fresh ones elsewhere. */
static int take_slots(struct xchg_memif_queue* queue, const char** reason) {
  const uint16_t first = ((struct memif_queue*)queue->driver)->last_tail;
  const uint16_t held = RTE_MIN((uint16_t)(queue->ring->head - first), size_of(queue));
  struct look look = {.region = &queue->regions[1]};
  rte_mempool_mem_iter(queue->pool, look_at_chunk, &look);
  if (look.outside) return refuse(reason, "memif does not share the mempool's memory");
  for (uint16_t i = 0; i != held; ++i) {
    const struct rte_mbuf* mbuf = *driver_slot(queue, first + i);
    if (mbuf->pool != queue->pool || !RTE_MBUF_DIRECT(mbuf) || rte_mbuf_refcnt_read(mbuf) != 1 || mbuf->next != NULL)
      return refuse(reason, "frames of another mempool are under way: let them be sent first");
  }
  queue->slots = rte_calloc("xchg_memif", size_of(queue), sizeof *queue->slots, 0);
  *reason = "no memory";
  if (queue->slots == NULL) return -ENOMEM;
  *reason = "no buffers for the ring";
  for (uint16_t i = held; i != size_of(queue); ++i) {
    struct rte_mbuf* mbuf = rte_mbuf_raw_alloc(queue->pool);
    if (mbuf == NULL) return -ENOMEM;
    queue->slots[(uint16_t)(first + i) & queue->mask] = xchg_buffer_of(mbuf);
  }
  for (uint16_t i = 0; i != held; ++i)
    queue->slots[(uint16_t)(first + i) & queue->mask] = xchg_buffer_of(*driver_slot(queue, first + i));
  return 0;
}

/* What may fail of it; the connection is as it was if it does. */
static int plug(struct xchg_memif_queue* queue, const char** reason) {
  struct memif_queue* mq = queue->driver;
  const struct rte_eth_dev* device = &rte_eth_devices[queue->port];
  const struct pmd_internals* pmd = device->data->dev_private;
  int failed = map_regions(queue, device->process_private, reason);
  if (failed != 0) return failed;
  queue->ring = (struct xchg_memif_ring*)(queue->regions[mq->region].address + mq->ring_offset);
  queue->descriptors = (struct xchg_memif_descriptor*)(queue->ring + 1);
  queue->mask = (uint16_t)((1u << mq->log2_ring_size) - 1);
  queue->shared_room = pmd->run.pkt_buffer_size;
  if (queue->zero_copy) failed = take_slots(queue, reason);
  if (failed != 0) return failed;
  if (queue->receives)
    queue->next = queue->client ? mq->last_tail : mq->last_head;
  else
    queue->next = queue->client ? queue->ring->head : queue->ring->tail;
  queue->theirs = queue->client ? &queue->ring->tail : &queue->ring->head;
  queue->ours = queue->client ? &queue->ring->head : &queue->ring->tail;
  queue->lead = queue->client ? size_of(queue) : 0;
  if (!queue->receives && rte_intr_fd_get(mq->intr_handle) >= 0)
    queue->doorbell = fcntl(rte_intr_fd_get(mq->intr_handle), F_DUPFD_CLOEXEC, 0);
  return 0;
}

/* In the control thread: takes over the ring of the connection that there is, if there is one. */
static int attach(struct xchg_memif_queue* queue, const char** reason) {
  const struct pmd_internals* pmd = rte_eth_devices[queue->port].data->dev_private;
  if ((*queue->status & XCHG_MEMIF_CONNECTED) == 0) return 0;
  /* The peer may have fewer queues. */
  const bool s2c = queue->client == queue->receives;
  if (queue->number < (s2c ? pmd->run.num_s2c_rings : pmd->run.num_c2s_rings)) {
    const int failed = plug(queue, reason);
    if (failed != 0) {
      detach(queue);
      return failed;
    }
    if (queue->client && queue->receives) {
      for (uint16_t i = queue->ring->head; i != (uint16_t)(queue->next + queue->lead); ++i)
        xchg_memif_receive_give(queue, i & queue->mask);
      __atomic_store_n(queue->ours, (uint16_t)(queue->next + queue->lead), __ATOMIC_RELEASE);
    }
  }
  *queue->mark = 1;
  return 0;
}

int xchg_memif_takeover(void* driver, struct rte_mempool* pool, uint16_t number, bool receives,
                        struct xchg_memif_queue* queue, const char** reason) {
  struct memif_queue* mq = driver;
  const struct pmd_internals* pmd = rte_eth_devices[mq->in_port].data->dev_private;
  const uint32_t room = rte_pktmbuf_data_room_size(pool) - RTE_PKTMBUF_HEADROOM;
  *queue = (struct xchg_memif_queue){
      .room = room,
      .port = mq->in_port,
      .client = pmd->role == MEMIF_ROLE_CLIENT,
      .zero_copy = (pmd->flags & ETH_MEMIF_FLAG_ZERO_COPY) != 0,
      .statistics = (struct xchg_memif_counters*)&mq->n_pkts,
      .status = &pmd->flags,
      .mark = &mq->last_head,
      .doorbell = -1,
      .number = number,
      .receives = receives,
      .pool = pool,
      .driver = mq,
  };
  unplug(queue);
  if (rte_eal_process_type() != RTE_PROC_PRIMARY) return refuse(reason, "the port is another process's");
  if (receives && mq->mempool != pool) return refuse(reason, "the receive queue has another mempool");
  if (receives && queue->client && !queue->zero_copy && pmd->cfg.pkt_buffer_size > room)
    return refuse(reason, "frames may be of several segments: buffers must hold the greatest frame (bsize)");
  return in_control_thread(attach, queue, reason);
}

/* In the control thread. */
static int give_back(struct xchg_memif_queue* queue, const char** reason) {
  struct memif_queue* mq = queue->driver;
  (void)reason;
  if (xchg_memif_connected(queue)) {
    mq->last_head = 0;
    if (queue->ring != NULL && queue->receives) {
      if (queue->client)
        mq->last_tail = queue->next;
      else
        mq->last_head = queue->next;
    }
    if (queue->slots != NULL) {
      if (!queue->receives) mq->last_tail = __atomic_load_n(queue->theirs, __ATOMIC_ACQUIRE);
      const uint16_t busy = queue->receives ? size_of(queue) : (uint16_t)(queue->next - mq->last_tail);
      for (uint16_t i = 0; i != RTE_MIN(busy, size_of(queue)); ++i) {
        void** slot = &queue->slots[(uint16_t)(mq->last_tail + i) & queue->mask];
        struct rte_mbuf* mbuf = xchg_mbuf_of(queue->pool, *slot);
        rte_pktmbuf_reset(mbuf);
        *driver_slot(queue, mq->last_tail + i) = mbuf;
        *slot = NULL;
      }
    }
  }
  detach(queue);
  return 0;
}

void xchg_memif_release(struct xchg_memif_queue* queue) {
  const char* reason = NULL;
  (void)in_control_thread(give_back, queue, &reason);
}

void xchg_memif_reconnect(struct xchg_memif_queue* queue) {
  const char* reason = NULL;
  detach(queue);
  /* Where it fails, for want of buffers, the next burst tries again. */
  if ((*queue->status & XCHG_MEMIF_CONNECTED) != 0) (void)in_control_thread(attach, queue, &reason);
}

void xchg_memif_receive_skip(struct xchg_memif_queue* queue, uint16_t next) {
  struct xchg_memif_descriptor* descriptor = &queue->descriptors[next & queue->mask];
  if (!queue->chained) ++queue->errors;
  queue->chained = (xchg_memif_read(descriptor).flags & XCHG_MEMIF_NEXT) != 0;
  /* DPDK's transmit function sets the flag and does not take it back. */
  descriptor->flags = 0;
  if (queue->client) xchg_memif_receive_give(queue, next & queue->mask);
  queue->next = next + 1;
  __atomic_store_n(queue->ours, (uint16_t)(queue->next + queue->lead), __ATOMIC_RELEASE);
}

void xchg_memif_interrupt(const struct xchg_memif_queue* queue) {
  const uint64_t one = 1;
  /* Where the counter is full the receiver has not seen it yet, and will. */
  if (queue->doorbell >= 0 && write(queue->doorbell, &one, sizeof one) < 0) return;
}
