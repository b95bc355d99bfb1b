#pragma once

#include <cstdint>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

namespace packetmill::tables {

/// A bucket begins with one tag, a byte of the key's hash, for each of its slots; 0 marks an empty slot.
constexpr std::uint8_t tag_of(std::uint64_t hash) noexcept {
  const auto tag = static_cast<std::uint8_t>(hash);
  return tag == 0 ? 1 : tag;
}

/// Bit i is set where tags[i] == tag, for the 16 bytes at `tags`; a bucket with fewer slots masks what lies after its
/// tags.
inline std::uint32_t match_tags_portable(const std::uint8_t* tags, std::uint8_t tag) noexcept {
  std::uint32_t matches = 0;
  for (int i = 0; i < 16; ++i) matches |= static_cast<std::uint32_t>(tags[i] == tag) << i;
  return matches;
}

/// The same in three instructions where the processor has them.
inline std::uint32_t match_tags(const std::uint8_t* tags, std::uint8_t tag) noexcept {
#ifdef __SSE2__
  const __m128i all = _mm_loadu_si128(reinterpret_cast<const __m128i*>(tags));
  return static_cast<std::uint32_t>(_mm_movemask_epi8(_mm_cmpeq_epi8(all, _mm_set1_epi8(static_cast<char>(tag)))));
#else
  return match_tags_portable(tags, tag);
#endif
}

}  // namespace packetmill::tables
