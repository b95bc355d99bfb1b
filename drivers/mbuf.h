/* The packet of drivers/mbuf.c: a hand that holds an rte_mbuf. Exchanging its buffer exchanges the mbuf, since the two lie
 * together in the mempool; so the mbuf is always a whole one, which any other function of DPDK may be given. */
#ifndef PACKETMILL_DRIVERS_MBUF_H
#define PACKETMILL_DRIVERS_MBUF_H

struct rte_mbuf;

struct xchg {
  struct rte_mbuf* mbuf;
};

#endif
