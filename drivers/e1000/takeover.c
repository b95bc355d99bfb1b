/* Between em's own queues and the data paths' view of them. The only file that knows the driver's private structs: what differs
 * between releases of DPDK is here, and what the data paths take for granted is asserted here. */
#include "drivers/intel/takeover.h"

#include <assert.h>
#include <e1000_api.h>
#include <e1000_ethdev.h>
#include <em_queues.h> /* what em_rxtx.c defines for itself; scripts/setup.sh takes it from there */
#include <rte_mbuf.h>
#include <string.h>

#include "drivers/e1000/queues.h"

#define KNOWN "this DPDK's em has another descriptor: see drivers/e1000/README.md for releases that are known"

static_assert(sizeof(struct e1000_rx_desc) == sizeof(struct xchg_intel_descriptor), KNOWN);
static_assert(offsetof(struct e1000_rx_desc, buffer_addr) == 0 && offsetof(struct e1000_rx_desc, length) == 8, KNOWN);
static_assert(offsetof(struct e1000_rx_desc, status) == 8 + XCHG_E1000_STATUS_SHIFT / 8, KNOWN);
static_assert(offsetof(struct e1000_rx_desc, errors) == 8 + XCHG_E1000_ERROR_SHIFT / 8, KNOWN);
static_assert(offsetof(struct e1000_rx_desc, special) == 8 + XCHG_E1000_VLAN_SHIFT / 8, KNOWN);
static_assert((int)XCHG_INTEL_DONE == E1000_RXD_STAT_DD && (int)XCHG_INTEL_END_OF_PACKET == E1000_RXD_STAT_EOP, KNOWN);
static_assert((int)XCHG_E1000_STATUS_CHECKSUMS_IGNORED == E1000_RXD_STAT_IXSM, KNOWN);
static_assert((int)XCHG_E1000_STATUS_VLAN == E1000_RXD_STAT_VP, KNOWN);
static_assert((int)XCHG_E1000_STATUS_UDP_CHECKED == E1000_RXD_STAT_UDPCS, KNOWN);
static_assert((int)XCHG_E1000_STATUS_TCP_CHECKED == E1000_RXD_STAT_TCPCS, KNOWN);
static_assert((int)XCHG_E1000_STATUS_IP_CHECKED == E1000_RXD_STAT_IPCS, KNOWN);
static_assert((int)XCHG_E1000_ERROR_L4 == E1000_RXD_ERR_TCPE && (int)XCHG_E1000_ERROR_IP == E1000_RXD_ERR_IPE, KNOWN);
static_assert(sizeof(struct e1000_data_desc) == sizeof(struct xchg_intel_descriptor), KNOWN);
static_assert(offsetof(struct e1000_data_desc, lower) == 8 && offsetof(struct e1000_data_desc, upper) == 12, KNOWN);
static_assert(E1000_TXD_STAT_DD == XCHG_INTEL_SENT >> 32, KNOWN);
static_assert((XCHG_E1000_DATA | XCHG_INTEL_EXTENDED) == (E1000_TXD_DTYP_D | E1000_TXD_CMD_DEXT), KNOWN);
static_assert(E1000_TXD_DTYP_C == 0, KNOWN);
static_assert(XCHG_INTEL_LAST_SEGMENT == E1000_TXD_CMD_EOP && XCHG_INTEL_REPORT_STATUS == E1000_TXD_CMD_RS, KNOWN);
static_assert(XCHG_INTEL_INSERT_CHECK_SEQUENCE == E1000_TXD_CMD_IFCS, KNOWN);
static_assert(XCHG_INTEL_INSERT_VLAN == E1000_TXD_CMD_VLE, KNOWN);
static_assert((int)XCHG_E1000_OPTION_IP_CHECKSUM == E1000_TXD_POPTS_IXSM << 8, KNOWN);
static_assert((int)XCHG_E1000_OPTION_L4_CHECKSUM == E1000_TXD_POPTS_TXSM << 8, KNOWN);
static_assert(XCHG_E1000_PROTOCOL_TCP == E1000_TXD_CMD_TCP && XCHG_E1000_PROTOCOL_IPV4 == E1000_TXD_CMD_IP, KNOWN);
static_assert(sizeof(struct em_rx_entry) == sizeof(struct rte_mbuf*), "the receive ring's mbufs are an array");
static_assert(XCHG_INTEL_MOST_DESCRIPTORS >= E1000_MAX_RING_DESC, "rings");

