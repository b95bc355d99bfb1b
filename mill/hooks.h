#pragma once

#include <string>
#include <string_view>

namespace packetmill::mill {

/// Elements whose parameters are better as code than as data have, beside their header, a file NAME.emit.cc with
///   std::string emit_NAME(const NAME::Parameters& parameters);
/// which writes members of the element's struct in the generated program (engine/milled.h: decide). The build finds it.
using Hook = std::string (*)(const void* parameters);

/// The hook of an element class, or null.
[[nodiscard]] Hook hook_of(std::string_view class_name);

}  // namespace packetmill::mill
