#pragma once

#include <cstdint>
#include <string_view>

namespace packetmill {

/// An element's own random numbers (wyrand, Wang Yi 2019): seeded from the run's seed, the element's
/// name and the core, so that the same run gives the same numbers in every engine. The state only counts: one number
/// need not wait for the one before it.
class Random {
 public:
  Random() : Random(0, {}, 0) {}
  Random(std::uint64_t seed, std::string_view element, int core) {
    state_ = 0xcbf29ce484222325U ^ seed;  // FNV-1a over everything that names the generator
    for (const char c : element) mix(static_cast<unsigned char>(c));
    mix(static_cast<std::uint64_t>(core) + 1);
  }

  std::uint32_t next() {
    state_ += 0xa0761d6478bd642fU;
    const auto product = static_cast<unsigned __int128>(state_) * (state_ ^ 0xe7037ed1a0b428dbU);
    return static_cast<std::uint32_t>(product >> 64U) ^ static_cast<std::uint32_t>(product);
  }
  /// Uniform in [0, bound); bound > 0.
  std::uint32_t below(std::uint32_t bound) {
    return static_cast<std::uint32_t>((static_cast<std::uint64_t>(next()) * bound) >> 32U);
  }

 private:
  void mix(std::uint64_t value) { state_ = (state_ ^ value) * 0x100000001b3U; }

  std::uint64_t state_;
};

}  // namespace packetmill
