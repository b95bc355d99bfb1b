/* A layer-2 forwarder on X-Change, in plain DPDK: frames come in on a port, get their Ethernet addresses swapped, and leave
 * by the next one. A packet has two fields, where its bytes are and how many; the rte_mbuf is never touched. l2fwd.c beside
 * it does the same the ordinary way.
 *
 *   l2fwd-xchg --vdev=net_mlx5_emulated0,trace=in.pcap -- SECONDS */
#include <stdint.h>

/* The application's metadata, and the conversion functions that the driver's data path calls. What is not defined here (a
 * hash, a VLAN tag, ...) costs nothing. */
struct xchg {
  uint8_t* buffer;
  uint32_t length;
};
static inline void* xchg_get_buffer(const struct xchg* packet) { return packet->buffer; }
static inline void xchg_set_buffer(struct xchg* packet, void* buffer) { packet->buffer = buffer; }
static inline uint32_t xchg_get_length(const struct xchg* packet) { return packet->length; }
static inline void xchg_set_length(struct xchg* packet, uint32_t length) { packet->length = length; }
#define xchg_get_buffer xchg_get_buffer
#define xchg_get_length xchg_get_length

#include "drivers/port.h"
#include "examples/l2fwd-xchg/l2fwd.h"

/* Receives a burst on `from`, and sends it to `to`. A packet that there is no room for keeps its buffer, which the next
 * burst is received into: it is dropped, and nothing is lost. */
static uint64_t forward(struct xchg_port* from, struct xchg_port* to, struct xchg* const* packets, uint64_t* dropped) {
  const uint16_t received = xchg_receive(&from->receive_queues[0], packets, L2FWD_BURST);
  for (uint16_t i = 0; i < received; ++i) l2fwd_swap(packets[i]->buffer);
  const uint16_t sent = xchg_transmit(&to->transmit_queues[0], packets, received);
  *dropped += received - sent;
  return sent;
}

int main(int argc, char** argv) {
  const double seconds = l2fwd_init(argc, argv);
  struct rte_mempool* pool = l2fwd_pool();
  struct xchg_port* ports[RTE_MAX_ETHPORTS];
  uint16_t count = 0;
  uint16_t number;
  RTE_ETH_FOREACH_DEV(number) {
    const char* reason = NULL;
    l2fwd_start(number, pool);
    ports[count] = xchg_takeover(number, pool, &reason);
    if (ports[count] == NULL) rte_exit(EXIT_FAILURE, "port %u: X-Change is not possible: %s\n", number, reason);
    ++count;
  }
  if (count == 0) rte_exit(EXIT_FAILURE, "there is no port\n");

  /* As many packets as a burst has, and no more: they are used again and again, and stay in the cache. */
  static struct xchg storage[L2FWD_BURST];
  struct xchg* packets[L2FWD_BURST];
  for (unsigned i = 0; i < L2FWD_BURST; ++i) {
    packets[i] = &storage[i];
    packets[i]->buffer = xchg_new_buffer(ports[0]);
    if (packets[i]->buffer == NULL) rte_exit(EXIT_FAILURE, "no buffers\n");
  }

  uint64_t sent = 0;
  uint64_t dropped = 0;
  const uint64_t begin = rte_rdtsc();
  const uint64_t end = l2fwd_end(seconds);
  while (!l2fwd_stopped && rte_rdtsc() < end)
    for (uint32_t turn = 0; turn < L2FWD_TURNS; ++turn)
      for (uint16_t i = 0; i < count; ++i) sent += forward(ports[i], ports[(i + 1) % count], packets, &dropped);
  l2fwd_report(sent, dropped, rte_rdtsc() - begin);

  for (unsigned i = 0; i < L2FWD_BURST; ++i) xchg_free_buffer(ports[0], packets[i]->buffer);
  for (uint16_t i = 0; i < count; ++i) xchg_release(ports[i]);
  return l2fwd_stop(pool);
}
