#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <vector>

namespace packetmill::bench {

/// Counts values in buckets of bounded relative width, so that a quantile is known closely however far the values spread:
/// each power of two is divided into 128 buckets; below 256 each value has its own.
class Histogram {
 public:
  void add(std::uint64_t value) {
    ++counts_[bucket_of(value)];
    ++size_;
  }

  [[nodiscard]] std::uint64_t size() const { return size_; }

  /// The value that the share `q` (above 0, at most 1) of all values do not exceed: at least the exact one, and greater by
  /// less than 1/128 of it. 0 where there are no values.
  [[nodiscard]] std::uint64_t quantile(double q) const {
    if (size_ == 0) return 0;
    const auto rank = std::max<std::uint64_t>(1, static_cast<std::uint64_t>(std::ceil(q * static_cast<double>(size_))));
    std::size_t bucket = 0;
    for (std::uint64_t seen = counts_[0]; seen < rank && bucket + 1 < kBuckets;) seen += counts_[++bucket];
    return greatest_of(bucket);
  }

 private:
  static constexpr unsigned kBits = 7;
  static constexpr std::size_t kBuckets = (64U - kBits + 1U) << kBits;

  /// The leading kBits + 1 bits of the value, and how many bits follow them.
  static std::size_t bucket_of(std::uint64_t value) {
    const auto shift = static_cast<unsigned>(std::max<int>(std::bit_width(value), kBits + 1)) - (kBits + 1);
    return (static_cast<std::size_t>(shift) << kBits) + (value >> shift);
  }
  static std::uint64_t greatest_of(std::size_t bucket) {
    const std::size_t shift = std::max<std::size_t>(bucket >> kBits, 1) - 1;
    return ((bucket - (shift << kBits) + 1) << shift) - 1;  // of the last bucket: 2^64 - 1, by wrapping around
  }

  std::vector<std::uint64_t> counts_ = std::vector<std::uint64_t>(kBuckets);
  std::uint64_t size_ = 0;
};

}  // namespace packetmill::bench
