#include "ports/summary/summary.h"

#include <algorithm>

namespace packetmill::summary {
namespace {

/// The header of type T at the start of the transport part, where all of it is there.
template <class T>
const T* whole(const Summary& summary) {
  if (summary.transport_captured < sizeof(T)) return nullptr;
  return reinterpret_cast<const T*>(summary.transport);
}

void dissect_transport(Summary& summary) {
  switch (summary.ip->protocol) {
    case kTcp.number:
      summary.tcp = whole<TcpHeader>(summary);
      if (summary.tcp == nullptr) {
        summary.bad = "truncated TCP header";
      } else if (summary.tcp->header_length() < sizeof(TcpHeader)) {
        summary.bad = "bad TCP header length";
        summary.tcp = nullptr;
      } else {
        summary.payload_offset += summary.tcp->header_length();
      }
      break;
    case kUdp.number:
      summary.udp = whole<UdpHeader>(summary);
      if (summary.udp == nullptr)
        summary.bad = "truncated UDP header";
      else
        summary.payload_offset += sizeof(UdpHeader);
      break;
    case kIcmp.number:
      summary.icmp = whole<IcmpHeader>(summary);
      if (summary.icmp == nullptr) summary.bad = "truncated ICMP header";
      break;
    default:
      break;
  }
}

}  // namespace

void dissect(Summary& summary, const std::uint8_t* bytes, std::uint32_t available) {
  if (bytes == nullptr) {
    summary.bad = "no IP header";
    return;
  }
  if (available < sizeof(IPv4Header)) {
    summary.bad = "truncated IP header";
    return;
  }
  const auto* ip = reinterpret_cast<const IPv4Header*>(bytes);
  const std::uint32_t length = swap_network(ip->total_length);
  if (ip->version() != 4)
    summary.bad = "bad IP version";
  else if (ip->header_length() < sizeof(IPv4Header))
    summary.bad = "bad IP header length";
  else if (length < ip->header_length())
    summary.bad = "bad IP length";
  else if (available < ip->header_length())
    summary.bad = "truncated IP header";
  if (!summary.bad.empty()) return;
  summary.ip = ip;
  summary.captured = std::min(available, length);
  summary.truncated = std::uint64_t{available} + summary.extra_length < length;
  summary.payload_offset = ip->header_length();
  if (ip->later_fragment()) return;
  summary.transport = bytes + ip->header_length();
  summary.transport_captured = summary.captured - ip->header_length();
  dissect_transport(summary);
  summary.payload_offset = std::min(summary.payload_offset, summary.captured);
}

std::uint32_t payload_length(const Summary& summary) {
  const std::uint32_t length = swap_network(summary.ip->total_length);
  std::uint32_t headers = summary.ip->header_length();
  if (summary.tcp != nullptr) headers += summary.tcp->header_length();
  if (summary.udp != nullptr) headers += sizeof(UdpHeader);
  return length - std::min(length, headers);
}

}  // namespace packetmill::summary
