#include "drivers/wire.h"

#include <netinet/in.h>
#include <rte_byteorder.h>
#include <rte_ip.h>
#include <rte_tcp.h>
#include <rte_thash.h>
#include <rte_udp.h>

enum { kEthernetHeader = 14 };

/* The key of Microsoft's verification suite ("Verifying the RSS Hash Calculation"), which most NICs have as their default. */
static const uint8_t kKey[40] = {0x6d, 0x5a, 0x56, 0xda, 0x25, 0x5b, 0x0e, 0xc2, 0x41, 0x67, 0x25, 0x3d, 0x43, 0xa3,
                                 0x8f, 0xb0, 0xd0, 0xca, 0x2b, 0xcb, 0xae, 0x7b, 0x30, 0xb4, 0x77, 0xcb, 0x2d, 0xa3,
                                 0x80, 0x30, 0xf2, 0x0c, 0x6a, 0x42, 0xb7, 0x3b, 0xbe, 0xac, 0x01, 0xfa};

static bool is_right(const struct rte_ipv4_hdr* ip, const uint8_t* segment, uint32_t length) {
  if (ip->next_proto_id == IPPROTO_TCP)
    return length >= sizeof(struct rte_tcp_hdr) && rte_ipv4_udptcp_cksum_verify(ip, segment) == 0;
  if (length < sizeof(struct rte_udp_hdr)) return false;
  const struct rte_udp_hdr* udp = (const struct rte_udp_hdr*)segment;
  return udp->dgram_cksum != 0 && rte_be_to_cpu_16(udp->dgram_len) == length &&
         rte_ipv4_udptcp_cksum_verify(ip, segment) == 0;
}

struct xchg_wire_headers xchg_wire_look(const uint8_t* frame, uint32_t length) {
  struct xchg_wire_headers found = {0};
  if (length < kEthernetHeader + sizeof(struct rte_ipv4_hdr) || frame[12] != 0x08 || frame[13] != 0x00) return found;
  const struct rte_ipv4_hdr* ip = (const struct rte_ipv4_hdr*)(frame + kEthernetHeader);
  const uint32_t header = rte_ipv4_hdr_len(ip);
  const uint32_t total = rte_be_to_cpu_16(ip->total_length);
  if (ip->version_ihl >> 4 != 4 || header < sizeof *ip || total < header || total > length - kEthernetHeader)
    return found;
  found.ipv4 = true;
  found.header_right = rte_raw_cksum(ip, header) == 0xffff;
  /* In the processor's byte order, as rte_softrss wants them. */
  uint32_t tuple[3] = {rte_be_to_cpu_32(ip->src_addr), rte_be_to_cpu_32(ip->dst_addr), 0};
  const bool fragment = (ip->fragment_offset & RTE_BE16(RTE_IPV4_HDR_MF_FLAG | RTE_IPV4_HDR_OFFSET_MASK)) != 0;
  const bool has_ports = ip->next_proto_id == IPPROTO_TCP || ip->next_proto_id == IPPROTO_UDP;
  if (has_ports && !fragment && total - header >= 4) {
    const uint8_t* segment = (const uint8_t*)ip + header;
    found.protocol = ip->next_proto_id;
    found.segment_right = is_right(ip, segment, total - header);
    tuple[2] = (uint32_t)segment[0] << 24 | (uint32_t)segment[1] << 16 | (uint32_t)segment[2] << 8 | segment[3];
  }
  found.hash = rte_softrss(tuple, found.protocol != 0 ? 3 : 2, kKey);
  return found;
}
