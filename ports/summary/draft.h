#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "ports/summary/options.h"
#include "runtime/headers.h"
#include "runtime/values/scalar.h"
#include "runtime/values/time.h"

namespace packetmill::summary {

/// A packet while FromIPSummaryDump reads what a line says of it. What nothing is said of is zero.
struct Draft {
  // The packet's metadata.
  Timestamp time;
  std::optional<Timestamp> first_time;
  std::uint32_t count = 1;
  std::optional<std::uint8_t> paint;
  std::optional<std::uint32_t> aggregate;
  std::optional<EthernetAddress> ethernet_source;
  std::optional<EthernetAddress> ethernet_destination;

  // IPv4.
  IPv4Address source;
  IPv4Address destination;
  std::uint8_t protocol = 6;
  std::uint8_t tos = 0;
  std::uint8_t ttl = 100;
  std::uint16_t identification = 0;
  std::uint16_t fragment = 0;       ///< flags and offset, host byte order
  bool fragments_in_units = false;  ///< version 1.0 counts ip_fragoff in eight bytes
  std::uint16_t checksum = 0;
  std::optional<std::uint32_t> length;
  std::optional<std::uint32_t> captured;
  OptionBytes ip_options;

  // The transport header; each protocol takes what it has.
  std::uint16_t source_port = 0;
  std::uint16_t destination_port = 0;
  std::uint32_t tcp_sequence = 0;
  std::uint32_t tcp_acknowledgement = 0;
  std::uint16_t tcp_flags = 0;  ///< nine bits
  std::uint16_t tcp_window = 0;
  std::uint16_t tcp_urgent = 0;
  std::uint32_t tcp_header_length = 0;  ///< of which the options may need more
  OptionBytes tcp_options;
  std::optional<std::uint16_t> udp_length;
  std::uint8_t icmp_type = 0;
  std::uint8_t icmp_code = 0;
  std::uint16_t icmp_flow = 0;
  std::uint16_t icmp_sequence = 0;
  std::optional<std::uint16_t> icmp_next_mtu;

  std::optional<std::uint32_t> payload_length;
  std::string payload;

  /// The packet: its headers, and the payload as far as the line gives it. With `checksum_all`, all bytes that the IP
  /// length counts, and right checksums.
  [[nodiscard]] std::vector<std::uint8_t> build(bool checksum_all) const;
  /// The IP length: as the line says, or what headers and payload add up to; at most 65,535.
  [[nodiscard]] std::uint32_t ip_length() const;

 private:
  [[nodiscard]] std::vector<std::uint8_t> transport_header() const;
  [[nodiscard]] bool later_fragment() const { return (fragment & kFragmentOffset) != 0; }
};

}  // namespace packetmill::summary
