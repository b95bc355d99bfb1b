#pragma once

#include <cstdint>
#include <string_view>

#include "runtime/headers.h"
#include "runtime/values/scalar.h"
#include "runtime/values/time.h"

namespace packetmill::summary {

/// A packet as ToIPSummaryDump sees it. A header is null where the packet has none, or not all of it.
struct Summary {
  // From the packet's metadata.
  Timestamp time;
  Timestamp first_time;
  std::uint32_t count = 1;         ///< this packet and the extra ones
  std::uint32_t extra_length = 0;  ///< bytes that the packet had on the wire and has not here
  std::uint8_t paint = 0;
  std::uint32_t aggregate = 0;
  std::uint32_t wire_length = 0;  ///< from the first header on, with `extra_length`
  const EthernetHeader* ethernet = nullptr;

  // From its bytes: see dissect().
  const IPv4Header* ip = nullptr;
  std::uint32_t captured = 0;               ///< bytes from the IP header on, at most its total length
  const std::uint8_t* transport = nullptr;  ///< null in later fragments
  std::uint32_t transport_captured = 0;     ///< bytes from there on
  const TcpHeader* tcp = nullptr;
  const UdpHeader* udp = nullptr;
  const IcmpHeader* icmp = nullptr;
  std::uint32_t payload_offset = 0;  ///< from the IP header on; no more than `captured`
  std::string_view bad;              ///< what is wrong with the headers; empty: nothing
  bool truncated = false;            ///< the packet ends, extra length and all, before its IP length says
};

/// Fills in what the `available` bytes at `bytes` say, which should be an IPv4 packet; null: there is none. `summary`
/// has its metadata already.
void dissect(Summary& summary, const std::uint8_t* bytes, std::uint32_t available);

/// The length of the IP payload behind the TCP or UDP header, as the IP header says.
std::uint32_t payload_length(const Summary& summary);

}  // namespace packetmill::summary
