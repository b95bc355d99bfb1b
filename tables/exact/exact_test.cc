// The exact-match table against std::map.

#include "tables/exact/exact.h"

#include <gtest/gtest.h>

#include <cstring>
#include <map>
#include <optional>
#include <random>

namespace packetmill::tables {
namespace {

template <std::size_t Bytes>
std::array<std::uint8_t, Bytes> key_of(std::uint32_t number) {
  std::array<std::uint8_t, Bytes> key{};
  std::memcpy(key.data(), &number, std::min<std::size_t>(Bytes, sizeof number));
  return key;
}

template <typename Table>
auto found(const Table& table, const typename Table::Key& key) {
  const auto* value = table.find(key);
  return value ? std::optional(*value) : std::nullopt;
}

TEST(Exact, FindsWhatWasInserted) {
  ExactTable<6, std::uint32_t> table(10);
  const ExactTable<6, std::uint32_t>::Key mac{2, 0, 0, 0, 0, 1}, other{2, 0, 0, 0, 0, 2};
  EXPECT_EQ(table.find(mac), nullptr);
  ASSERT_TRUE(table.insert(mac, 7));
  EXPECT_EQ(found(table, mac), 7);
  EXPECT_EQ(table.find(other), nullptr);

  EXPECT_FALSE(table.insert(mac, 8)) << "a key is there once";
  EXPECT_EQ(found(table, mac), 7);
  *table.find(mac) = 9;
  EXPECT_EQ(found(table, mac), 9);

  EXPECT_TRUE(table.erase(mac));
  EXPECT_FALSE(table.erase(mac));
  EXPECT_EQ(table.find(mac), nullptr);
  EXPECT_EQ(table.size(), 0u);
}

TEST(Exact, ALookupMayBeSplitAroundTheWaitForMemory) {
  ExactTable<4, std::uint64_t> table(100);
  for (std::uint32_t i = 0; i < 100; ++i) ASSERT_TRUE(table.insert(key_of<4>(i), i));
  for (std::uint32_t i = 0; i < 200; ++i) {
    const auto ticket = table.prefetch(key_of<4>(i));
    const std::uint64_t* value = table.find(key_of<4>(i), ticket);
    ASSERT_EQ(value != nullptr, i < 100);
    if (value) {
      EXPECT_EQ(*value, i);
    }
  }
}

TEST(Exact, AFullTableRefusesAndKeepsWhatItHas) {
  for (const std::uint32_t capacity : {0u, 1u, 7u, 1000u}) {
    ExactTable<8, std::uint32_t> table(capacity);
    for (std::uint32_t i = 0; i < capacity; ++i) ASSERT_TRUE(table.insert(key_of<8>(i), i)) << "its whole capacity";
    EXPECT_FALSE(table.insert(key_of<8>(capacity), 0));
    EXPECT_EQ(table.size(), capacity);
    EXPECT_EQ(table.find(key_of<8>(capacity)), nullptr);
    for (std::uint32_t i = 0; i < capacity; ++i) ASSERT_EQ(found(table, key_of<8>(i)), i);
    if (capacity > 0) {
      ASSERT_TRUE(table.erase(key_of<8>(0)));
      EXPECT_TRUE(table.insert(key_of<8>(capacity), 5)) << "room again";
    }
    table.clear();
    EXPECT_EQ(table.size(), 0u);
    EXPECT_EQ(table.find(key_of<8>(1)), nullptr);
  }
}

/// Keys from a universe about as large as the table, so that it is often full and keys often return.
template <std::size_t Bytes, typename Value>
void agrees_with_a_map(std::uint32_t capacity, std::uint64_t seed) {
  SCOPED_TRACE(testing::Message() << Bytes << "-byte keys, " << sizeof(Value) << "-byte values, capacity " << capacity);
  std::mt19937_64 random(seed);
  ExactTable<Bytes, Value> table(capacity, seed);
  std::map<std::array<std::uint8_t, Bytes>, Value> oracle;
  const std::uint32_t universe = capacity + capacity / 4 + 2;
  for (int step = 0; step < 20'000; ++step) {
    const auto key = key_of<Bytes>(static_cast<std::uint32_t>(random() % universe));
    if (random() % 3 != 0) {
      const auto value = static_cast<Value>(step);
      const bool fits = oracle.size() < capacity && !oracle.contains(key);
      ASSERT_EQ(table.insert(key, value), fits);
      if (fits) oracle[key] = value;
    } else {
      ASSERT_EQ(table.erase(key), oracle.erase(key) == 1);
    }
    const auto probe = key_of<Bytes>(static_cast<std::uint32_t>(random() % universe));
    const auto expected = oracle.find(probe);
    ASSERT_EQ(found(table, probe), expected == oracle.end() ? std::nullopt : std::optional(expected->second));
  }
  ASSERT_EQ(table.size(), oracle.size());
  for (const auto& [key, value] : oracle) ASSERT_EQ(found(table, key), value);
}

TEST(Exact, AgreesWithAMapThroughRandomOperations) {
  agrees_with_a_map<1, std::uint8_t>(100, 1);
  agrees_with_a_map<4, std::uint32_t>(3, 2);
  agrees_with_a_map<4, std::uint32_t>(5000, 3);
  agrees_with_a_map<6, std::uint16_t>(1000, 4);
  agrees_with_a_map<13, std::uint64_t>(1000, 5);
  agrees_with_a_map<37, std::uint32_t>(1000, 6);   // one entry a line
  agrees_with_a_map<100, std::uint64_t>(1000, 7);  // an entry of several lines
}

// All keys have one home: the chain is the whole table, and the count of keys that went past saturates.
TEST(Exact, ManyKeysPastOneBucketAreStillFound) {
  ExactTable<4, std::uint32_t> table(2000);
  const auto home = table.prefetch(key_of<4>(0)).bucket;
  std::vector<std::uint32_t> colliding;
  for (std::uint32_t i = 0; colliding.size() < 600; ++i)
    if (table.prefetch(key_of<4>(i)).bucket == home) colliding.push_back(i);
  for (const std::uint32_t i : colliding) ASSERT_TRUE(table.insert(key_of<4>(i), i));
  for (const std::uint32_t i : colliding) ASSERT_EQ(found(table, key_of<4>(i)), i);
  for (std::size_t i = 0; i < 500; ++i) ASSERT_TRUE(table.erase(key_of<4>(colliding[i])));
  for (std::size_t i = 0; i < 600; ++i)
    ASSERT_EQ(found(table, key_of<4>(colliding[i])), i < 500 ? std::nullopt : std::optional(colliding[i]));
}

}  // namespace
}  // namespace packetmill::tables
