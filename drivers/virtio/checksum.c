/* Checksums that the device and we do between us (virtio 1.2, 5.1.6.2 and 5.1.6.4). Rare: out of line. */
#include <rte_byteorder.h>
#include <rte_ether.h>
#include <rte_ip.h>
#include <rte_tcp.h>
#include <rte_udp.h>
#include <string.h>

#include "drivers/virtio/queues.h"

/* Where an IP packet's payload is, by the outermost header, and what. */
struct payload {
  const void* ip;
  uint32_t start; /* from the frame's first byte on; 0: there is none that has a checksum */
  uint8_t protocol;
  bool version6;
};

static struct payload payload_of(const uint8_t* frame, uint32_t length) {
  struct payload payload = {NULL, 0, 0, false};
  uint32_t at = RTE_ETHER_HDR_LEN;
  if (length < at) return payload;
  rte_be16_t type = ((const struct rte_ether_hdr*)frame)->ether_type;
  while (type == RTE_BE16(RTE_ETHER_TYPE_VLAN) || type == RTE_BE16(RTE_ETHER_TYPE_QINQ)) {
    if (length < at + sizeof(struct rte_vlan_hdr)) return payload;
    type = ((const struct rte_vlan_hdr*)(frame + at))->eth_proto;
    at += sizeof(struct rte_vlan_hdr);
  }
  payload.ip = frame + at;
  if (type == RTE_BE16(RTE_ETHER_TYPE_IPV4) && length >= at + sizeof(struct rte_ipv4_hdr)) {
    const struct rte_ipv4_hdr* ip = payload.ip;
    if ((ip->fragment_offset & RTE_BE16(RTE_IPV4_HDR_OFFSET_MASK | RTE_IPV4_HDR_MF_FLAG)) != 0) return payload;
    payload.protocol = ip->next_proto_id;
    payload.start = at + rte_ipv4_hdr_len(ip);
  } else if (type == RTE_BE16(RTE_ETHER_TYPE_IPV6) && length >= at + sizeof(struct rte_ipv6_hdr)) {
    payload.protocol = ((const struct rte_ipv6_hdr*)payload.ip)->proto;
    payload.start = at + (uint32_t)sizeof(struct rte_ipv6_hdr);
    payload.version6 = true;
  }
  return payload;
}

/* Where in a protocol's header its checksum is; 0 where it has none that a device can complete. */
static uint16_t checksum_offset(uint8_t protocol) {
  if (protocol == IPPROTO_TCP) return offsetof(struct rte_tcp_hdr, cksum);
  if (protocol == IPPROTO_UDP) return offsetof(struct rte_udp_hdr, dgram_cksum);
  return 0;
}

/* As the driver does: of a TCP segment or UDP datagram it is said, and whoever looks into the frame knows that it is as it was
 * sent; any other (in a tunnel, say) is completed here. */
uint64_t xchg_virtio_receive_checksum(const struct xchg_virtio_header* header, uint8_t* frame, uint32_t length) {
  const struct payload payload = payload_of(frame, length);
  const uint32_t start = header->checksum_start;
  const uint32_t at = start + header->checksum_offset;
  if (checksum_offset(payload.protocol) != 0 && start == payload.start) return RTE_MBUF_F_RX_L4_CKSUM_NONE;
  if (start >= length || at + sizeof(uint16_t) > length) return 0;
  const uint16_t sum = rte_raw_cksum(frame + start, length - start);
  const uint16_t checksum = sum == 0xffff ? sum : (uint16_t)~sum; /* zero would say that there is none */
  memcpy(frame + at, &checksum, sizeof checksum);
  return 0;
}

void xchg_virtio_transmit_checksum(struct xchg_virtio_header* header, uint8_t* frame, uint32_t length, uint64_t flags) {
  const uint8_t wanted = (flags & RTE_MBUF_F_TX_L4_MASK) == RTE_MBUF_F_TX_TCP_CKSUM ? IPPROTO_TCP : IPPROTO_UDP;
  const struct payload payload = payload_of(frame, length);
  const uint16_t offset = checksum_offset(wanted);
  if (payload.start == 0 || payload.protocol != wanted || length < payload.start + offset + sizeof(rte_be16_t)) return;
  rte_be16_t* checksum = (rte_be16_t*)(frame + payload.start + offset);
  *checksum = payload.version6 ? rte_ipv6_phdr_cksum(payload.ip, flags) : rte_ipv4_phdr_cksum(payload.ip, flags);
  header->flags = XCHG_VIRTIO_NEEDS_CHECKSUM;
  header->checksum_start = (uint16_t)payload.start;
  header->checksum_offset = offset;
}
