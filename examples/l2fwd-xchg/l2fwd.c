/* The ordinary twin of l2fwd-xchg.c: the same forwarder, on rte_mbuf.
 *
 *   l2fwd --vdev=net_mlx5_emulated0,trace=in.pcap -- SECONDS */
#include "examples/l2fwd-xchg/l2fwd.h"

#include <rte_mbuf.h>

static uint64_t forward(uint16_t from, uint16_t to, uint64_t* dropped) {
  struct rte_mbuf* packets[L2FWD_BURST];
  const uint16_t received = rte_eth_rx_burst(from, 0, packets, L2FWD_BURST);
  for (uint16_t i = 0; i < received; ++i) l2fwd_swap(rte_pktmbuf_mtod(packets[i], uint8_t*));
  const uint16_t sent = rte_eth_tx_burst(to, 0, packets, received);
  if (sent < received) rte_pktmbuf_free_bulk(&packets[sent], received - sent);
  *dropped += received - sent;
  return sent;
}

int main(int argc, char** argv) {
  const double seconds = l2fwd_init(argc, argv);
  struct rte_mempool* pool = l2fwd_pool();
  uint16_t ports[RTE_MAX_ETHPORTS];
  uint16_t count = 0;
  uint16_t number;
  RTE_ETH_FOREACH_DEV(number) {
    l2fwd_start(number, pool);
    ports[count++] = number;
  }
  if (count == 0) rte_exit(EXIT_FAILURE, "there is no port\n");

  uint64_t sent = 0;
  uint64_t dropped = 0;
  const uint64_t begin = rte_rdtsc();
  const uint64_t end = l2fwd_end(seconds);
  while (!l2fwd_stopped && rte_rdtsc() < end)
    for (uint32_t turn = 0; turn < L2FWD_TURNS; ++turn)
      for (uint16_t i = 0; i < count; ++i) sent += forward(ports[i], ports[(i + 1) % count], &dropped);
  l2fwd_report(sent, dropped, rte_rdtsc() - begin);
  return l2fwd_stop(pool);
}
