/* A model of 16 bytes: where a frame is, and how long. The rest is thrown away. */
#define XCHG_LINKED

#include <rte_mbuf.h>
#include <stdlib.h>

#include "drivers/buffers.h"
#include "drivers/test/model.h"
#include "drivers/xchange.h"

struct xchg {
  void* buffer;
  uint32_t length;
};
static struct rte_mempool* pool_of_all;

struct xchg* model_new_packet(struct rte_mempool* pool) {
  struct xchg* packet = malloc(sizeof *packet);
  pool_of_all = pool;
  packet->buffer = xchg_buffer_of(rte_mbuf_raw_alloc(pool));
  return packet;
}
void model_free_packet(struct xchg* packet) {
  rte_mbuf_raw_free(xchg_mbuf_of(pool_of_all, packet->buffer));
  free(packet);
}
size_t model_size(void) { return sizeof(struct xchg); }

void* xchg_get_buffer(const struct xchg* packet) { return packet->buffer; }
void xchg_set_buffer(struct xchg* packet, void* buffer) { packet->buffer = buffer; }
const void* xchg_get_frame(const struct xchg* packet) { return packet->buffer; }
uint32_t xchg_get_length(const struct xchg* packet) { return packet->length; }
void xchg_set_length(struct xchg* packet, uint32_t length) { packet->length = length; }
uint64_t xchg_get_flags(const struct xchg* packet) {
  (void)packet;
  return 0;
}
uint16_t xchg_get_vlan_tci(const struct xchg* packet) {
  (void)packet;
  return 0;
}
#define IGNORE(name, type)                     \
  void name(struct xchg* packet, type value) { \
    (void)packet;                              \
    (void)value;                               \
  }
IGNORE(xchg_set_flags, uint64_t)
IGNORE(xchg_set_vlan_tci, uint16_t)
IGNORE(xchg_set_port, uint16_t)
IGNORE(xchg_set_packet_type, uint32_t)
IGNORE(xchg_set_rss_hash, uint32_t)
IGNORE(xchg_set_timestamp, uint64_t)
IGNORE(xchg_set_mark, uint32_t)
