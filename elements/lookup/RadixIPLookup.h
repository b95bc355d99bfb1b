#pragma once

#include "elements/lookup/route_lookup.h"
#include "tables/lpm/radix.h"

namespace packetmill {

/// RadixIPLookup: routes by longest prefix, in a trie of four levels (tables/lpm/radix.h): the good default.
///
/// Ports:     1 input, any number of outputs: the ones that routes lead to.
/// Needs:     the destination annotation (GetIPAddress, CheckIPHeader, SetIPAddress), which becomes the gateway where
///            the route has one.
/// Arguments: routes, "ADDR/MASK [GATEWAY] OUTPUT" each, in any order; the longest prefix wins. Of two routes for one
///            prefix the later counts, with a warning.
/// Handlers:  table (read): the routes, one a line. lookup ADDR (read): "OUTPUT [GATEWAY]", or -1.
///            add, set "ADDR/MASK [GATEWAY] OUTPUT" (write): add fails where the prefix has a route, set replaces it.
///            remove "ADDR/MASK [[GATEWAY] OUTPUT]" (write): what is named must match.
///            ctrl (write): "add ...", "set ..." and "remove ...", one a line; all are carried out, or none.
///            flush (write): removes all routes.
/// Drops:     no_route: no route holds the destination.
/// Example:   rt :: RadixIPLookup(18.26.4.24/32 0, 18.26.4/24 1, 0/0 18.26.4.1 1);
/// See also:  DirectIPLookup, RangeIPLookup, LinearIPLookup, StaticIPLookup
struct RadixIPLookup : RouteLookup<tables::RadixTable> {
  static constexpr ElementInfo info{.name = "RadixIPLookup", .ports = "1/-", .processing = "h/h"};
};

}  // namespace packetmill
