/* Packets of drivers/mbuf.c. */
#include <rte_mbuf.h>
#include <stdlib.h>

#include "drivers/mbuf.h"
#include "drivers/test/model.h"

struct xchg* model_new_packet(struct rte_mempool* pool) {
  struct xchg* packet = malloc(sizeof *packet);
  packet->mbuf = rte_pktmbuf_alloc(pool);
  return packet;
}
void model_free_packet(struct xchg* packet) {
  rte_pktmbuf_free(packet->mbuf);
  free(packet);
}
size_t model_size(void) { return sizeof(struct rte_mbuf); }
