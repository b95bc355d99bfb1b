/* The queues of a ConnectX as the data paths see them: what the driver's own structs say, gathered at takeover into one or
 * two cache lines, and given back at release. */
#ifndef PACKETMILL_DRIVERS_MLX5_QUEUES_H
#define PACKETMILL_DRIVERS_MLX5_QUEUES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "drivers/mlx5/descriptors.h"

#ifdef __cplusplus
extern "C" {
#endif

struct rte_mempool;

/* The driver's own counters, so that rte_eth_stats_get counts on. */
struct xchg_mlx5_counters {
  uint64_t packets;
  uint64_t bytes;
};

struct xchg_mlx5_receive_queue {
  struct xchg_mlx5_completion* completions;
  struct xchg_mlx5_receive_request* requests;
  uint32_t completion; /* the next to be looked at; counts on */
  uint32_t request;    /* those given to the NIC so far, which is also the place of the next frame: the ring is full */
  uint32_t completion_mask;
  uint32_t request_mask;
  uint8_t completion_log;
  uint8_t check_sequence; /* bytes at the end of a frame that are not its own: 4 or 0 */
  bool recovering;        /* from an error: the driver wants to be asked until it is over */
  bool vector;            /* the driver receives by its vector function */
  bool has_checksums, has_hash, has_mark, strips_vlan;
  uint16_t port;
  volatile uint32_t* completion_record;
  volatile uint32_t* request_record;
  struct xchg_mlx5_counters* statistics;
  const uint32_t* packet_types;
  void* driver; /* struct mlx5_rxq_data */
};

struct xchg_mlx5_transmit_queue {
  uint8_t* blocks;
  uint8_t* end;
  void** slots;  /* buffers: of frames under way from tail to head, empty ones elsewhere */
  uint16_t head; /* counts of slots */
  uint16_t tail;
  uint16_t asked; /* up to which slot completions are asked for */
  uint16_t slot_count;
  uint16_t slot_mask;
  uint16_t block; /* counts of blocks: the next to be written */
  uint16_t block_done;
  uint16_t block_count;
  uint16_t block_mask;
  uint16_t completion; /* counts of completions */
  uint16_t completion_asked;
  uint16_t completion_mask;
  uint8_t completion_log;
  bool doorbell_is_uncached; /* then nothing has to push it out */
  bool doorbell_is_cached_sometimes;
  uint32_t queue_number; /* shifted as send requests want it */
  uint32_t lkey;         /* big-endian, as the driver has it */
  struct xchg_mlx5_completion* completions;
  uint16_t* slots_done; /* by completion: up to which slot it says "sent" */
  volatile uint32_t* completion_record;
  volatile uint32_t* block_record;
  volatile uint64_t* doorbell;
  struct xchg_mlx5_counters* statistics;
  struct rte_mempool* pool;
  void* driver; /* struct mlx5_txq_data */
};

/* Takes over a queue that mlx5 has set up: from now on only the data paths here may use it. 0, or a negative errno and why
 * in `reason`, a constant. Every buffer comes from `pool`. */
int xchg_mlx5_receive_takeover(void* rxq, bool vector, struct rte_mempool* pool, struct xchg_mlx5_receive_queue* queue,
                               const char** reason);
int xchg_mlx5_transmit_takeover(void* txq, struct rte_mempool* pool, struct xchg_mlx5_transmit_queue* queue,
                                const char** reason);
/* Whether a port of mlx5 receives by its vector function. */
bool xchg_mlx5_is_vector(uint16_t port);

/* Gives it back: there are mbufs in the rings again, those in the other slots go to the pool. */
void xchg_mlx5_receive_release(struct xchg_mlx5_receive_queue* queue);
void xchg_mlx5_transmit_release(struct xchg_mlx5_transmit_queue* queue);

/* What is rare, out of line: a compressed session becomes ordinary completions, and a queue with an error goes back to the
 * driver, which knows how to recover it, and is taken over again. The burst that met it had
 * got to `completion` and `request`; `written`: there is a completion. False: nothing more for now. */
bool xchg_mlx5_receive_rare(struct xchg_mlx5_receive_queue* queue, uint32_t completion, uint32_t request, bool written);
void xchg_mlx5_transmit_recover(struct xchg_mlx5_transmit_queue* queue);

#ifdef __cplusplus
}
#endif

#endif
