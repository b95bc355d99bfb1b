/* Between ixgbe's own queues and the data paths' view of them. The only file that knows the driver's private structs: what
 * differs between releases of DPDK is here, and what the data paths take for granted is asserted here. */
#include "drivers/intel/takeover.h"

#include <assert.h>
#include <ixgbe_ethdev.h>
#include <ixgbe_rxtx.h>
#include <rte_mbuf.h>
#include <string.h>

#include "drivers/ixgbe/queues.h"

#define KNOWN "this DPDK's ixgbe has another descriptor: see drivers/ixgbe/README.md for releases that are known"

static_assert(sizeof(union ixgbe_adv_rx_desc) == sizeof(struct xchg_intel_descriptor), KNOWN);
static_assert(offsetof(union ixgbe_adv_rx_desc, read.pkt_addr) == 0, KNOWN);
static_assert(offsetof(union ixgbe_adv_rx_desc, wb.lower.lo_dword.data) == 0, KNOWN);
static_assert(offsetof(union ixgbe_adv_rx_desc, wb.lower.hi_dword.rss) == 4, KNOWN);
static_assert(offsetof(union ixgbe_adv_rx_desc, wb.lower.hi_dword.csum_ip.ip_id) == 4, KNOWN);
static_assert(offsetof(union ixgbe_adv_rx_desc, wb.upper.status_error) == 8, KNOWN);
static_assert(offsetof(union ixgbe_adv_rx_desc, wb.upper.length) == 12, KNOWN);
static_assert(offsetof(union ixgbe_adv_rx_desc, wb.upper.vlan) == 14, KNOWN);
static_assert((int)XCHG_INTEL_DONE == IXGBE_RXD_STAT_DD && (int)XCHG_INTEL_END_OF_PACKET == IXGBE_RXD_STAT_EOP, KNOWN);
static_assert((int)XCHG_IXGBE_STATUS_VLAN == IXGBE_RXD_STAT_VP, KNOWN);
static_assert((int)XCHG_IXGBE_STATUS_L4_CHECKED == IXGBE_RXD_STAT_L4CS, KNOWN);
static_assert((int)XCHG_IXGBE_STATUS_IP_CHECKED == IXGBE_RXD_STAT_IPCS, KNOWN);
static_assert((int)XCHG_IXGBE_STATUS_OUTER_IP_CHECKED == IXGBE_RXD_STAT_OUTERIPCS, KNOWN);
static_assert((int)XCHG_IXGBE_ERROR_OUTER_IP == IXGBE_RXDADV_ERR_OUTERIPER, KNOWN);
static_assert((int)XCHG_IXGBE_ERROR_L4 == IXGBE_RXDADV_ERR_TCPE && XCHG_IXGBE_ERROR_IP == IXGBE_RXDADV_ERR_IPE, KNOWN);
static_assert((int)XCHG_IXGBE_TYPE_SHIFT == IXGBE_PACKET_TYPE_SHIFT, KNOWN);
static_assert((int)XCHG_IXGBE_TYPE_UDP == IXGBE_RXDADV_PKTTYPE_UDP, KNOWN);
static_assert((int)XCHG_IXGBE_TYPE_BY_FILTER == IXGBE_RXDADV_PKTTYPE_ETQF, KNOWN);
static_assert((int)XCHG_IXGBE_TYPE_TUNNEL == IXGBE_PACKET_TYPE_TUNNEL_BIT, KNOWN);
static_assert(sizeof(union ixgbe_adv_tx_desc) == sizeof(struct xchg_intel_descriptor), KNOWN);
static_assert(offsetof(union ixgbe_adv_tx_desc, read.cmd_type_len) == 8, KNOWN);
static_assert(offsetof(union ixgbe_adv_tx_desc, read.olinfo_status) == 12, KNOWN);
static_assert(offsetof(union ixgbe_adv_tx_desc, wb.status) == 12 && IXGBE_TXD_STAT_DD == XCHG_INTEL_SENT >> 32, KNOWN);
static_assert((XCHG_IXGBE_DATA | XCHG_INTEL_EXTENDED | XCHG_INTEL_INSERT_CHECK_SEQUENCE | XCHG_INTEL_LAST_SEGMENT) ==
                  DCMD_DTYP_FLAGS,
              KNOWN);
static_assert(XCHG_INTEL_REPORT_STATUS == IXGBE_ADVTXD_DCMD_RS && XCHG_INTEL_INSERT_VLAN == IXGBE_ADVTXD_DCMD_VLE,
              KNOWN);
