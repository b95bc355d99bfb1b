/* What l2fwd-xchg.c and l2fwd.c have in common: everything but the packets. */
#ifndef PACKETMILL_EXAMPLES_L2FWD_H
#define PACKETMILL_EXAMPLES_L2FWD_H

#include <inttypes.h>
#include <rte_cycles.h>
#include <rte_eal.h>
#include <rte_ethdev.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
  L2FWD_BURST = 32,
  L2FWD_DESCRIPTORS = 1024,
  L2FWD_BUFFERS = 8191,
  L2FWD_TURNS = 256 /* between looks at the clock */
};

static inline struct rte_mempool* l2fwd_pool(void) {
  struct rte_mempool* pool =
      rte_pktmbuf_pool_create("l2fwd", L2FWD_BUFFERS, 256, 0, RTE_MBUF_DEFAULT_BUF_SIZE, SOCKET_ID_ANY);
  if (pool == NULL) rte_exit(EXIT_FAILURE, "no memory for the buffers\n");
  return pool;
}

static inline void l2fwd_start(uint16_t port, struct rte_mempool* pool) {
  const struct rte_eth_conf configuration = {0};
  if (rte_eth_dev_configure(port, 1, 1, &configuration) != 0 ||
      rte_eth_rx_queue_setup(port, 0, L2FWD_DESCRIPTORS, SOCKET_ID_ANY, NULL, pool) != 0 ||
      rte_eth_tx_queue_setup(port, 0, L2FWD_DESCRIPTORS, SOCKET_ID_ANY, NULL) != 0 || rte_eth_dev_start(port) != 0)
    rte_exit(EXIT_FAILURE, "port %u cannot be set up\n", port);
  (void)rte_eth_promiscuous_enable(port);
}

/* Exchanges the two addresses at the head of an Ethernet frame. */
static inline void l2fwd_swap(uint8_t* frame) {
  uint8_t destination[6];
  memcpy(destination, frame, 6);
  memcpy(frame, frame + 6, 6);
  memcpy(frame + 6, destination, 6);
}

static volatile bool l2fwd_stopped;

static inline void l2fwd_stop_soon(int signal) {
  (void)signal;
  l2fwd_stopped = true;
}

/* Starts DPDK; returns how long to run, in seconds, from the first argument after EAL's; 0: until told to stop. */
static inline double l2fwd_init(int argc, char** argv) {
  const int used = rte_eal_init(argc, argv);
  if (used < 0) exit(EXIT_FAILURE); /* EAL has said why */
  signal(SIGINT, l2fwd_stop_soon);
  signal(SIGTERM, l2fwd_stop_soon);
  return argc > used + 1 ? atof(argv[used + 1]) : 0;
}

/* The cycle at which a run ends that begins now. */
static inline uint64_t l2fwd_end(double seconds) {
  return seconds > 0 ? rte_rdtsc() + (uint64_t)(seconds * (double)rte_get_tsc_hz()) : UINT64_MAX;
}

static inline void l2fwd_report(uint64_t sent, uint64_t dropped, uint64_t cycles) {
  const double seconds = (double)cycles / (double)rte_get_tsc_hz();
  printf("sent %" PRIu64 ", dropped %" PRIu64 ", %.2f Mpps, %.1f cycles/packet\n", sent, dropped,
         (double)sent / seconds / 1e6, sent == 0 ? 0 : (double)cycles / (double)sent);
  uint16_t port;
  RTE_ETH_FOREACH_DEV(port) {
    struct rte_eth_xstat_name names[64];
    struct rte_eth_xstat values[64];
    const int count = rte_eth_xstats_get(port, values, RTE_DIM(values));
    if (count <= 0 || count > (int)RTE_DIM(values) || rte_eth_xstats_get_names(port, names, RTE_DIM(names)) != count)
      continue;
    for (int i = 0; i < count; ++i)
      if (strncmp(names[i].name, "burst_cycles_", 13) == 0)
        printf("port %u: %s %" PRIu64 ", %.1f cycles/packet\n", port, names[i].name, values[i].value,
               (double)values[i].value / L2FWD_BURST);
  }
}

/* Stops everything; fails where a buffer is missing from the pool. */
static inline int l2fwd_stop(struct rte_mempool* pool) {
  uint16_t port;
  RTE_ETH_FOREACH_DEV(port) {
    (void)rte_eth_dev_stop(port);
    (void)rte_eth_dev_close(port);
  }
  const unsigned there = rte_mempool_avail_count(pool);
  if (there != L2FWD_BUFFERS) printf("%u of %u buffers are back\n", there, (unsigned)L2FWD_BUFFERS);
  (void)rte_eal_cleanup();
  return there == L2FWD_BUFFERS ? EXIT_SUCCESS : EXIT_FAILURE;
}

#endif
