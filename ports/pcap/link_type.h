#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace packetmill::pcap {

/// Link-layer types are libpcap's DLT_* numbers. Their names are those that Click's ENCAP arguments and `encap`
/// handlers use ("ETHER", "IP", "SLL", ...); a type without a name is "##" and its number.
std::string link_type_name(int link_type);
std::optional<int> find_link_type(std::string_view name);

/// Where the IPv4 header begins in a frame of type `link_type`, in bytes from its start; none where the frame holds
/// something else, or where the header is not whole or contradicts itself. IEEE 802.1Q tags are looked behind.
std::optional<std::uint32_t> find_ipv4(int link_type, const std::uint8_t* frame, std::uint32_t length);

}  // namespace packetmill::pcap
