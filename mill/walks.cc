#include "mill/walks.h"

#include <numeric>

namespace packetmill::mill {

Walks walks_of(const Network& network) {
  constexpr int kMostCopies = 2;
  Walks walks;
  const std::size_t count = network.sites.size();
  walks.of.resize(count);
  std::iota(walks.of.begin(), walks.of.end(), 0);
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t i = 0; i < count; ++i) {
      if (!takes_pushes(network.sites[i])) continue;
      for (const End& to : network.sites[i].outputs) {
        if (to.element < 0) continue;
        int& theirs = walks.of[static_cast<std::size_t>(to.element)];
        changed |= walks.of[i] != theirs;
        walks.of[i] = theirs = std::min(walks.of[i], theirs);
      }
    }
  }
  std::vector<int> reached_by(count);
  for (std::size_t i = 0; i < count; ++i) {
    if (takes_pushes(network.sites[i])) walks.numbers.insert(walks.of[i]);
    if (network.sites[i].starts_walks)
      for (const int site : network.reachable(static_cast<int>(i))) ++reached_by[static_cast<std::size_t>(site)];
  }
  walks.joined.resize(count);
  for (std::size_t i = 0; i < count; ++i)
    walks.joined[i] = takes_pushes(network.sites[i]) && reached_by[i] > kMostCopies;
  return walks;
}

}  // namespace packetmill::mill
