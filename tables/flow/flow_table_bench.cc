// What a NAT does for each packet, find and touch: one by one, and with the index of a sub-batch prefetched.

#include <benchmark/benchmark.h>

#include <array>
#include <random>
#include <vector>

#include "tables/flow/flow_table.h"

namespace packetmill::tables {
namespace {

constexpr std::size_t kKeys = 1u << 16;
constexpr std::size_t kBatch = 32;
using Table = FlowTable<std::array<std::uint64_t, 2>>;

FlowKey key_of(std::uint64_t number) { return {static_cast<std::uint32_t>(number), 0x08080808, 1024, 53, 17}; }

Table table_of(std::uint64_t size) {
  Table table(static_cast<std::uint32_t>(size));
  for (std::uint64_t i = 0; i < size; ++i)
    benchmark::DoNotOptimize(table.insert(key_of(i), table.prefetch(key_of(i)), 0));
  return table;
}

std::vector<FlowKey> keys_of(std::uint64_t size) {
  std::mt19937_64 random(1);
  std::vector<FlowKey> keys;
  while (keys.size() < kKeys) keys.push_back(key_of(random() % size));
  return keys;
}

void find_and_touch(benchmark::State& state) {
  const auto size = static_cast<std::uint64_t>(state.range(0));
  Table table = table_of(size);
  const auto keys = keys_of(size);
  std::size_t at = 0;
  for (auto _ : state) {
    table.touch(table.find(keys[at % kKeys]), at / kKeys);
    ++at;
  }
  state.SetItemsProcessed(state.iterations());
}

void find_and_touch_staged(benchmark::State& state) {
  const auto size = static_cast<std::uint64_t>(state.range(0));
  Table table = table_of(size);
  const auto keys = keys_of(size);
  std::size_t at = 0;
  Table::Ticket tickets[kBatch];
  for (auto _ : state) {
    const FlowKey* batch = &keys[at % kKeys];
    for (std::size_t i = 0; i < kBatch; ++i) tickets[i] = table.prefetch(batch[i]);
    for (std::size_t i = 0; i < kBatch; ++i) table.touch(table.find(batch[i], tickets[i]), at / kKeys);
    at += kBatch;
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(kBatch));
}

BENCHMARK(find_and_touch)->Arg(1000)->Arg(1'000'000);
BENCHMARK(find_and_touch_staged)->Arg(1000)->Arg(1'000'000);

}  // namespace
}  // namespace packetmill::tables
