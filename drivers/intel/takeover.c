#include "drivers/intel/takeover.h"

#include <errno.h>
#include <rte_malloc.h>
#include <rte_mbuf.h>

#include "drivers/buffers.h"

int xchg_intel_refuse(const char** reason, const char* why) {
  *reason = why;
  return -ENOTSUP;
}

/* A buffer's address to the NIC must follow from its address: whoever looked it up in its mbuf would touch that. */
static int check_pool(const struct rte_mempool* pool, uint64_t* iova, const char** reason) {
  const struct rte_mempool_memhdr* chunk = STAILQ_FIRST(&pool->mem_list);
  if (rte_pktmbuf_priv_flags((struct rte_mempool*)(uintptr_t)pool) & RTE_PKTMBUF_POOL_F_PINNED_EXT_BUF)
    return xchg_intel_refuse(reason, "the mempool's buffers are external");
  *iova = chunk->iova - (uintptr_t)chunk->addr;
  STAILQ_FOREACH(chunk, &pool->mem_list, next)
  if (chunk->iova == RTE_BAD_IOVA || chunk->iova - (uintptr_t)chunk->addr != *iova)
    return xchg_intel_refuse(reason, "the mempool lies in several pieces for the NIC: use vfio-pci, or larger pages");
  return 0;
}

static int lack(const char** reason, const char* what) {
  *reason = what;
  return -ENOMEM;
}

int xchg_intel_receive_takeover(struct xchg_intel_receive_ring* ring, struct rte_mbuf* const* mbufs, uint16_t missing,
                                const struct rte_mempool* own, struct rte_mempool* pool, const char** reason) {
  void* fresh[XCHG_INTEL_MOST_DESCRIPTORS];
  if (own != pool) return xchg_intel_refuse(reason, "frames are received into buffers of another mempool");
  const int failed = check_pool(pool, &ring->iova, reason);
  if (failed != 0) return failed;
  ring->slots = rte_malloc("xchg_intel_slots", ring->count * sizeof *ring->slots, RTE_CACHE_LINE_SIZE);
  if (ring->slots == NULL) return lack(reason, "no memory");
  if (missing != 0 && rte_mempool_get_bulk(pool, fresh, missing) != 0) {
    rte_free(ring->slots);
    return lack(reason, "no buffers for the receive ring");
  }
  const uint16_t kept = (uint16_t)(ring->count - missing);
  for (uint16_t i = 0; i < kept; ++i) {
    const uint16_t place = xchg_intel_advance(ring->next, i, ring->count);
    ring->slots[place] = xchg_buffer_of(mbufs[place]);
  }
  for (uint16_t i = 0; i < missing; ++i) {
    const uint16_t place = xchg_intel_advance(ring->next, (uint16_t)(kept + i), ring->count);
    ring->slots[place] = xchg_buffer_of(fresh[i]);
    ring->descriptors[place] =
        (struct xchg_intel_descriptor){rte_cpu_to_le_64((uintptr_t)ring->slots[place] + ring->iova), 0};
  }
  return 0;
}

void xchg_intel_receive_release(struct xchg_intel_receive_ring* ring, struct rte_mbuf** mbufs, struct rte_mempool* pool,
                                uint16_t port) {
  for (uint16_t i = 0; i < ring->count; ++i) {
    mbufs[i] = xchg_mbuf_of(pool, ring->slots[i]);
    mbufs[i]->port = port;
  }
  rte_free(ring->slots);
}

static uint16_t busy(const struct xchg_intel_transmit_ring* ring) {
  return (uint16_t)(ring->count - 1 - xchg_intel_transmit_room(ring));
}

static bool under_way(const struct xchg_intel_transmit_ring* ring, uint16_t place) {
  const uint16_t steps = xchg_intel_distance(ring->done, place, ring->count);
  return steps != 0 && steps <= busy(ring);
}

