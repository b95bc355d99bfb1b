#pragma once

#include <string>

#include "graph/diagnostic.h"

namespace packetmill::cli {

/// The diagnostics as people read them, in the order of the text: `FILE:LINE:COL: error: message`, the line with a
/// caret below the place, and the hint.
std::string report(const Diagnostics& diagnostics);

}  // namespace packetmill::cli
