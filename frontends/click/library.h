#pragma once

#include <optional>
#include <string>

#include "frontends/click/click.h"

namespace packetmill::click {

/// Finds the file that `require(library NAME)` means: beside the file that requires it, else in the directories of the
/// environment variable CLICKPATH (separated by colons) and in their `conf` sub-directories, as click(5)
/// "REQUIREMENTS" and click(1) have it.
std::optional<Source> find_library(const std::string& name, const std::string& required_by);

}  // namespace packetmill::click
