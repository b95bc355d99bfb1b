#include "drivers/intel/checksums.h"

#include <rte_ether.h>
#include <rte_ip.h>
#include <rte_mbuf_core.h>
#include <rte_tcp.h>
#include <rte_udp.h>

struct xchg_intel_headers xchg_intel_prepare_checksums(uint8_t* frame, uint64_t flags) {
  struct xchg_intel_headers headers = {RTE_ETHER_HDR_LEN, sizeof(struct rte_ipv6_hdr)};
  rte_be16_t type = ((const struct rte_ether_hdr*)frame)->ether_type;
  if (type == RTE_BE16(RTE_ETHER_TYPE_VLAN)) {
    type = ((const struct rte_vlan_hdr*)(frame + headers.l2_length))->eth_proto;
    headers.l2_length += RTE_VLAN_HLEN;
  }
  uint16_t pseudo = 0;
  if (type == RTE_BE16(RTE_ETHER_TYPE_IPV4)) {
    struct rte_ipv4_hdr* ip = (struct rte_ipv4_hdr*)(frame + headers.l2_length);
    headers.l3_length = rte_ipv4_hdr_len(ip);
    if (flags & RTE_MBUF_F_TX_IP_CKSUM) ip->hdr_checksum = 0;
    pseudo = rte_ipv4_phdr_cksum(ip, flags);
  } else {
    pseudo = rte_ipv6_phdr_cksum((const struct rte_ipv6_hdr*)(frame + headers.l2_length), flags);
  }
  uint8_t* l4 = frame + headers.l2_length + headers.l3_length;
  if ((flags & RTE_MBUF_F_TX_L4_MASK) == RTE_MBUF_F_TX_UDP_CKSUM) ((struct rte_udp_hdr*)l4)->dgram_cksum = pseudo;
  if ((flags & RTE_MBUF_F_TX_L4_MASK) == RTE_MBUF_F_TX_TCP_CKSUM) ((struct rte_tcp_hdr*)l4)->cksum = pseudo;
  return headers;
}
