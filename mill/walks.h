#pragma once

#include <set>
#include <vector>

#include "mill/network.h"

namespace packetmill::mill {

/// How the code of a fused loop is divided: elements that packets go between belong to one walk, and parts of the graph
/// that no push connects have a walk each, so that a program takes no longer to compile than its parts.
///
/// Each source has a copy of what it reaches, because a call would put metadata into memory; but not of what more than
/// two sources reach, which they call: copies for n interfaces would be n times a router of n interfaces.
struct Walks {
  std::vector<int> of;       ///< the walk of each element; its number is that of the walk's first element
  std::set<int> numbers;     ///< of the walks that packets take
  std::vector<bool> joined;  ///< elements that more sources reach than their code is copied into
};

[[nodiscard]] Walks walks_of(const Network& network);

/// Whether packets are pushed into the element.
[[nodiscard]] inline bool takes_pushes(const Site& site) { return site.push_feeders > 0; }

}  // namespace packetmill::mill
