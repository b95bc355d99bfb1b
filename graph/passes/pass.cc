#include "graph/passes/pass.h"

#include <array>
#include <string>

namespace packetmill {

std::span<const Pass> passes() {
  // What is dead need not be merged; merging makes neighbours of elements that runs can go on with; and what is left to
  // be done is done late.
  static constexpr std::array<Pass, 6> kPasses = {{
      {"unreachable", "takes out elements that no packet comes to", remove_unreachable},
      {"no-ops", "takes out elements that do nothing", remove_no_ops},
      {"dead", "takes out elements whose work nobody looks at", remove_dead},
      {"merge", "makes one element of two neighbours", merge_neighbours},
      {"combine", "makes one element of two that stand in one run", combine_runs},
      {"early-drops", "lets packets that are dropped be dropped before others work on them", drop_early},
  }};
  return kPasses;
}

std::string pass_names() {
  std::string names;
  for (const Pass& pass : passes()) names += (names.empty() ? "" : ", ") + std::string(pass.name);
  return names;
}

}  // namespace packetmill
