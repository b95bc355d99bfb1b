#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "engine/router.h"

namespace packetmill::verify {

/// A seed of its own for everything that an element does: it stays the same where other elements come and go.
[[nodiscard]] std::uint64_t seed_of(std::uint64_t seed, std::string_view element);

/// The arguments of a Script that writes handlers of the router at random times within `span`, with right and wrong
/// values, and stops the router a while later.
[[nodiscard]] std::string control_script(const engine::Router& outline, std::uint64_t seed, Duration span);

}  // namespace packetmill::verify
