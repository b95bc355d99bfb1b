#pragma once

#include <string>

#include "runtime/list.h"
#include "tables/lpm/route.h"

namespace packetmill {

/// A lookup in a handful of routes as comparisons, the longest prefix first: the member `next_hop` that
/// RouteLookup::next_hop asks for. Empty where there are more routes than a table would be slower for.
std::string emit_routes(const List<tables::Route>& routes);

}  // namespace packetmill
