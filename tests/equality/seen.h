#pragma once

#include <cstdint>
#include <optional>
#include <ostream>
#include <vector>

#include "runtime/fields.h"
#include "runtime/packet.h"

namespace packetmill::testing {

/// A packet as it left: its bytes, and the metadata that its kind of packet has. The interpreter's has all fields, a
/// milled one those that its graph declares.
struct Seen {
  std::vector<std::uint8_t> bytes;
  // Header positions, from the first byte of the frame; kUnset where the header is not marked.
  std::optional<std::int64_t> mac;
  std::optional<std::int64_t> network;
  std::optional<std::int64_t> transport;
  std::optional<IPv4Address> destination;

  static constexpr std::int64_t kUnset = INT64_MIN;
};

/// What a packet of a milled graph shows.
template <class P>
Seen see(const P& packet) {
  const auto position = [&]<class F>(F) -> std::optional<std::int64_t> {
    if constexpr (P::template has<F>)
      return packet.template get<F>() == 0 ? Seen::kUnset
                                           : std::int64_t{packet.template get<F>()} - std::int64_t{packet.headroom()};
    else
      return std::nullopt;
  };
  Seen seen{{packet.data(), packet.data() + packet.length()},
            position(MacHeader{}),
            position(NetworkHeader{}),
            position(TransportHeader{}),
            {}};
  if constexpr (P::template has<DestinationAddress>) seen.destination = packet.template get<DestinationAddress>();
  return seen;
}

/// The same bytes, and the same metadata as far as both have it.
inline bool operator==(const Seen& a, const Seen& b) {
  const auto agree = [](const auto& x, const auto& y) { return !x || !y || *x == *y; };
  return a.bytes == b.bytes && agree(a.mac, b.mac) && agree(a.network, b.network) && agree(a.transport, b.transport) &&
         agree(a.destination, b.destination);
}

inline void PrintTo(const Seen& seen, std::ostream* out) {
  const auto print = [&](const char* name, const auto& position) {
    if (position && *position != Seen::kUnset) *out << ' ' << name << '=' << *position;
  };
  constexpr const char* kDigits = "0123456789abcdef";
  for (const std::uint8_t byte : seen.bytes) *out << kDigits[byte >> 4U] << kDigits[byte & 15U];
  print("mac", seen.mac);
  print("network", seen.network);
  print("transport", seen.transport);
  if (seen.destination) *out << " destination=" << std::hex << seen.destination->host() << std::dec;
}

}  // namespace packetmill::testing
