/* What an 8254x, 8257x or 82583 reads and writes in its rings ("PCI/PCI-X Family of Gigabit Ethernet Controllers Software
 * Developer's Manual"): legacy receive descriptors and extended transmit descriptors. Our own definitions, so that data
 * paths need none of the driver's headers; takeover.c holds them against the driver's. What all of Intel's rings have in
 * common is in drivers/intel/ring.h. */
#ifndef PACKETMILL_DRIVERS_E1000_DESCRIPTORS_H
#define PACKETMILL_DRIVERS_E1000_DESCRIPTORS_H

#include "drivers/intel/ring.h"

/* A receive descriptor that was written back (section 3.2.3). `high`: the length, a sum that nobody uses, the status from bit 32,
 * errors from bit 40 and the VLAN tag from bit 48. */
enum { XCHG_E1000_STATUS_SHIFT = 32, XCHG_E1000_ERROR_SHIFT = 40, XCHG_E1000_VLAN_SHIFT = 48 };
enum {
  XCHG_E1000_STATUS_CHECKSUMS_IGNORED = 1u << 2,
  XCHG_E1000_STATUS_VLAN = 1u << 3,
  XCHG_E1000_STATUS_UDP_CHECKED = 1u << 4, /* 82571 and later */
  XCHG_E1000_STATUS_TCP_CHECKED = 1u << 5, /* or UDP */
  XCHG_E1000_STATUS_IP_CHECKED = 1u << 6
};
enum { XCHG_E1000_ERROR_L4 = 1u << 5, XCHG_E1000_ERROR_IP = 1u << 6 };

/* Transmit (sections 3.3.6 and 3.3.7): a data descriptor's kind, where a context has zeros, and in `high`'s upper half its
 * options and, from bit 16, the VLAN tag. */
#define XCHG_E1000_DATA (UINT32_C(1) << 20)
#define XCHG_E1000_KIND (UINT32_C(15) << 20)
enum { XCHG_E1000_OPTION_IP_CHECKSUM = 1u << 8, XCHG_E1000_OPTION_L4_CHECKSUM = 1u << 9, XCHG_E1000_TAG_SHIFT = 16 };

/* A context descriptor. `low`: for the IP checksum and then for TCP's or UDP's, where what it is of begins, where it is put,
 * and where the former ends (0: with the frame). `high`: which protocols. */
enum {
  XCHG_E1000_IP_START_SHIFT = 0,
  XCHG_E1000_IP_PLACE_SHIFT = 8,
  XCHG_E1000_IP_END_SHIFT = 16,
  XCHG_E1000_L4_START_SHIFT = 32,
  XCHG_E1000_L4_PLACE_SHIFT = 40,
  XCHG_E1000_L4_END_SHIFT = 48
};
#define XCHG_E1000_PROTOCOL_TCP (UINT32_C(1) << 24)
#define XCHG_E1000_PROTOCOL_IPV4 (UINT32_C(1) << 25)

#endif
