#include "runtime/values/address.h"

#include <arpa/inet.h>
#include <fmt/format.h>

namespace packetmill {

std::string to_string(IPv4Address address) {
  const uint32_t host = address.host();
  return fmt::format("{}.{}.{}.{}", host >> 24, host >> 16 & 0xff, host >> 8 & 0xff, host & 0xff);
}

std::string to_string(IPv4Prefix prefix) {
  const int length = prefix.length();
  return to_string(prefix.address) + "/" + (length >= 0 ? std::to_string(length) : to_string(prefix.mask));
}

std::string to_string(const IPv6Address& address) {
  char text[INET6_ADDRSTRLEN];
  return inet_ntop(AF_INET6, address.bytes.data(), text, sizeof text);
}

std::string to_string(const IPv6Prefix& prefix) {
  return to_string(prefix.address) + "/" + std::to_string(prefix.length);
}

std::string to_string(const EthernetAddress& address) {
  const auto& b = address.bytes;
  return fmt::format("{:02X}-{:02X}-{:02X}-{:02X}-{:02X}-{:02X}", b[0], b[1], b[2], b[3], b[4], b[5]);
}

}  // namespace packetmill
