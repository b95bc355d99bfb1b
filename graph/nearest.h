#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace packetmill {

/// A hint for a name that nobody knows: "did you mean 'Discard'?", or nothing where no candidate is near. Near means:
/// at most a third of the letters inserted, removed, replaced or swapped, upper and lower case being the same.
std::string did_you_mean(std::string_view name, const std::vector<std::string_view>& candidates);

}  // namespace packetmill
