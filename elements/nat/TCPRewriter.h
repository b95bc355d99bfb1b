#pragma once

#include "elements/nat/rewriter.h"

namespace packetmill {

/// TCPRewriter(INPUTSPEC, ..., keywords): IPRewriter for TCP only. Sequence numbers stay as they are: no element here
/// asks for others.
///
/// Ports:     as many inputs as INPUTSPECs, any number of outputs (push).
/// Needs:     the network and transport headers (CheckIPHeader, MarkIPHeader).
/// Keywords:  INPUTSPEC, TCP_TIMEOUT, TCP_DONE_TIMEOUT, TCP_NODATA_TIMEOUT, TCP_GUARANTEE, REAP_INTERVAL,
///            MAPPING_CAPACITY, CAPACITY, DST_ANNO: as of IPRewriter.
/// Handlers:  table_size, size, mapping_failures, capacity: as of IPRewriter. table (read): the mappings. lookup (read
///            with "SADDR SPORT DADDR DPORT"): what a flow becomes.
/// Drops:     as of IPRewriter.
/// State:     as of IPRewriter.
/// See also:  IPRewriter, UDPRewriter
struct TCPRewriter : Rewriter<false, true> {
  static constexpr ElementInfo info{.name = "TCPRewriter", .ports = "1-/1-", .processing = "h/h"};

  static constexpr auto keywords = describe(
      keyword<&Parameters::tcp_timeout>("TCP_TIMEOUT"), keyword<&Parameters::tcp_done_timeout>("TCP_DONE_TIMEOUT"),
      keyword<&Parameters::tcp_nodata_timeout>("TCP_NODATA_TIMEOUT"),
      keyword<&Parameters::tcp_guarantee>("TCP_GUARANTEE"), keyword<&Parameters::reap_interval>("REAP_INTERVAL"),
      keyword<&Parameters::capacity>("MAPPING_CAPACITY"), keyword<&Parameters::capacity>("CAPACITY"),
      keyword<&Parameters::dst_anno>("DST_ANNO"));

  static constexpr auto handlers = std::tuple_cat(
      common_handlers,
      describe(read("table", [](const auto& element) { return mappings_now(element).text(kTcp.number); }),
               read("lookup", [](const auto& element, std::string_view flow) { return look_up(element, flow); })));
};

}  // namespace packetmill
