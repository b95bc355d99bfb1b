#include "tables/hash.h"

#include <gtest/gtest.h>

#include <array>
#include <random>
#include <vector>

#include "tables/tags.h"

namespace packetmill::tables {
namespace {

template <std::size_t Bytes>
void every_bit_changes_half_of_the_hash() {
  std::mt19937_64 random(Bytes);
  for (std::size_t bit = 0; bit < 8 * Bytes; ++bit) {
    int changed = 0;
    for (int round = 0; round < 200; ++round) {
      std::array<std::uint8_t, Bytes> key;
      for (auto& byte : key) byte = static_cast<std::uint8_t>(random());
      const std::uint64_t before = hash_bytes<Bytes>(key.data(), 1);
      key[bit / 8] ^= static_cast<std::uint8_t>(1 << bit % 8);
      changed += __builtin_popcountll(before ^ hash_bytes<Bytes>(key.data(), 1));
    }
    EXPECT_NEAR(changed / 200.0, 32, 2) << "bit " << bit << " of " << Bytes << " bytes";
  }
}

TEST(Hash, EveryBitCounts) {
  every_bit_changes_half_of_the_hash<1>();
  every_bit_changes_half_of_the_hash<6>();
  every_bit_changes_half_of_the_hash<13>();
  every_bit_changes_half_of_the_hash<16>();
  every_bit_changes_half_of_the_hash<37>();
}

TEST(Hash, TheSeedCounts) {
  const std::uint32_t key = 7;
  EXPECT_EQ(hash_bytes<4>(&key, 1), hash_bytes<4>(&key, 1));
  EXPECT_NE(hash_bytes<4>(&key, 1), hash_bytes<4>(&key, 2));
}

TEST(Hash, ConsecutiveKeysSpreadEvenly) {
  constexpr std::uint32_t kBuckets = 1000, kKeys = 100'000;
  std::vector<int> load(kBuckets);
  for (std::uint32_t key = 0; key < kKeys; ++key) ++load[scale_hash(hash_bytes<4>(&key, 0), kBuckets)];
  double chi_squared = 0;
  for (const int each : load) chi_squared += (each - 100.0) * (each - 100.0) / 100.0;
  EXPECT_NEAR(chi_squared, kBuckets, 200) << "of a mean of 1000 and a standard deviation of 45";
}

TEST(Tags, PortableAndVectorCodeAgree) {
  std::mt19937_64 random(1);
  for (int round = 0; round < 1000; ++round) {
    std::uint8_t tags[16];
    std::uint32_t expected = 0;
    for (int i = 0; i < 16; ++i) {
      tags[i] = random() % 4;
      if (tags[i] == 3) expected |= 1u << i;
    }
    EXPECT_EQ(match_tags(tags, 3), expected);
    EXPECT_EQ(match_tags_portable(tags, 3), expected);
  }
}

TEST(Tags, NoHashLooksLikeAnEmptySlot) {
  for (std::uint64_t hash = 0; hash < 512; ++hash) EXPECT_NE(tag_of(hash), 0);
}

}  // namespace
}  // namespace packetmill::tables
