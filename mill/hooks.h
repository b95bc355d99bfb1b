#pragma once

#include <string>
#include <string_view>

#include "engine/node.h"
#include "graph/passes/facts.h"

namespace packetmill::mill {

/// Elements whose parameters are better as code than as data have, beside their header, a file NAME.emit.cc with
///   std::string emit_NAME(const NAME::Parameters& parameters);
/// which writes members of the element's struct in the generated program (engine/milled.h: decide). The build finds it.
using Hook = std::string (*)(const void* parameters);

/// The hook of an element class, or null.
[[nodiscard]] Hook hook_of(std::string_view class_name);

/// Fills in what an element of one class says of itself, as it is configured and connected.
using DescribeEffects = void (*)(const engine::Node& node, Facts& facts);

/// That of an element class; the build makes one for each (mill/effects_of.h).
[[nodiscard]] DescribeEffects effects_of(std::string_view class_name);

}  // namespace packetmill::mill
