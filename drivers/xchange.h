/* X-Change: the application's own metadata in the driver, over an unmodified DPDK.
 *
 * An ordinary driver writes what the NIC says of a packet into an rte_mbuf, and takes a fresh one from a pool. Under
 * X-Change each piece goes through a *conversion function* that the application defines, into whatever it calls a packet;
 * and buffers are *exchanged*: a packet enters a driver's data path owning one buffer and leaves it owning one. On receive
 * it brings an empty buffer and gets the frame's; on transmit it brings the frame and gets a buffer that has been sent. No
 * pool is asked in between. (Farshin et al., "PacketMill", ASPLOS 2021, section 3.1.)
 *
 * To use it, a C or C++ program
 *
 *   1. defines the conversion functions, in one of two ways:
 *      in line (fastest, one kind of packet per source file): before any header of drivers/ is included,
 *
 *        struct xchg { uint8_t *buffer; uint32_t length; };
 *        static inline void *xchg_get_buffer(const struct xchg *packet) { return packet->buffer; }
 *        #define xchg_get_buffer xchg_get_buffer
 *
 *      and so on. Of those below it must define xchg_{get,set}_buffer and xchg_{get,set}_length; what it leaves out costs
 *      nothing, not even the load from the descriptor.
 *      by linking: define XCHG_LINKED; then all of them are ordinary functions, and the packet is a struct that drivers do
 *      not know. An object file that defines them is a metadata model; another one is another model, and neither DPDK nor
 *      the data paths are compiled again. drivers/mbuf.c is the one whose packet is an rte_mbuf.
 *   2. sets its port up as for any driver, with one mempool, single-segment, without external buffers.
 *   3. calls xchg_takeover(port), receives and transmits with xchg_receive and xchg_transmit, and calls xchg_release(port).
 *      Before takeover and after release rte_eth_rx_burst works as ever; in between nobody may call it, nor stop the port.
 *
 * See docs/xchange.md, and examples/l2fwd-xchg for a whole program. */
#ifndef PACKETMILL_DRIVERS_XCHANGE_H
#define PACKETMILL_DRIVERS_XCHANGE_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Conversion functions, which the application defines. Numbers are in the processor's byte order.
 *
 *   buffer       where a frame may be received to, and is what is exchanged
 *   frame        on transmit: its first byte, somewhere in the buffer; the buffer itself where this is not defined
 *   length       bytes of the frame, without its check sequence
 *   port         where it came from (ethdev's number)
 *   flags        RTE_MBUF_F_RX_* on receive: what of the rest is known, and the checksum verdicts;
 *                RTE_MBUF_F_TX_* on transmit: what the NIC is to do
 *   packet_type  RTE_PTYPE_*, 0 where the NIC does not know
 *   rss_hash     the hash by which the NIC chose the queue, 0 where it did not
 *   vlan_tci     of the tag that was stripped, or is to be inserted; asked for and set only with the flag
 *   timestamp    when the frame came, in the NIC's own unit
 *   mark         of the flow rule that matched
 */
#ifdef XCHG_LINKED
struct xchg;
void* xchg_get_buffer(const struct xchg* packet);
void xchg_set_buffer(struct xchg* packet, void* buffer);
const void* xchg_get_frame(const struct xchg* packet);
uint32_t xchg_get_length(const struct xchg* packet);
void xchg_set_length(struct xchg* packet, uint32_t length);
uint64_t xchg_get_flags(const struct xchg* packet);
void xchg_set_flags(struct xchg* packet, uint64_t flags);
uint16_t xchg_get_vlan_tci(const struct xchg* packet);
void xchg_set_vlan_tci(struct xchg* packet, uint16_t vlan_tci);
void xchg_set_port(struct xchg* packet, uint16_t port);
void xchg_set_packet_type(struct xchg* packet, uint32_t packet_type);
void xchg_set_rss_hash(struct xchg* packet, uint32_t rss_hash);
void xchg_set_timestamp(struct xchg* packet, uint64_t timestamp);
void xchg_set_mark(struct xchg* packet, uint32_t mark);
#define xchg_get_frame xchg_get_frame
#define xchg_get_flags xchg_get_flags
#define xchg_set_flags xchg_set_flags
#define xchg_get_vlan_tci xchg_get_vlan_tci
#define xchg_set_vlan_tci xchg_set_vlan_tci
#define xchg_set_port xchg_set_port
#define xchg_set_packet_type xchg_set_packet_type
#define xchg_set_rss_hash xchg_set_rss_hash
#define xchg_set_timestamp xchg_set_timestamp
#define xchg_set_mark xchg_set_mark
#endif

/* What is not defined does nothing, and its arguments are not evaluated. */
#ifndef xchg_get_frame
#define xchg_get_frame(packet) xchg_get_buffer(packet)
#endif
#ifndef xchg_get_flags
#define xchg_get_flags(packet) ((uint64_t)0)
#endif
#ifndef xchg_set_flags
#define xchg_set_flags(packet, flags) ((void)0)
#endif
#ifndef xchg_get_vlan_tci
#define xchg_get_vlan_tci(packet) ((uint16_t)0)
#endif
#ifndef xchg_set_vlan_tci
#define xchg_set_vlan_tci(packet, vlan_tci) ((void)0)
#endif
#ifndef xchg_set_port
#define xchg_set_port(packet, port) ((void)0)
#endif
#ifndef xchg_set_packet_type
#define xchg_set_packet_type(packet, packet_type) ((void)0)
#endif
#ifndef xchg_set_rss_hash
#define xchg_set_rss_hash(packet, rss_hash) ((void)0)
#endif
#ifndef xchg_set_timestamp
#define xchg_set_timestamp(packet, timestamp) ((void)0)
#endif
#ifndef xchg_set_mark
#define xchg_set_mark(packet, mark) ((void)0)
#endif

#ifdef __cplusplus
}
#endif

#endif
