// Lookups and updates of the IPv4 routing tables: three routes of a small router, and synthetic Internet tables.

#include <benchmark/benchmark.h>

#include <map>
#include <random>
#include <vector>

#include "tables/lpm/dir24_8.h"
#include "tables/lpm/linear.h"
#include "tables/lpm/radix.h"
#include "tables/lpm/range.h"
#include "tables/lpm/synthetic.h"

namespace packetmill::tables {
namespace {

constexpr std::size_t kKeys = 1u << 16;

/// Made once: the library calls a benchmark several times.
const std::vector<Route>& routes_of(std::size_t count) {
  static std::map<std::size_t, std::vector<Route>> known{
      {3, {{0x0a000000, 24, 0, 0}, {0x0a000100, 24, 0, 1}, {0, 0, 0x0a000101, 1}}}};
  if (!known.contains(count)) known[count] = synthetic_ipv4_routes(count, 16, 1);
  return known[count];
}

std::vector<std::uint32_t> keys_of(const std::vector<Route>& routes) {
  std::mt19937_64 random(2);
  std::vector<std::uint32_t> keys;
  while (keys.size() < kKeys) keys.push_back(address_inside(routes[random() % routes.size()], random));
  return keys;
}

template <typename Table>
Table table_of(const std::vector<Route>& routes) {
  Table table;
  for (const Route& route : routes) benchmark::DoNotOptimize(table.set(route));
  return table;
}

template <typename Table>
void lookup(benchmark::State& state) {
  const auto& routes = routes_of(static_cast<std::size_t>(state.range(0)));
  const auto keys = keys_of(routes);
  const auto table = table_of<Table>(routes);
  std::size_t at = 0;
  for (auto _ : state) benchmark::DoNotOptimize(table.lookup(keys[at++ % kKeys]));
  state.SetItemsProcessed(state.iterations());
}

/// One item: a route goes and comes back.
template <typename Table>
void update(benchmark::State& state) {
  const auto& routes = routes_of(static_cast<std::size_t>(state.range(0)));
  auto table = table_of<Table>(routes);
  std::mt19937_64 random(3);
  for (auto _ : state) {
    const Route& route = routes[random() % routes.size()];
    benchmark::DoNotOptimize(table.remove(route.address, route.mask_length));
    benchmark::DoNotOptimize(table.add(route));
  }
  state.SetItemsProcessed(state.iterations());
}

BENCHMARK(lookup<LinearTable>)->Arg(3)->Arg(100);
BENCHMARK(lookup<RadixTable>)->Arg(3)->Arg(10'000)->Arg(900'000);
BENCHMARK(lookup<Dir24_8Table>)->Arg(3)->Arg(10'000)->Arg(900'000);
BENCHMARK(lookup<RangeTable>)->Arg(3)->Arg(10'000)->Arg(900'000);
BENCHMARK(update<RadixTable>)->Arg(900'000);
BENCHMARK(update<Dir24_8Table>)->Arg(900'000);
BENCHMARK(update<RangeTable>)->Arg(900'000);

}  // namespace
}  // namespace packetmill::tables
