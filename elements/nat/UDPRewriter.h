#pragma once

#include "elements/nat/rewriter.h"

namespace packetmill {

/// UDPRewriter(INPUTSPEC, ..., keywords): IPRewriter for flows of which only packets are counted: UDP, and TCP as if it
/// were UDP.
///
/// Ports:     as many inputs as INPUTSPECs, any number of outputs (push).
/// Needs:     the network and transport headers (CheckIPHeader, MarkIPHeader).
/// Keywords:  INPUTSPEC, REAP_INTERVAL, MAPPING_CAPACITY, CAPACITY, DST_ANNO: as of IPRewriter.
///            TIMEOUT (default 5 minutes): how long a flow may be silent.
///            STREAMING_TIMEOUT (default TIMEOUT): the same for flows of three or more packets, both ways.
///            GUARANTEE (default 5 seconds): how long after a packet a flow is certain to stay.
/// Handlers:  table_size, size, mapping_failures, capacity: as of IPRewriter. table (read): the mappings.
/// Drops:     as of IPRewriter.
/// State:     as of IPRewriter.
/// See also:  IPRewriter, TCPRewriter
struct UDPRewriter : Rewriter<true, false> {
  static constexpr ElementInfo info{.name = "UDPRewriter", .ports = "1-/1-", .processing = "h/h"};

  static constexpr auto keywords = describe(
      keyword<&Parameters::udp_timeout>("TIMEOUT"), keyword<&Parameters::udp_streaming_timeout>("STREAMING_TIMEOUT"),
      keyword<&Parameters::udp_guarantee>("GUARANTEE"), keyword<&Parameters::reap_interval>("REAP_INTERVAL"),
      keyword<&Parameters::capacity>("MAPPING_CAPACITY"), keyword<&Parameters::capacity>("CAPACITY"),
      keyword<&Parameters::dst_anno>("DST_ANNO"));

  static constexpr auto handlers =
      std::tuple_cat(common_handlers, describe(read("table", [](const auto& element) {
                       return mappings_now(element).text(kTcp.number) + mappings_now(element).text(kUdp.number);
                     })));
};

}  // namespace packetmill
