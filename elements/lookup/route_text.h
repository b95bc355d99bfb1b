#pragma once

#include <string>
#include <string_view>

#include "runtime/values/parse.h"
#include "tables/lpm/route.h"

/// Routes as Click's IPRouteTable reads and prints them: "ADDR/MASK [GATEWAY] OUTPUT", where a gateway `-` is none.
namespace packetmill {

/// The port of a route whose text names none.
inline constexpr std::int32_t kNoRoutePort = -1;

/// Sets `out` and returns true where `text` is a route. Without `needs_port` the prefix alone will do, as in `remove`.
bool parse_route(std::string_view text, const Names& names, bool needs_port, tables::Route& out);

/// "18.26.4.0/24 18.26.4.1 1"; without port where that is kNoRoutePort.
std::string to_string(const tables::Route& route);

/// The same as a line of a table, its columns aligned by tabulators of eight.
std::string table_line(const tables::Route& route);

}  // namespace packetmill
