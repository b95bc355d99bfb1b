/* What a NIC makes of a frame's headers when it comes in; for emulated ones. */
#ifndef PACKETMILL_DRIVERS_WIRE_H
#define PACKETMILL_DRIVERS_WIRE_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct xchg_wire_headers {
  bool ipv4;          /* right behind the Ethernet header: tagged frames are not looked into */
  bool header_right;  /* the IPv4 header's checksum */
  uint8_t protocol;   /* of the IPv4 packet, where that is TCP or UDP and no fragment; otherwise 0 */
  bool segment_right; /* the checksum of the TCP segment or UDP datagram, which fills the IPv4 packet */
  uint32_t hash;      /* Toeplitz, over addresses, and ports where there is a protocol; 0 of other frames */
};

/* Reads a whole frame, without its check sequence. */
struct xchg_wire_headers xchg_wire_look(const uint8_t* frame, uint32_t length);

#ifdef __cplusplus
}
#endif

#endif
