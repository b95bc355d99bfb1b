#pragma once

#include "runtime/checksum.h"
#include "tables/flow/flow_table.h"

/// Rewriting a TCP or UDP packet's flow, for the translators. Keys are in the packet's own byte order.
namespace packetmill {

using tables::FlowKey;

/// `Transport`: anything that begins with the ports.
template <class Transport>
FlowKey flow_of(const IPv4Header& ip, const Transport& transport) {
  return {ip.source.network, ip.destination.network, transport.source, transport.destination, ip.protocol};
}
/// The flow of the answers.
inline FlowKey reversed(const FlowKey& key) {
  return {key.destination, key.source, key.destination_port, key.source_port, key.protocol};
}

/// Gives the packet the addresses and ports of `to` and patches both checksums (RFC 1624, equation 3), of fragments
/// too: the first fragment carries the checksum of the whole datagram. `Transport` is TcpHeader or UdpHeader.
template <class Transport>
void rewrite(IPv4Header& ip, Transport& transport, const FlowKey& to) {
  const auto inverse16 = [](std::uint16_t word) { return std::uint64_t{static_cast<std::uint16_t>(~word)}; };
  const std::uint64_t addresses =
      std::uint64_t{~ip.source.network} + std::uint64_t{~ip.destination.network} + to.source + to.destination;
  const std::uint64_t ports =
      inverse16(transport.source) + inverse16(transport.destination) + to.source_port + to.destination_port;
  ip.checksum = static_cast<std::uint16_t>(~fold(inverse16(ip.checksum) + addresses));
  ip.source.network = to.source;
  ip.destination.network = to.destination;
  transport.source = to.source_port;
  transport.destination = to.destination_port;

  const auto patched = static_cast<std::uint16_t>(~fold(inverse16(transport.checksum) + addresses + ports));
  if constexpr (requires { transport.length; }) {  // UDP
    // RFC 768: zero says that there is none, and stays; one that becomes zero is written as all ones.
    if (transport.checksum != 0) transport.checksum = patched == 0 ? 0xffff : patched;
  } else {
    transport.checksum = patched;
  }
}

}  // namespace packetmill
