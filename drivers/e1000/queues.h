/* The queues of an e1000 as the data paths see them: what the driver's own structs say, gathered at takeover, and given back
 * at release. */
#ifndef PACKETMILL_DRIVERS_E1000_QUEUES_H
#define PACKETMILL_DRIVERS_E1000_QUEUES_H

#include "drivers/e1000/descriptors.h"

#ifdef __cplusplus
extern "C" {
#endif

struct xchg_e1000_receive_queue {
  struct xchg_intel_receive_ring ring;
  uint8_t check_sequence; /* bytes at the end of a frame that are not its own: 4 or 0 */
  uint16_t port;
  struct rte_mempool* pool;
  void* driver; /* struct em_rx_queue */
};

struct xchg_e1000_transmit_queue {
  struct xchg_intel_transmit_ring ring;
  struct xchg_intel_descriptor context; /* what the NIC has as its context; zeros: nothing of ours */
  struct rte_mempool* pool;
  void* driver; /* struct em_tx_queue */
};

/* Takes over a queue of a port that em has started: from now on only the data paths here may use it. 0, or a negative errno
 * and why in `reason`, a constant. */
int xchg_e1000_receive_takeover(uint16_t port, uint16_t number, struct rte_mempool* pool,
                                struct xchg_e1000_receive_queue* queue, const char** reason);
int xchg_e1000_transmit_takeover(uint16_t port, uint16_t number, struct rte_mempool* pool,
                                 struct xchg_e1000_transmit_queue* queue, const char** reason);

/* Gives it back: there are mbufs in the rings again, those in the other slots go to the pool. */
void xchg_e1000_receive_release(struct xchg_e1000_receive_queue* queue);
void xchg_e1000_transmit_release(struct xchg_e1000_transmit_queue* queue);

#ifdef __cplusplus
}
#endif

#endif