static_assert(XCHG_IXGBE_CONTEXT == IXGBE_ADVTXD_DTYP_CTXT, KNOWN);
static_assert((int)XCHG_IXGBE_OPTION_IP_CHECKSUM == IXGBE_ADVTXD_POPTS_IXSM, KNOWN);
static_assert((int)XCHG_IXGBE_OPTION_L4_CHECKSUM == IXGBE_ADVTXD_POPTS_TXSM, KNOWN);
static_assert((int)XCHG_IXGBE_PROTOCOL_TCP == IXGBE_ADVTXD_TUCMD_L4T_TCP, KNOWN);
static_assert(sizeof(struct ixgbe_rx_entry) == sizeof(struct rte_mbuf*), "the receive ring's mbufs are an array");
static_assert(XCHG_INTEL_MOST_DESCRIPTORS >= IXGBE_MAX_RING_DESC, "rings");

/* --- receive ---------------------------------------------------------------------------------------------------------- */

/* The functions that ixgbe_set_rx_function chooses from, where frames are of one segment. They leave consumed descriptors
 * without a buffer until there is a whole chunk of them, or (one at a time) only without telling the NIC. */
enum receiving { ONE_AT_A_TIME, IN_BULK, BY_VECTORS };

static enum receiving receiving_of(const struct ixgbe_rx_queue* rxq) {
  const struct ixgbe_adapter* adapter = rte_eth_devices[rxq->port_id].data->dev_private;
  if (rxq->rx_using_sse) return BY_VECTORS;
  return adapter->rx_bulk_alloc_allowed ? IN_BULK : ONE_AT_A_TIME;
}

int xchg_ixgbe_receive_takeover(uint16_t port, uint16_t number, struct rte_mempool* pool,
                                struct xchg_ixgbe_receive_queue* queue, const char** reason) {
  const uint64_t refused = RTE_ETH_RX_OFFLOAD_TCP_LRO | RTE_ETH_RX_OFFLOAD_SECURITY | RTE_ETH_RX_OFFLOAD_MACSEC_STRIP;
  const struct rte_eth_dev_data* data = rte_eth_devices[port].data;
  struct ixgbe_rx_queue* rxq = data->rx_queues[number];
  if (data->rx_queue_state[number] != RTE_ETH_QUEUE_STATE_STARTED)
    return xchg_intel_refuse(reason, "a receive queue is not started");
  if (data->scattered_rx)
    return xchg_intel_refuse(reason, "frames may be of several segments: buffers must hold the greatest frame");
  if (rxq->offloads & refused) return xchg_intel_refuse(reason, "LRO, IPsec or MACsec is offloaded on receive");
  if (rxq->rx_nb_avail != 0) return xchg_intel_refuse(reason, "frames wait half received: receive them first");
  uint16_t held = rxq->nb_rx_hold;
  uint16_t chunk = RTE_MAX(rxq->rx_free_thresh, 1);
  switch (receiving_of(rxq)) {
    case ONE_AT_A_TIME:
      break;
    case IN_BULK:
      held = xchg_intel_distance((uint16_t)(rxq->rx_free_trigger + 1 - rxq->rx_free_thresh), rxq->rx_tail,
                                 rxq->nb_rx_desc);
      break;
    case BY_VECTORS:
      held = rxq->rxrearm_nb;
      chunk = RTE_IXGBE_RXQ_REARM_THRESH;
      break;
  }
  *queue = (struct xchg_ixgbe_receive_queue){
      .ring = {.descriptors = (struct xchg_intel_descriptor*)(uintptr_t)rxq->rx_ring,
               .tail = rxq->rdt_reg_addr,
               .count = rxq->nb_rx_desc,
               .next = rxq->rx_tail,
               .held = held,
               .chunk = chunk},
      .vlan_flags = rxq->vlan_flags,
      .type_mask = rxq->pkt_type_mask,
      .check_sequence = rxq->crc_len,
      .zero_udp_is_bad = rxq->rx_udp_csum_zero_err,
      .port = port,
      .packet_types = ptype_table,
      .tunnel_types = ptype_table_tn,
      .pool = pool,
      .driver = rxq,
  };
  const uint16_t missing = receiving_of(rxq) == ONE_AT_A_TIME ? 0 : held;
  return xchg_intel_receive_takeover(&queue->ring, (struct rte_mbuf**)rxq->sw_ring, missing, rxq->mb_pool, pool,
                                     reason);
}

/* Descriptors that were held go back to the state in which the driver's function has them: those that it allocates for in
 * chunks have no buffer. The vector function writes to mbufs of places that it will not use, so theirs stay there. */