int xchg_e1000_receive_takeover(uint16_t port, uint16_t number, struct rte_mempool* pool,
                                struct xchg_e1000_receive_queue* queue, const char** reason) {
  const struct rte_eth_dev_data* data = rte_eth_devices[port].data;
  struct em_rx_queue* rxq = data->rx_queues[number];
  if (data->scattered_rx)
    return xchg_intel_refuse(reason, "frames may be of several segments: buffers must hold the greatest frame");
  *queue = (struct xchg_e1000_receive_queue){
      .ring = {.descriptors = (struct xchg_intel_descriptor*)(uintptr_t)rxq->rx_ring,
               .tail = rxq->rdt_reg_addr,
               .count = rxq->nb_rx_desc,
               .next = rxq->rx_tail,
               .held = rxq->nb_rx_hold,
               .chunk = RTE_MAX(rxq->rx_free_thresh, 1)},
      .check_sequence = rxq->crc_len,
      .port = port,
      .pool = pool,
      .driver = rxq,
  };
  return xchg_intel_receive_takeover(&queue->ring, (struct rte_mbuf**)rxq->sw_ring, 0, rxq->mb_pool, pool, reason);
}

void xchg_e1000_receive_release(struct xchg_e1000_receive_queue* queue) {
  struct em_rx_queue* rxq = queue->driver;
  rxq->rx_tail = queue->ring.next;
  rxq->nb_rx_hold = queue->ring.held;
  xchg_intel_receive_release(&queue->ring, (struct rte_mbuf**)rxq->sw_ring, queue->pool, queue->port);
}

static struct xchg_intel_entry entry_at(void* driver, uint16_t place) {
  struct em_tx_entry* entry = &((struct em_tx_queue*)driver)->sw_ring[place];
  return (struct xchg_intel_entry){&entry->mbuf, &entry->last_id};
}

int xchg_e1000_transmit_takeover(uint16_t port, uint16_t number, struct rte_mempool* pool,
                                 struct xchg_e1000_transmit_queue* queue, const char** reason) {
  struct em_tx_queue* txq = rte_eth_devices[port].data->tx_queues[number];
  *queue = (struct xchg_e1000_transmit_queue){
      .ring = {.descriptors = (struct xchg_intel_descriptor*)(uintptr_t)txq->tx_ring,
               .tail = txq->tdt_reg_addr,
               .count = txq->nb_tx_desc,
               .next = txq->tx_tail,
               .done = txq->last_desc_cleaned,
               .threshold = txq->tx_rs_thresh},
      .pool = pool,
      .driver = txq,
  };
  return xchg_intel_transmit_takeover(&queue->ring, entry_at, txq, pool, reason);
}

void xchg_e1000_transmit_release(struct xchg_e1000_transmit_queue* queue) {
  struct em_tx_queue* txq = queue->driver;
  txq->tx_tail = queue->ring.next;
  txq->nb_tx_free = xchg_intel_transmit_room(&queue->ring);
  txq->last_desc_cleaned = queue->ring.done;
  txq->nb_tx_used = queue->ring.used;
  /* The NIC's context is not the driver's any more. */
  if (queue->context.high != 0) memset(&txq->ctx_cache, 0, sizeof txq->ctx_cache);
  xchg_intel_transmit_release(&queue->ring, entry_at, txq, queue->pool);
}
