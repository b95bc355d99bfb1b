#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>

#include "ports/summary/summary.h"

namespace packetmill::summary {

inline constexpr std::size_t kMd5Size = 16;

/// The MD5 sum (RFC 1321) of what the packet has of its payload; none where it is no IPv4 packet.
std::optional<std::array<std::uint8_t, kMd5Size>> payload_md5(const Summary& summary);

/// Appends it in 22 characters, or in 32 hexadecimal digits; false where there is none.
bool put_md5(const Summary& summary, std::string& text);
bool put_md5_hex(const Summary& summary, std::string& text);

}  // namespace packetmill::summary
