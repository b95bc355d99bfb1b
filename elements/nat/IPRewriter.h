#pragma once

#include "elements/nat/rewriter.h"

namespace packetmill {

/// IPRewriter(INPUTSPEC, ..., keywords): rewrites addresses and ports of TCP and UDP flows, and of their answers:
/// network address and port translation.
///
/// Ports:     as many inputs as INPUTSPECs, any number of outputs (push).
/// Needs:     the network and transport headers (CheckIPHeader, MarkIPHeader).
/// Keywords:  INPUTSPEC: what becomes of a packet on that input whose flow is not known. Packets of flows that are
///            known are rewritten and go to the flow's output, whichever input they come on.
///              drop, discard: dropped.
///              pass OUTPUT: goes on unchanged, as do later fragments, other protocols and truncated packets.
///              keep FOUTPUT ROUTPUT: its flow is known from now on; it keeps its addresses and ports, and goes to
///              output FOUTPUT, answers to ROUTPUT.
///              pattern SADDR SPORT DADDR DPORT FOUTPUT ROUTPUT: its flow is known from now on and gets these addresses
///              and ports; answers are rewritten back and go to ROUTPUT. `-` leaves a part as it is. SPORT may be a
///              range L-H, of which a port is taken that no other flow's answers come to: the packet's own if that is
///              one, otherwise a random one; L-H? always a random one; L-H# one after the other.
///              pattern NAME FOUTPUT ROUTPUT: the same with a pattern of an IPRewriterPatterns.
///            TCP_TIMEOUT (default 24 hours): how long a TCP connection that has carried data both ways may be silent.
///            TCP_NODATA_TIMEOUT (default 5 minutes): the same for other TCP connections.
///            TCP_DONE_TIMEOUT (default 4 minutes): the same for those that FIN or RST have ended.
///            UDP_TIMEOUT (default 5 minutes): the same for UDP flows.
///            UDP_STREAMING_TIMEOUT (default UDP_TIMEOUT): the same for those of three or more packets, both ways.
///            TCP_GUARANTEE, UDP_GUARANTEE (default 5 seconds): how long after a packet a flow is certain to stay;
///            after that, where the table is full, a new flow may take the place of the one that was silent longest.
///            REAP_INTERVAL (default 15 minutes): how often flows that were silent for too long are ended.
///            MAPPING_CAPACITY, or CAPACITY (default 65536): flows at most.
///            DST_ANNO (default true): sets the destination address annotation to the rewritten destination.
/// Handlers:  table_size, size, nmappings (read): flows. clear (write): forgets them all. mapping_failures (read): new
///            flows that were dropped. capacity (read/write): flows at most and the short-term reservation, which
///            changes nothing. tcp_table, udp_table (read; also tcp_mappings, udp_mappings): the mappings, two a flow.
///            tcp_lookup (read with "SADDR SPORT DADDR DPORT"): what a flow becomes. patterns (read): what every input
///            does. pattern0, pattern1, ... (read/write): "SADDR SPORT DADDR DPORT FOUTPUT ROUTPUT" for new flows of
///            an input that has a pattern.
/// Drops:     no_mapping: by a `drop`. no_port: no port of the range is left. conflict: another flow's answers look the
///            same. table_full: of guaranteed flows. wrong_protocol, later_fragment, truncated, no_ip_header.
/// State:     shared by all cores, under one lock where there are several.
/// Example:   rewriter :: IPRewriter(pattern 192.0.2.1 1024-65535 - - 0 1, drop);
///            inside -> [0] rewriter [0] -> outside; from_outside -> [1] rewriter [1] -> to_inside;
/// See also:  UDPRewriter, TCPRewriter, IPRewriterPatterns, FlowIPNAT
struct IPRewriter : Rewriter<true, true> {
  static constexpr ElementInfo info{.name = "IPRewriter", .ports = "1-/1-", .processing = "h/h"};

  static constexpr auto keywords = describe(
      keyword<&Parameters::tcp_timeout>("TCP_TIMEOUT"), keyword<&Parameters::tcp_done_timeout>("TCP_DONE_TIMEOUT"),
      keyword<&Parameters::tcp_nodata_timeout>("TCP_NODATA_TIMEOUT"),
      keyword<&Parameters::tcp_guarantee>("TCP_GUARANTEE"), keyword<&Parameters::udp_timeout>("UDP_TIMEOUT"),
      keyword<&Parameters::udp_streaming_timeout>("UDP_STREAMING_TIMEOUT"),
      keyword<&Parameters::udp_guarantee>("UDP_GUARANTEE"), keyword<&Parameters::reap_interval>("REAP_INTERVAL"),
      keyword<&Parameters::capacity>("MAPPING_CAPACITY"), keyword<&Parameters::capacity>("CAPACITY"),
      keyword<&Parameters::dst_anno>("DST_ANNO"));

  static constexpr auto tcp_table = [](const auto& element) { return mappings_now(element).text(kTcp.number); };
  static constexpr auto udp_table = [](const auto& element) { return mappings_now(element).text(kUdp.number); };
  static constexpr auto handlers = std::tuple_cat(
      common_handlers,
      describe(read("tcp_table", tcp_table), read("udp_table", udp_table), read("tcp_mappings", tcp_table),
               read("udp_mappings", udp_table),  // the names of older manuals
               read("tcp_lookup", [](const auto& element, std::string_view flow) { return look_up(element, flow); })));
};

}  // namespace packetmill
