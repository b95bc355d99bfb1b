#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace packetmill::tables {

/// Both halves of a 128-bit product folded together: two multiplications' worth of mixing in three cycles.
constexpr std::uint64_t mix(std::uint64_t a, std::uint64_t b) noexcept {
  __extension__ using Product = unsigned __int128;
  const Product product = static_cast<Product>(a) * b;
  return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
}

/// A 64-bit hash of `Bytes` bytes at `data`. The seed enters every multiplication, so that who does not know it cannot
/// choose keys that collide (a table whose keys come from the network gets a random one).
template <std::size_t Bytes>
std::uint64_t hash_bytes(const void* data, std::uint64_t seed) noexcept {
  // Fractions of pi: digits that hide nothing.
  constexpr std::uint64_t kFirst = 0x243f6a8885a308d3, kSecond = 0x13198a2e03707344, kLast = 0xa4093822299f31d0;
  const auto* bytes = static_cast<const unsigned char*>(data);
  std::uint64_t hash = mix(seed ^ kLast, kFirst);
  for (std::size_t at = 0; at < Bytes; at += 16) {
    std::uint64_t words[2] = {};
    std::memcpy(words, bytes + at, Bytes - at < 16 ? Bytes - at : 16);
    hash = mix(words[0] ^ seed ^ kFirst, words[1] ^ hash ^ kSecond);
  }
  return mix(hash ^ Bytes, kLast ^ kFirst);
}

/// `hash` scaled to 0 .. count-1 by its upper half, for any `count` below 2^32: no division, no power of two.
constexpr std::uint32_t scale_hash(std::uint64_t hash, std::uint32_t count) noexcept {
  return static_cast<std::uint32_t>(((hash >> 32) * count) >> 32);
}

}  // namespace packetmill::tables
