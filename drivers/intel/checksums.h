/* What Intel's NICs want to be told, and to find, where they are to write checksums into a frame. */
#ifndef PACKETMILL_DRIVERS_INTEL_CHECKSUMS_H
#define PACKETMILL_DRIVERS_INTEL_CHECKSUMS_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct xchg_intel_headers {
  uint8_t l2_length;
  uint8_t l3_length;
};

/* Prepares a frame for RTE_MBUF_F_TX_{IP,TCP,UDP,SCTP}_CKSUM in `flags`, as rte_eth_tx_prepare does: the IPv4 checksum is 0,
 * and the one of TCP or UDP that of the pseudo header ("82599 datasheet", section 7.2.5; "8254x manual", section 3.5). */
struct xchg_intel_headers xchg_intel_prepare_checksums(uint8_t* frame, uint64_t flags);

#ifdef __cplusplus
}
#endif

#endif
