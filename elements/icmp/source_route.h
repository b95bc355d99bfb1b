#pragma once

#include <array>
#include <cstring>

#include "runtime/headers.h"

namespace packetmill {

/// The way back along the source route of a packet (RFC 791, 3.1; RFC 1122, 3.2.1.8): the routers that it has passed,
/// the last one first, and its source at the end.
struct ReturnRoute {
  IPv4Address first_hop;                  ///< where to send to: the source itself where there is no route
  std::array<std::uint8_t, 40> option{};  ///< a source route of the same kind, padded to a multiple of 4 bytes
  std::uint32_t length = 0;               ///< of the option; 0: none is needed
  bool source_routed = false;             ///< whether the packet has a source route at all
};

/// `header_length` bytes at `ip` can be read.
inline ReturnRoute return_route(const IPv4Header& ip, std::uint32_t header_length) {
  constexpr std::uint8_t kEnd = 0;
  constexpr std::uint8_t kNoOperation = 1;
  constexpr std::uint8_t kLoose = 131;
  constexpr std::uint8_t kStrict = 137;
  constexpr std::uint32_t kFixed = 3;  // type, length, pointer
  ReturnRoute route{.first_hop = ip.source};
  const auto* options = reinterpret_cast<const std::uint8_t*>(&ip + 1);
  const auto length = static_cast<std::uint32_t>(header_length - sizeof(IPv4Header));
  for (std::uint32_t at = 0; at < length && options[at] != kEnd;) {
    if (options[at] == kNoOperation) {
      ++at;
      continue;
    }
    const std::uint32_t size = at + 1 < length ? options[at + 1] : 0;
    if (size < 2 || size > length - at) break;
    if (options[at] == kLoose || options[at] == kStrict) {
      route.source_routed = true;
      // The pointer counts from 1, and is beyond what was recorded: 4 means that nothing was.
      const std::uint32_t pointer = size >= kFixed ? options[at + 2] : 0;
      if (pointer < 4 || pointer > size + 1) break;
      const std::uint32_t recorded = (pointer - 4) / 4;
      if (recorded == 0) break;
      const auto* hops = options + at + kFixed;
      const auto hop = [&](std::uint32_t i) { return hops + std::size_t{i} * 4; };
      std::memcpy(&route.first_hop, hop(recorded - 1), 4);
      route.option[0] = options[at];
      route.option[1] = static_cast<std::uint8_t>(kFixed + 4 * recorded);
      route.option[2] = 4;
      std::uint8_t* out = route.option.data() + kFixed;
      for (std::uint32_t i = recorded - 1; i > 0; --i, out += 4) std::memcpy(out, hop(i - 1), 4);
      std::memcpy(out, &ip.source, 4);
      route.length = kFixed + 4 * recorded + 1;  // and one "end of option list"
      break;
    }
    at += size;
  }
  return route;
}

}  // namespace packetmill
