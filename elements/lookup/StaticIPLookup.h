#pragma once

#include "elements/lookup/route_lookup.h"
#include "tables/lpm/linear.h"

namespace packetmill {

/// StaticIPLookup: routes by longest prefix, looking at one route after the other, with routes that never change.
/// Also called LookupIPRoute and LookupIPRouteMP.
///
/// Ports:     1 input, any number of outputs: the ones that routes lead to.
/// Needs:     the destination annotation (GetIPAddress, CheckIPHeader, SetIPAddress), which becomes the gateway where
///            the route has one.
/// Arguments: routes, "ADDR/MASK [GATEWAY] OUTPUT" each, in any order; the longest prefix wins. Of two routes for one
///            prefix the later counts, with a warning.
/// Handlers:  table (read): the routes, one a line. lookup ADDR (read): "OUTPUT [GATEWAY]", or -1.
/// Drops:     no_route: no route holds the destination.
/// Example:   rt :: StaticIPLookup(18.26.4.24/32 0, 18.26.4/24 1, 0/0 18.26.4.1 1);
/// See also:  LinearIPLookup, RadixIPLookup, DirectIPLookup, RangeIPLookup
struct StaticIPLookup : RouteLookup<tables::LinearTable> {
  static constexpr ElementInfo info{.name = "StaticIPLookup", .ports = "1/-", .processing = "h/h"};
  static constexpr std::array<std::string_view, 2> aliases{"LookupIPRoute", "LookupIPRouteMP"};
  static constexpr auto handlers = read_handlers;
};

}  // namespace packetmill
