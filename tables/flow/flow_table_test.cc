// The flow table against a map from keys to what is known of the flow.

#include "tables/flow/flow_table.h"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <set>
#include <tuple>
#include <vector>

namespace packetmill::tables {
namespace {

struct Mapping {
  std::uint32_t address;
  std::uint16_t port;
  std::uint32_t opposite;
};
using Table = FlowTable<Mapping, 2>;
constexpr auto kNone = Table::kNone;

FlowKey key_of(std::uint32_t number) { return {0x0a000000 + number, 0x08080808, 1024, 53, 17}; }

std::uint32_t insert(auto& table, const FlowKey& key, std::uint64_t now, std::uint8_t age_list = 0) {
  return table.insert(key, table.prefetch(key), now, age_list);
}

TEST(FlowTable, FindsWhatWasInserted) {
  Table table(10);
  EXPECT_EQ(table.find(key_of(1)), kNone);
  const std::uint32_t flow = insert(table, key_of(1), 5);
  ASSERT_NE(flow, kNone);
  EXPECT_EQ(table.value(flow).opposite, 0u) << "a new value is zero";
  table.value(flow).port = 4096;

  EXPECT_EQ(table.find(key_of(1)), flow);
  EXPECT_EQ(table.find(key_of(1), table.prefetch(key_of(1))), flow);
  EXPECT_EQ(table.key(flow), key_of(1));
  EXPECT_EQ(table.value(flow).port, 4096);
  EXPECT_EQ(table.last_use(flow), 5u);

  table.erase(flow);
  EXPECT_EQ(table.find(key_of(1)), kNone);
  EXPECT_EQ(table.size(), 0u);
  EXPECT_EQ(table.value(insert(table, key_of(1), 6)).port, 0) << "nothing is left of the old flow";
}

TEST(FlowTable, EveryPartOfTheKeyCounts) {
  Table table(10);
  const FlowKey key{1, 2, 3, 4, 6};
  ASSERT_NE(insert(table, key, 0), kNone);
  for (const FlowKey& other : {FlowKey{9, 2, 3, 4, 6}, FlowKey{1, 9, 3, 4, 6}, FlowKey{1, 2, 9, 4, 6},
                               FlowKey{1, 2, 3, 9, 6}, FlowKey{1, 2, 3, 4, 17}})
    EXPECT_EQ(table.find(other), kNone);
}

TEST(FlowTable, AFullTableRefusesAndKeepsWhatItHas) {
  for (const std::uint32_t capacity : {0u, 1u, 13u, 1000u}) {
    Table table(capacity);
    std::set<std::uint32_t> numbers;
    for (std::uint32_t i = 0; i < capacity; ++i) numbers.insert(insert(table, key_of(i), i));
    EXPECT_EQ(numbers.size(), capacity) << "its whole capacity, each flow with its own number";
    if (capacity > 0) {
      EXPECT_EQ(*numbers.rbegin(), capacity - 1);
    }
    EXPECT_EQ(insert(table, key_of(capacity), capacity), kNone);
    EXPECT_EQ(table.find(key_of(capacity)), kNone);
    for (std::uint32_t i = 0; i < capacity; ++i) {
      const std::uint32_t flow = table.find(key_of(i));
      ASSERT_NE(flow, kNone);
      EXPECT_EQ(table.last_use(flow), i);
    }
  }
}

TEST(FlowTable, TheLeastRecentlyUsedExpireFirst) {
  Table table(10);
  const std::uint32_t a = insert(table, key_of(1), 10), b = insert(table, key_of(2), 11),
                      c = insert(table, key_of(3), 12);
  table.touch(a, 13);
  std::vector<std::uint32_t> expired;
  const auto note = [&](std::uint32_t flow) { expired.push_back(flow); };

  table.expire(0, 11, note);
  EXPECT_TRUE(expired.empty()) << "b was last used at 11, not before";
  table.expire(0, 13, note);
  EXPECT_EQ(expired, (std::vector{b, c}));
  EXPECT_EQ(table.size(), 1u);
  EXPECT_EQ(table.find(key_of(1)), a);
  EXPECT_EQ(table.find(key_of(2)), kNone);
}

TEST(FlowTable, AgeListsExpireApart) {
  Table table(10);
  const std::uint32_t udp = insert(table, key_of(1), 10, 0), tcp = insert(table, key_of(2), 10, 1);
  const std::uint32_t closed = insert(table, key_of(3), 10, 1);
  table.touch(closed, 10, 0);
  std::vector<std::uint32_t> expired;
  table.expire(0, 100, [&](std::uint32_t flow) { expired.push_back(flow); });
  EXPECT_EQ(expired, (std::vector{udp, closed}));
  EXPECT_EQ(table.find(key_of(2)), tcp);
}

// A NAT keeps both directions as flows, which name each other in their values: one expires, both go.
TEST(FlowTable, AnExpiringFlowMayTakeItsOppositeAlong) {
  Table table(10);
  for (std::uint32_t i = 0; i < 4; i += 2) {
    const std::uint32_t there = insert(table, key_of(i), i), back = insert(table, key_of(i + 1), i);
    table.value(there).opposite = back;
    table.value(back).opposite = there;
  }
  std::vector<std::uint32_t> expired;
  table.expire(0, 100, [&](std::uint32_t flow) {
    expired.push_back(flow);
    table.erase(table.value(flow).opposite);
  });
  EXPECT_EQ(expired.size(), 2u);
  EXPECT_EQ(table.size(), 0u);
}

TEST(FlowTable, AgreesWithAMapThroughRandomOperations) {
  struct Known {
    std::uint32_t number;
    std::uint64_t time;
    std::uint64_t order;  // of the last insertion or move, among equal times
    std::uint8_t age_list;
  };
  for (const std::uint32_t capacity : {5u, 100u, 3000u}) {
    SCOPED_TRACE(capacity);
    std::mt19937_64 random(capacity);
    Table table(capacity, capacity);
    std::map<std::uint32_t, Known> oracle;  // by the number that key_of() takes
    std::uint64_t now = 0, order = 0;
    for (int step = 0; step < 30'000; ++step) {
      now += random() % 4 == 0;
      const auto id = static_cast<std::uint32_t>(random() % (capacity + capacity / 4 + 2));
      const auto age_list = static_cast<std::uint8_t>(random() % 2);
      const std::uint32_t flow = table.find(key_of(id));
      const auto known = oracle.find(id);
      ASSERT_EQ(flow, known == oracle.end() ? kNone : known->second.number);
      if (flow == kNone) {
        const std::uint32_t added = insert(table, key_of(id), now, age_list);
        ASSERT_EQ(added == kNone, oracle.size() == capacity);
        if (added == kNone) continue;
        table.value(added).address = id;
        oracle[id] = {added, now, ++order, age_list};
      } else if (random() % 3 == 0) {
        table.erase(flow);
        oracle.erase(known);
      } else {
        ASSERT_EQ(table.value(flow).address, id);
        if (known->second.time != now || known->second.age_list != age_list)
          known->second = {flow, now, ++order, age_list};
        table.touch(flow, now, age_list);
      }
      if (random() % 64 != 0) continue;
      // Everything not used in the last `capacity` ticks goes, in the order of its last use.
      const std::uint64_t before = now > capacity ? now - capacity : 0;
      std::map<std::pair<std::uint64_t, std::uint64_t>, std::uint32_t> expected;
      for (const auto& [each, flow_known] : oracle)
        if (flow_known.age_list == 0 && flow_known.time < before) expected[{flow_known.time, flow_known.order}] = each;
      auto next = expected.begin();
      table.expire(0, before, [&](std::uint32_t expired) {
        ASSERT_NE(next, expected.end());
        EXPECT_EQ(table.key(expired), key_of(next->second));
        oracle.erase((next++)->second);
      });
      ASSERT_EQ(next, expected.end());
    }
    ASSERT_EQ(table.size(), oracle.size());
    std::size_t listed = 0;
    for (const std::uint8_t age_list : {0, 1})
      table.for_each(age_list, [&](std::uint32_t flow) {
        EXPECT_EQ(oracle.at(table.value(flow).address).age_list, age_list);
        ++listed;
      });
    EXPECT_EQ(listed, oracle.size());
  }
}

TEST(NightlyFlowTable, HoldsTenMillionFlows) {
  constexpr std::uint32_t kFlows = 10'000'000;
  FlowTable<std::array<std::uint64_t, 3>> table(kFlows);  // the largest value
  for (std::uint32_t i = 0; i < kFlows; ++i) ASSERT_NE(insert(table, key_of(i), i), kNone);
  EXPECT_EQ(insert(table, key_of(kFlows), kFlows), kNone);
  for (std::uint32_t i = 0; i < kFlows; ++i) ASSERT_NE(table.find(key_of(i)), kNone);
  std::uint32_t next = 0;
  table.expire(0, kFlows, [&](std::uint32_t flow) { ASSERT_EQ(table.key(flow), key_of(next++)); });
  EXPECT_EQ(next, kFlows);
  EXPECT_EQ(table.size(), 0u);
}

}  // namespace
}  // namespace packetmill::tables
