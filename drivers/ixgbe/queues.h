/* The queues of an 82599 as the data paths see them: what the driver's own structs say, gathered at takeover, and given back
 * at release. */
#ifndef PACKETMILL_DRIVERS_IXGBE_QUEUES_H
#define PACKETMILL_DRIVERS_IXGBE_QUEUES_H

#include "drivers/ixgbe/descriptors.h"

#ifdef __cplusplus
extern "C" {
#endif

struct xchg_ixgbe_receive_queue {
  struct xchg_intel_receive_ring ring;
  uint64_t vlan_flags;    /* RTE_MBUF_F_RX_* of a frame with a tag */
  uint16_t type_mask;     /* bits of a packet's type that this NIC writes */
  uint8_t check_sequence; /* bytes at the end of a frame that are not its own: 4 or 0 */
  bool zero_udp_is_bad;   /* an UDP frame without a checksum may be called wrong (82599 specification update) */
  uint16_t port;
  const uint32_t* packet_types;
  const uint32_t* tunnel_types;
  struct rte_mempool* pool;
  void* driver; /* struct ixgbe_rx_queue */
};

struct xchg_ixgbe_transmit_queue {
  struct xchg_intel_transmit_ring ring;
  struct xchg_intel_descriptor context; /* what the NIC has in its first context; zeros: nothing of ours */
  bool has_offloads;                    /* otherwise nothing is asked of the NIC, as in the driver's simple functions */
  struct rte_mempool* pool;
  void* driver; /* struct ixgbe_tx_queue */
};

/* Takes over a queue of a port that ixgbe has started: from now on only the data paths here may use it. 0, or a negative errno
 * and why in `reason`, a constant. */
int xchg_ixgbe_receive_takeover(uint16_t port, uint16_t number, struct rte_mempool* pool,
                                struct xchg_ixgbe_receive_queue* queue, const char** reason);
int xchg_ixgbe_transmit_takeover(uint16_t port, uint16_t number, struct rte_mempool* pool,
                                 struct xchg_ixgbe_transmit_queue* queue, const char** reason);

/* Gives it back: there are mbufs in the rings again, those in the other slots go to the pool. */
void xchg_ixgbe_receive_release(struct xchg_ixgbe_receive_queue* queue);
void xchg_ixgbe_transmit_release(struct xchg_ixgbe_transmit_queue* queue);

#ifdef __cplusplus
}
#endif

#endif
