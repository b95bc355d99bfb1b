#pragma once

#include <string>

#include "graph/diagnostic.h"

namespace packetmill::cli {

/// The diagnostics as people read them, in the order of the text: `FILE:LINE:COL: error: message`, the line with a
/// caret below the place, and the hint.
std::string report(const Diagnostics& diagnostics);

/// The same as Click's driver prints them, for scripts that look for its words: `FILE:LINE: message`, or, where an
/// element is at fault, `FILE:LINE: While configuring 'x :: Class':` once and its messages below, indented.
std::string report_as_click(const Diagnostics& diagnostics);

}  // namespace packetmill::cli
