#include "runtime/machine.h"

#include <ifaddrs.h>
#include <linux/if_packet.h>
#include <netinet/in.h>

#include <algorithm>
#include <memory>

namespace packetmill {
namespace {

/// The first address of `device` of a family, as `read(entry)` has it; nothing where there is none.
template <class Value>
std::optional<Value> first_of(std::string_view device, int family, std::optional<Value> (*read)(const ifaddrs&)) {
  ifaddrs* all = nullptr;
  if (getifaddrs(&all) != 0) return {};
  const std::unique_ptr<ifaddrs, void (*)(ifaddrs*)> owner(all, freeifaddrs);
  for (const ifaddrs* entry = all; entry != nullptr; entry = entry->ifa_next) {
    if (entry->ifa_name != device || entry->ifa_addr == nullptr || entry->ifa_addr->sa_family != family) continue;
    if (auto value = read(*entry)) return value;
  }
  return {};
}

IPv4Address ipv4_of(const sockaddr* address) {
  return {reinterpret_cast<const sockaddr_in*>(address)->sin_addr.s_addr};
}

}  // namespace

std::optional<IPv4Prefix> device_ipv4(std::string_view device) {
  return first_of<IPv4Prefix>(device, AF_INET, [](const ifaddrs& entry) -> std::optional<IPv4Prefix> {
    if (entry.ifa_netmask == nullptr) return {};
    return IPv4Prefix{ipv4_of(entry.ifa_addr), ipv4_of(entry.ifa_netmask)};
  });
}

std::optional<EthernetAddress> device_ethernet(std::string_view device) {
  return first_of<EthernetAddress>(device, AF_PACKET, [](const ifaddrs& entry) -> std::optional<EthernetAddress> {
    const auto* link = reinterpret_cast<const sockaddr_ll*>(entry.ifa_addr);
    EthernetAddress address;
    if (link->sll_halen != address.bytes.size()) return {};
    std::copy_n(link->sll_addr, address.bytes.size(), address.bytes.begin());
    return address;
  });
}

}  // namespace packetmill
