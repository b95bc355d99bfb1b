#include "elements/lookup/emit_routes.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "elements/lookup/route_text.h"

namespace packetmill {

std::string emit_routes(const List<tables::Route>& routes) {
  constexpr std::size_t kMost = 16;
  // By length, the longest first, then address: of two routes for one prefix the later counts.
  std::map<std::pair<std::int64_t, std::uint32_t>, tables::Route> sorted;
  for (const tables::Route& route : routes)
    sorted[{-std::int64_t{route.mask_length}, route.address & tables::mask_of(route.mask_length)}] = route;
  if (sorted.size() > kMost) return {};
  std::string text = "  static packetmill::tables::NextHop next_hop([[maybe_unused]] std::uint32_t destination) {\n";
  for (const auto& [key, route] : sorted)
    text += fmt::format("    if ((destination & 0x{:08x}U) == 0x{:08x}U) return {{0x{:08x}U, {}}};\n",
                        tables::mask_of(route.mask_length), key.second, route.gateway, route.port);
  return text + fmt::format("    return {{0, {}}};\n  }}\n", kNoRoutePort);
}

}  // namespace packetmill
