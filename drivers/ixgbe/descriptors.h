/* What an 82599 reads and writes in its rings ("Intel 82599 10 GbE Controller Datasheet"): the advanced descriptors. Our own
 * definitions, so that data paths need none of the driver's headers; takeover.c holds them against the driver's. What all
 * of Intel's rings have in common is in drivers/intel/ring.h. */
#ifndef PACKETMILL_DRIVERS_IXGBE_DESCRIPTORS_H
#define PACKETMILL_DRIVERS_IXGBE_DESCRIPTORS_H

#include "drivers/intel/ring.h"

/* A receive descriptor that was written back (section 7.1.6.2). `low`: 4 bits by which fields the hash was computed, 13 of
 * the packet's type, and in the upper half the hash, or the number of the flow director filter that matched. `high`: status
 * and errors, the length from bit 32 and the VLAN tag from bit 48. */
enum {
  XCHG_IXGBE_STATUS_VLAN = 1u << 3,
  XCHG_IXGBE_STATUS_L4_CHECKED = 1u << 5,
  XCHG_IXGBE_STATUS_IP_CHECKED = 1u << 6,
  XCHG_IXGBE_STATUS_OUTER_IP_CHECKED = 1u << 8,
  XCHG_IXGBE_ERROR_OUTER_IP = 1u << 26,
  XCHG_IXGBE_ERROR_L4 = 1u << 30
};
#define XCHG_IXGBE_ERROR_IP (UINT32_C(1) << 31)

enum {
  XCHG_IXGBE_HASH_FLOW_DIRECTOR = 0xf,
  XCHG_IXGBE_TYPE_SHIFT = 4,
  XCHG_IXGBE_TYPE_UDP = 1u << 9,
  XCHG_IXGBE_TYPE_BY_FILTER = 1u << 15, /* then it is a filter's number */
  XCHG_IXGBE_TYPE_TUNNEL = 1u << 12     /* of the type without the hash's bits */
};

/* Transmit (section 7.2.3.2): a data descriptor's kind and, in `high`'s upper half, its options. */
#define XCHG_IXGBE_DATA (UINT32_C(3) << 20)
#define XCHG_IXGBE_CONTEXT (UINT32_C(2) << 20)
#define XCHG_IXGBE_KIND (UINT32_C(15) << 20)
enum {
  XCHG_IXGBE_OPTION_IP_CHECKSUM = 1u << 8,
  XCHG_IXGBE_OPTION_L4_CHECKSUM = 1u << 9,
  XCHG_IXGBE_PAYLOAD_SHIFT = 14
};

/* A context descriptor. `low`: lengths of the IP and MAC headers and the VLAN tag; `high`: which protocols. */
enum {
  XCHG_IXGBE_MAC_LENGTH_SHIFT = 9,
  XCHG_IXGBE_VLAN_SHIFT = 16,
  XCHG_IXGBE_PROTOCOL_IPV4 = 1u << 10,
  XCHG_IXGBE_PROTOCOL_TCP = 1u << 11,
  XCHG_IXGBE_PROTOCOL_SCTP = 2u << 11,
  XCHG_IXGBE_PROTOCOL_NONE = 3u << 11
};

#endif