/* The chain of descriptors that report, from the last one that is known to be done. */
static void follow_reports(struct xchg_intel_transmit_ring* ring, xchg_intel_entry_at* entry_at, void* driver) {
  ring->asked = ring->done;
  for (;;) {
    uint16_t place = xchg_intel_advance(ring->asked, ring->threshold, ring->count);
    ring->used = (uint16_t)(busy(ring) - xchg_intel_distance(ring->done, ring->asked, ring->count));
    if (ring->used < ring->threshold) return;
    const struct xchg_intel_entry entry = entry_at(driver, place);
    if (entry.last != NULL) place = *entry.last; /* of a context's frame */
    ring->following[ring->asked] = place;
    ring->asked = place;
  }
}

/* A buffer for each slot. */
static int fill_slots(struct xchg_intel_transmit_ring* ring, xchg_intel_entry_at* entry_at, void* driver,
                      struct rte_mempool* pool, const char** reason) {
  void* fresh[XCHG_INTEL_MOST_DESCRIPTORS];
  unsigned missing = 0;
  for (uint16_t i = 0; i < ring->count; ++i) {
    const struct rte_mbuf* mbuf = under_way(ring, i) ? *entry_at(driver, i).mbuf : NULL;
    ring->slots[i] = NULL;
    if (mbuf == NULL) {
      ++missing; /* or the place of a context */
      continue;
    }
    if (mbuf->pool != pool || !RTE_MBUF_DIRECT(mbuf) || rte_mbuf_refcnt_read(mbuf) != 1 || mbuf->nb_segs != 1)
      return xchg_intel_refuse(reason, "frames of another mempool are under way: let them be sent first");
    ring->slots[i] = xchg_buffer_of(mbuf);
  }
  if (missing != 0 && rte_mempool_get_bulk(pool, fresh, missing) != 0)
    return lack(reason, "no buffers for the transmit ring");
  for (uint16_t i = 0; i < ring->count; ++i)
    if (ring->slots[i] == NULL) ring->slots[i] = xchg_buffer_of(fresh[--missing]);
  return 0;
}

int xchg_intel_transmit_takeover(struct xchg_intel_transmit_ring* ring, xchg_intel_entry_at* entry_at, void* driver,
                                 struct rte_mempool* pool, const char** reason) {
  int failed = check_pool(pool, &ring->iova, reason);
  if (failed != 0) return failed;
  ring->slots = rte_malloc("xchg_intel_slots", ring->count * (sizeof *ring->slots + sizeof *ring->following),
                           RTE_CACHE_LINE_SIZE);
  if (ring->slots == NULL) return lack(reason, "no memory");
  ring->following = (uint16_t*)(ring->slots + ring->count);
  failed = fill_slots(ring, entry_at, driver, pool, reason);
  if (failed != 0) {
    rte_free(ring->slots);
    return failed;
  }
  follow_reports(ring, entry_at, driver);
  /* Such drivers free what has been sent when they need its place. */
  for (uint16_t i = 0; i < ring->count; ++i) {
    const struct xchg_intel_entry entry = entry_at(driver, i);
    if (entry.last == NULL || under_way(ring, i)) continue;
    if (*entry.mbuf != NULL) rte_pktmbuf_free_seg(*entry.mbuf);
    *entry.mbuf = NULL;
  }
  return 0;
}

void xchg_intel_transmit_release(struct xchg_intel_transmit_ring* ring, xchg_intel_entry_at* entry_at, void* driver,
                                 struct rte_mempool* pool) {
  for (uint16_t i = 0; i < ring->count; ++i) {
    const struct xchg_intel_entry entry = entry_at(driver, i);
    struct rte_mbuf* mbuf = xchg_mbuf_of(pool, ring->slots[i]);
    *entry.mbuf = under_way(ring, i) ? mbuf : NULL;
    if (*entry.mbuf == NULL) rte_mbuf_raw_free(mbuf);
    if (entry.last != NULL) *entry.last = i;
  }
  for (uint16_t report = ring->done; report != ring->asked; report = ring->following[report]) {
    const uint16_t place = xchg_intel_advance(report, ring->threshold, ring->count);
    const struct xchg_intel_entry entry = entry_at(driver, place);
    if (entry.last != NULL) *entry.last = ring->following[report];
  }
  rte_free(ring->slots);
}
