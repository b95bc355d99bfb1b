#pragma once

#include <cstdint>

#include "graph/graph.h"

namespace packetmill::verify {

/// `count` random graphs that know nothing of each other, as one configuration: the elements of graph N are called gN_...
/// The first half of them are chains and trees; the others have pull sections, queues, side exits, joins and cycles too.
/// Half are sensible (frames are stripped and checked before IP elements get them), half are not. Every run of them comes
/// to an end: cycles are guarded, by the packet's length or its time-to-live.
[[nodiscard]] Graph random_graphs(std::uint64_t seed, int count);

}  // namespace packetmill::verify
