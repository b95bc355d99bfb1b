#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "ir/decision_graph.h"
#include "runtime/values/parse.h"

namespace packetmill::ir {

/// An Ethernet frame with an IPv4 packet, made field by field for the tests.
class TestPacket {
 public:
  TestPacket() : frame_(kMac + 20) { ip(0, 0x45).ip(8, 64); }

  TestPacket& ip(size_t offset, uint8_t byte) { return put(kMac + offset, byte); }
  TestPacket& protocol(uint8_t number) { return ip(9, number); }
  TestPacket& source(std::string_view address) { return address_at(kMac + 12, address); }
  TestPacket& destination(std::string_view address) { return address_at(kMac + 16, address); }
  TestPacket& fragment(unsigned offset, bool more) {
    return ip(6, static_cast<uint8_t>(offset >> 8 | (more ? 0x20 : 0))).ip(7, static_cast<uint8_t>(offset));
  }
  /// Lengthens the header by options, `words` four-byte words of them; before anything is put into the transport
  /// header.
  TestPacket& options(unsigned words) { return ip(0, static_cast<uint8_t>(0x45 + words)); }
  TestPacket& transport(size_t offset, uint8_t byte) { return put(transport_offset() + offset, byte); }
  TestPacket& ports(uint16_t source, uint16_t destination) {
    return transport(0, static_cast<uint8_t>(source >> 8))
        .transport(1, static_cast<uint8_t>(source))
        .transport(2, static_cast<uint8_t>(destination >> 8))
        .transport(3, static_cast<uint8_t>(destination));
  }
  TestPacket& tcp(uint16_t source, uint16_t destination, uint8_t flags = 0) {
    return protocol(6).ports(source, destination).transport(13, flags).transport(19, 0);
  }
  TestPacket& udp(uint16_t source, uint16_t destination) {
    return protocol(17).ports(source, destination).transport(7, 0);
  }
  TestPacket& icmp(uint8_t type) { return protocol(1).transport(0, type).transport(7, 0); }
  TestPacket& mac(size_t offset, uint8_t byte) { return put(offset, byte); }
  TestPacket& truncate(size_t ip_bytes) {
    frame_.resize(kMac + ip_bytes);
    return *this;
  }

  [[nodiscard]] std::span<const uint8_t> bytes_from(Base base) const {
    const size_t offset = base == Base::network_header ? kMac : base == Base::transport_header ? transport_offset() : 0;
    return std::span(frame_).subspan(std::min(offset, frame_.size()));
  }

 private:
  static constexpr size_t kMac = 14;

  [[nodiscard]] size_t transport_offset() const {
    return kMac + (frame_.size() > kMac ? 4 * (frame_[kMac] & 0xfu) : 20);
  }
  TestPacket& put(size_t offset, uint8_t byte) {
    if (offset >= frame_.size()) frame_.resize(offset + 1);
    frame_[offset] = byte;
    return *this;
  }
  TestPacket& address_at(size_t offset, std::string_view text) {
    IPv4Address address;
    (void)parse(text, address);
    for (int i = 0; i < 4; ++i)
      put(offset + static_cast<size_t>(i), static_cast<uint8_t>(address.host() >> 8 * (3 - i)));
    return *this;
  }

  std::vector<uint8_t> frame_;
};

}  // namespace packetmill::ir
