#pragma once

#include <optional>
#include <string_view>

#include "runtime/values/address.h"

/// What the machine that runs knows of its network devices, by their names ("eth0"). Nothing here is a constant of a
/// configuration.
namespace packetmill {

/// The device's first IPv4 address, with its network's mask.
[[nodiscard]] std::optional<IPv4Prefix> device_ipv4(std::string_view device);
[[nodiscard]] std::optional<EthernetAddress> device_ethernet(std::string_view device);

}  // namespace packetmill
