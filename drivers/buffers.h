/* Between an rte_mbuf and the bytes that it describes. Exchanged buffers are those of a mempool's mbufs, from the headroom
 * on: their memory is registered with the NIC, and the mbuf is found again by arithmetic. */
#ifndef PACKETMILL_DRIVERS_BUFFERS_H
#define PACKETMILL_DRIVERS_BUFFERS_H

#include <rte_mbuf.h>

/* Where a frame begins in a fresh mbuf's buffer. */
static inline void* xchg_buffer_of(const struct rte_mbuf* mbuf) {
  return (uint8_t*)mbuf->buf_addr + RTE_PKTMBUF_HEADROOM;
}

/* The mbuf of such a buffer, made fresh, where `private_size` bytes lie between the two; whatever was written before the
 * frame's first byte, the mbuf is not. */
static inline struct rte_mbuf* xchg_mbuf_before(size_t private_size, void* buffer) {
  struct rte_mbuf* mbuf =
      (struct rte_mbuf*)((uint8_t*)buffer - RTE_PKTMBUF_HEADROOM - private_size - sizeof(struct rte_mbuf));
  rte_pktmbuf_reset_headroom(mbuf);
  return mbuf;
}

static inline struct rte_mbuf* xchg_mbuf_of(const struct rte_mempool* pool, void* buffer) {
  return xchg_mbuf_before(rte_pktmbuf_priv_size((struct rte_mempool*)(uintptr_t)pool), buffer);
}

#endif
