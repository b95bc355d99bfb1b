/* The conversion functions of plain DPDK. Link this object, and a program that is compiled with XCHG_LINKED has the metadata
 * of everybody else: an rte_mbuf. */
#define XCHG_LINKED

#include "drivers/mbuf.h"

#include <rte_mbuf.h>

#include "drivers/buffers.h"
#include "drivers/xchange.h"

void* xchg_get_buffer(const struct xchg* packet) { return xchg_buffer_of(packet->mbuf); }
/* Of the same mempool as the one before. */
void xchg_set_buffer(struct xchg* packet, void* buffer) { packet->mbuf = xchg_mbuf_of(packet->mbuf->pool, buffer); }
const void* xchg_get_frame(const struct xchg* packet) { return rte_pktmbuf_mtod(packet->mbuf, const void*); }
uint32_t xchg_get_length(const struct xchg* packet) { return packet->mbuf->data_len; }
void xchg_set_length(struct xchg* packet, uint32_t length) {
  packet->mbuf->data_len = (uint16_t)length;
  packet->mbuf->pkt_len = length;
}
uint64_t xchg_get_flags(const struct xchg* packet) { return packet->mbuf->ol_flags; }
void xchg_set_flags(struct xchg* packet, uint64_t flags) { packet->mbuf->ol_flags = flags; }
uint16_t xchg_get_vlan_tci(const struct xchg* packet) { return packet->mbuf->vlan_tci; }
void xchg_set_vlan_tci(struct xchg* packet, uint16_t vlan_tci) { packet->mbuf->vlan_tci = vlan_tci; }
void xchg_set_port(struct xchg* packet, uint16_t port) { packet->mbuf->port = port; }
void xchg_set_packet_type(struct xchg* packet, uint32_t packet_type) { packet->mbuf->packet_type = packet_type; }
void xchg_set_rss_hash(struct xchg* packet, uint32_t rss_hash) { packet->mbuf->hash.rss = rss_hash; }
/* Where an mbuf has a time is the application's choice (rte_mbuf_dyn_rx_timestamp_register). */
void xchg_set_timestamp(struct xchg* packet, uint64_t timestamp) {
  (void)packet;
  (void)timestamp;
}
void xchg_set_mark(struct xchg* packet, uint32_t mark) { packet->mbuf->hash.fdir.hi = mark; }
