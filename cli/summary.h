#pragma once

#include <chrono>
#include <string>

#include "engine/router.h"

namespace packetmill::cli {

/// Where all packets of a run went, and how fast, for people. `wall` is how long the driver ran.
std::string summary(engine::Router& router, std::chrono::duration<double> wall);
/// The same for programs.
std::string summary_json(engine::Router& router, std::chrono::duration<double> wall);

}  // namespace packetmill::cli
