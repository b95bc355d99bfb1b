#pragma once

#include <vector>

#include "mill/network.h"

namespace packetmill::mill {

/// Of each site, whether every frame that comes to it is as it was received, byte by byte.
[[nodiscard]] std::vector<bool> untouched(const Network& network);

}  // namespace packetmill::mill
