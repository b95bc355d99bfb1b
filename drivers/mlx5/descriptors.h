/* What a ConnectX reads and writes in memory, as far as Ethernet queues go (NVIDIA's "Adapters Programmer's Reference
 * Manual", PRM, chapters "Work Request (WQE) Formats" and "Completion Queue Entry Format"). Big-endian. Our own
 * definitions, so that data paths need none of the driver's headers; takeover.c holds them against the driver's. */
#ifndef PACKETMILL_DRIVERS_MLX5_DESCRIPTORS_H
#define PACKETMILL_DRIVERS_MLX5_DESCRIPTORS_H

#include <stdint.h>

enum {
  XCHG_MLX5_COMPLETION_SIZE = 64,
  XCHG_MLX5_BLOCK_SIZE = 64, /* WQEBB: what send queues are counted in */
  XCHG_MLX5_SEGMENT_SIZE = 16
};

/* One receive work request: where a frame may go. */
struct xchg_mlx5_receive_request {
  uint32_t byte_count;
  uint32_t lkey; /* of the registered memory that `address` lies in */
  uint64_t address;
};

/* Completion queue entry: a frame that has come, or requests that are done. */
struct xchg_mlx5_completion {
  uint8_t packet_info; /* bit 6 of a packet type's index: tunnelled, bit 7: the outer header is IPv4 */
  uint8_t reserved0[11];
  uint32_t hash;
  uint8_t hash_type;
  uint8_t reserved1[11];
  uint16_t header_types; /* XCHG_MLX5_HEADER_*, and the lower six bits of a packet type's index at bit 10 */
  uint16_t vlan_tci;
  uint8_t large_segments;
  uint8_t reserved2[11];
  uint32_t byte_count;
  uint64_t timestamp;
  uint32_t mark;    /* the flow rule's tag, 24 bits */
  uint16_t request; /* index of the request, counted in blocks where it is a send request */
  uint8_t signature;
  uint8_t owner; /* bit 0: changes at each round of the queue; bits 2-3: format; bits 4-7: opcode */
};

/* Bytes of an error completion that differ. */
enum { XCHG_MLX5_SYNDROME = 55 };

enum {
  XCHG_MLX5_HEADER_VLAN_STRIPPED = 1u << 0,
  XCHG_MLX5_HEADER_L3_GOOD = 1u << 9,
  XCHG_MLX5_HEADER_L4_GOOD = 1u << 10
};

enum {
  XCHG_MLX5_REQUESTER = 0x0,
  XCHG_MLX5_RESPONDER_SEND = 0x2,
  XCHG_MLX5_REQUESTER_ERROR = 0xd,
  XCHG_MLX5_RESPONDER_ERROR = 0xe,
  XCHG_MLX5_INVALID = 0xf,
  XCHG_MLX5_FORMAT_COMPRESSED = 3
};

static inline unsigned xchg_mlx5_opcode(uint8_t owner) { return owner >> 4; }
static inline unsigned xchg_mlx5_format(uint8_t owner) { return owner >> 2 & 3; }

/* One of the eight to a completion's place that a compressed session consists of. */
struct xchg_mlx5_mini {
  uint32_t hash; /* or what else the queue was told to compress by */
  uint32_t byte_count;
};

/* A send work request: 16-byte segments, of which the first two are these. */
struct xchg_mlx5_control {
  uint32_t opcode_and_index;
  uint32_t queue_and_segments;
  uint32_t flags;
  uint32_t immediate;
};
struct xchg_mlx5_ethernet {
  uint32_t offsets;
  uint8_t checksums; /* XCHG_MLX5_CHECKSUM_* */
  uint8_t parser;
  uint16_t segment_size;
  uint32_t metadata;
  uint16_t inline_size;  /* or XCHG_MLX5_INSERT_VLAN */
  uint16_t inline_start; /* the first two bytes of the frame's head, or the tag */
};
struct xchg_mlx5_data {
  uint32_t byte_count; /* with XCHG_MLX5_INLINE: the bytes follow here */
  uint32_t lkey;
  uint64_t address;
};

enum {
  XCHG_MLX5_SEND = 0x0a,
  XCHG_MLX5_ENHANCED_MULTI_PACKET = 0x29,
  XCHG_MLX5_COMPLETE_ALWAYS = 2u << 2,
  XCHG_MLX5_COMPLETE_ON_FIRST_ERROR = 1u << 2,
  XCHG_MLX5_CHECKSUM_L3 = 1u << 6,
  XCHG_MLX5_CHECKSUM_L4 = 1u << 7,
  XCHG_MLX5_INSERT_VLAN = 1u << 15
};
#define XCHG_MLX5_INLINE 0x80000000u

#endif
