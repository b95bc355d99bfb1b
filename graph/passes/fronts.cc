#include "graph/passes/fronts.h"

#include <algorithm>
#include <limits>

#include "graph/passes/wiring.h"

namespace packetmill {
namespace {

std::size_t index(int number) { return static_cast<std::size_t>(number); }

/// Packets that leave by `output`, where those that come have `before` bytes at least.
std::uint32_t least_after(const Facts& element, int output, std::uint32_t before) {
  std::uint32_t least = element.least[index(output)];
  if (element.known && !element.writes[kFramePart]) least = std::max(least, before);
  if (element.front > 0 && before > element.front)
    least = std::max(least, before - static_cast<std::uint32_t>(element.front));
  return least;
}

}  // namespace

std::vector<std::uint32_t> least_lengths(const Graph& graph, ElementFacts& facts) {
  // From "none" on, every round makes true bounds of true bounds; so they hold even where circles would go on for ever.
  const Wiring wiring(graph);
  std::vector<std::uint32_t> least(graph.elements.size(), 0);
  for (std::size_t round = 0; round < graph.elements.size(); ++round) {
    bool changed = false;
    for (std::size_t i = 0; i < least.size(); ++i) {
      const auto& feeders = wiring.to(static_cast<int>(i));
      std::uint32_t smallest = feeders.empty() ? 0 : std::numeric_limits<std::uint32_t>::max();
      for (const Graph::Connection* feeder : feeders)
        smallest = std::min(smallest, least_after(facts.of(graph.elements[index(feeder->from.element)]),
                                                  feeder->from.port, least[index(feeder->from.element)]));
      changed |= smallest != least[i];
      least[i] = smallest;
    }
    if (!changed) break;
  }
  return least;
}

bool make_one(Graph& graph, ElementFacts& facts, int first, int second, std::uint32_t least) {
  Graph::Element& before = graph.elements[index(first)];
  Graph::Element& after = graph.elements[index(second)];
  const std::int64_t strips = facts.of(before).front;
  const std::int64_t restores = -facts.of(after).front;
  if (strips <= 0 || !facts.of(before).pure()) return false;
  std::vector<bool> gone(graph.elements.size(), false);
  if (restores > 0) {
    if (least < strips || restores > strips) return false;
    gone[index(second)] = true;
    if (restores == strips) {
      gone[index(first)] = true;
    } else {
      const auto fewer = facts.of(before).after_strip(-restores);
      if (!fewer) return false;
      before.configuration = *fewer;
    }
  } else {
    const auto more = facts.of(after).after_strip(strips);
    if (!more) return false;
    after.configuration = *more;
    gone[index(first)] = true;
  }
  take_out(graph, std::move(gone), facts);
  return true;
}

}  // namespace packetmill
