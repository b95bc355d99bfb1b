/* An emulated ConnectX: it reads and writes exactly the memory that a real one would, rings, completion queues, doorbell
 * records and frames, and knows nothing of drivers. Tests and benchmarks stand in for the wire. */
#ifndef PACKETMILL_DRIVERS_MLX5_DEVICE_H
#define PACKETMILL_DRIVERS_MLX5_DEVICE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "drivers/mlx5/descriptors.h"

#ifdef __cplusplus
extern "C" {
#endif

struct mlx5_device_receive_queue {
  /* Memory that the driver has given it. */
  struct xchg_mlx5_receive_request* requests;
  struct xchg_mlx5_completion* completions;
  const volatile uint32_t* request_record;
  const volatile uint32_t* completion_record;
  uint8_t request_log;
  uint8_t completion_log;
  /* Its own. */
  uint32_t request;    /* how many it has used */
  uint32_t completion; /* how many it has written */
  bool error;          /* it has reported one and waits for a reset */
  uint64_t frames;
  uint64_t no_request;    /* frames lost because the driver had given no buffer */
  uint64_t no_completion; /* because the completion queue was full */
  uint64_t too_long;
};

struct mlx5_device_transmit_queue {
  uint8_t* blocks;
  struct xchg_mlx5_completion* completions;
  const volatile uint32_t* block_record;
  const volatile uint32_t* completion_record;
  uint8_t block_log;
  uint8_t completion_log;
  uint16_t block; /* how many it has read */
  uint32_t completion;
  bool error;
  uint64_t frames;
  uint64_t wrong; /* requests that it could not make sense of */
};

enum {
  XCHG_MLX5_LOCAL_LENGTH_ERROR = 0x01,
  XCHG_MLX5_LOCAL_QUEUE_ERROR = 0x02,
  XCHG_MLX5_LOCAL_PROTECTION_ERROR = 0x04
};

/* What a frame looks like to the NIC, beside its bytes. */
struct mlx5_device_frame {
  const uint8_t* bytes;
  uint32_t length;
  uint32_t hash;
  uint16_t header_types; /* XCHG_MLX5_HEADER_* */
  uint8_t packet_info;
  uint8_t type; /* the lower six bits of a packet type's index */
  uint16_t vlan_tci;
  uint32_t tag; /* of the flow rule, as the driver wants to read it: its number and one; 0: none */
  uint64_t timestamp;
};

/* Receives a frame: its bytes go where the driver said, and a completion follows. False, with its counter, where there is
 * no room. */
bool mlx5_device_receive(struct mlx5_device_receive_queue* queue, const struct mlx5_device_frame* frame);

/* Receives `count` (2 to 56) frames in one compressed session; all of them or none. They differ in hash and length only. */
bool mlx5_device_receive_compressed(struct mlx5_device_receive_queue* queue, const struct mlx5_device_frame* frames,
                                    unsigned count);

/* Uses up a request with an error completion of this syndrome; some stop the queue until it is reset. */
bool mlx5_device_receive_error(struct mlx5_device_receive_queue* queue, uint8_t syndrome);

/* What becomes of a frame that the driver had sent. */
struct mlx5_device_sent {
  const uint8_t* bytes;
  uint32_t length;
  uint8_t checksums; /* XCHG_MLX5_CHECKSUM_*: what the NIC was asked to write */
  bool insert_vlan;
  uint16_t vlan_tci;
};
typedef void mlx5_device_wire(void* context, const struct mlx5_device_sent* frame);

/* Sends at most `most` frames' requests whole, and writes the completions that were asked for. Returns the frames sent. */
unsigned mlx5_device_transmit(struct mlx5_device_transmit_queue* queue, unsigned most, mlx5_device_wire* wire,
                              void* context);

/* Fails the next send request with this syndrome; the queue stops until it is reset. */
bool mlx5_device_transmit_error(struct mlx5_device_transmit_queue* queue, uint8_t syndrome);

#ifdef __cplusplus
}
#endif

#endif