void xchg_ixgbe_receive_release(struct xchg_ixgbe_receive_queue* queue) {
  struct ixgbe_rx_queue* rxq = queue->driver;
  const struct xchg_intel_receive_ring ring = queue->ring;
  const enum receiving receiving = receiving_of(rxq);
  const uint16_t first = xchg_intel_distance(ring.held, ring.next, ring.count);
  xchg_intel_receive_release(&queue->ring, (struct rte_mbuf**)rxq->sw_ring, queue->pool, queue->port);
  rxq->rx_tail = ring.next;
  if (receiving == ONE_AT_A_TIME) {
    rxq->nb_rx_hold = ring.held;
    return;
  }
  for (uint16_t i = 0; i < ring.held; ++i) {
    struct ixgbe_rx_entry* entry = &rxq->sw_ring[xchg_intel_advance(first, i, ring.count)];
    rte_mbuf_raw_free(entry->mbuf);
    if (receiving == IN_BULK) entry->mbuf = NULL;
  }
  if (receiving == IN_BULK) {
    rxq->rx_free_trigger = (uint16_t)(first + ring.chunk - 1);
  } else {
    rxq->rxrearm_start = first;
    rxq->rxrearm_nb = ring.held;
  }
}

/* --- transmit --------------------------------------------------------------------------------------------------------- */

/* The functions that ixgbe_set_tx_function chooses from. */
enum transmitting { WITH_OFFLOADS, SIMPLE, VECTORS };

static enum transmitting transmitting_of(const struct ixgbe_tx_queue* txq) {
  const eth_tx_burst_t burst = rte_eth_devices[txq->port_id].tx_pkt_burst;
  if (burst == ixgbe_xmit_pkts) return WITH_OFFLOADS;
  return burst == ixgbe_xmit_pkts_simple ? SIMPLE : VECTORS;
}

static struct xchg_intel_entry entry_at(void* driver, uint16_t place) {
  struct ixgbe_tx_queue* txq = driver;
  struct ixgbe_tx_entry* entry = &txq->sw_ring[place];
  if (transmitting_of(txq) == VECTORS) return (struct xchg_intel_entry){&txq->sw_ring_v[place].mbuf, NULL};
  return (struct xchg_intel_entry){&entry->mbuf, &entry->last_id};
}

int xchg_ixgbe_transmit_takeover(uint16_t port, uint16_t number, struct rte_mempool* pool,
                                 struct xchg_ixgbe_transmit_queue* queue, const char** reason) {
  const uint64_t refused = RTE_ETH_TX_OFFLOAD_TCP_TSO | RTE_ETH_TX_OFFLOAD_OUTER_IPV4_CKSUM |
                           RTE_ETH_TX_OFFLOAD_SECURITY | RTE_ETH_TX_OFFLOAD_MACSEC_INSERT;
  const struct rte_eth_dev_data* data = rte_eth_devices[port].data;
  struct ixgbe_tx_queue* txq = data->tx_queues[number];
  if (data->tx_queue_state[number] != RTE_ETH_QUEUE_STATE_STARTED)
    return xchg_intel_refuse(reason, "a transmit queue is not started");
  if (txq->offloads & refused)
    return xchg_intel_refuse(reason, "TSO, tunnels, IPsec or MACsec is offloaded on transmit");
  const bool has_offloads = transmitting_of(txq) == WITH_OFFLOADS;
  *queue = (struct xchg_ixgbe_transmit_queue){
      .ring = {.descriptors = (struct xchg_intel_descriptor*)(uintptr_t)txq->tx_ring,
               .tail = txq->tdt_reg_addr,
               .count = txq->nb_tx_desc,
               .next = txq->tx_tail,
               .done = has_offloads ? txq->last_desc_cleaned
                                    : xchg_intel_distance(txq->tx_rs_thresh, txq->tx_next_dd, txq->nb_tx_desc),
               .threshold = txq->tx_rs_thresh},
      .has_offloads = has_offloads,
      .pool = pool,
      .driver = txq,
  };
  return xchg_intel_transmit_takeover(&queue->ring, entry_at, txq, pool, reason);
}

void xchg_ixgbe_transmit_release(struct xchg_ixgbe_transmit_queue* queue) {
  struct ixgbe_tx_queue* txq = queue->driver;
  const struct xchg_intel_transmit_ring ring = queue->ring;
  xchg_intel_transmit_release(&queue->ring, entry_at, txq, queue->pool);
  txq->tx_tail = ring.next;
  txq->nb_tx_free = xchg_intel_transmit_room(&ring);
  if (transmitting_of(txq) != WITH_OFFLOADS) {
    txq->tx_next_dd = xchg_intel_advance(ring.done, ring.threshold, ring.count);
    txq->tx_next_rs = xchg_intel_advance(ring.asked, ring.threshold, ring.count);
    return;
  }
  txq->last_desc_cleaned = ring.done;
  txq->nb_tx_used = ring.used;
  /* The NIC's first context is not the driver's any more. */
  if (queue->context.high != 0) memset(txq->ctx_cache, 0, sizeof txq->ctx_cache);
}
