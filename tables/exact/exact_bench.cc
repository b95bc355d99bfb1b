// Lookups of Ethernet addresses, one by one and with the home buckets of a sub-batch prefetched.

#include <benchmark/benchmark.h>

#include <cstring>
#include <random>
#include <vector>

#include "tables/exact/exact.h"

namespace packetmill::tables {
namespace {

constexpr std::size_t kKeys = 1u << 16;
constexpr std::size_t kBatch = 32;
using Table = ExactTable<6, std::uint32_t>;

Table::Key key_of(std::uint64_t number) {
  Table::Key key;
  std::memcpy(key.data(), &number, key.size());
  return key;
}

Table table_of(std::uint64_t size) {
  Table table(size);
  for (std::uint64_t i = 0; i < size; ++i) benchmark::DoNotOptimize(table.insert(key_of(i), 0));
  return table;
}

/// Random keys from `first` on.
std::vector<Table::Key> keys_of(std::uint64_t first, std::uint64_t size) {
  std::mt19937_64 random(1);
  std::vector<Table::Key> keys;
  while (keys.size() < kKeys) keys.push_back(key_of(first + random() % size));
  return keys;
}

void find(benchmark::State& state, bool hit) {
  const auto size = static_cast<std::uint64_t>(state.range(0));
  const Table table = table_of(size);
  const auto keys = keys_of(hit ? 0 : size, size);
  std::size_t at = 0;
  for (auto _ : state) benchmark::DoNotOptimize(table.find(keys[at++ % kKeys]));
  state.SetItemsProcessed(state.iterations());
}

void find_staged(benchmark::State& state) {
  const auto size = static_cast<std::uint64_t>(state.range(0));
  const Table table = table_of(size);
  const auto keys = keys_of(0, size);
  std::size_t at = 0;
  Table::Ticket tickets[kBatch];
  for (auto _ : state) {
    for (std::size_t i = 0; i < kBatch; ++i) tickets[i] = table.prefetch(keys[at + i]);
    for (std::size_t i = 0; i < kBatch; ++i) benchmark::DoNotOptimize(table.find(keys[at + i], tickets[i]));
    at = (at + kBatch) % kKeys;
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(kBatch));
}

BENCHMARK_CAPTURE(find, hit, true)->Arg(1000)->Arg(1'000'000);
BENCHMARK_CAPTURE(find, miss, false)->Arg(1000)->Arg(1'000'000);
BENCHMARK(find_staged)->Arg(1000)->Arg(1'000'000);

}  // namespace
}  // namespace packetmill::tables
