#include "elements/lookup/RadixIPLookup.h"

#include "elements/lookup/emit_routes.h"

namespace packetmill {

std::string emit_RadixIPLookup(const RadixIPLookup::Parameters& parameters);
std::string emit_RadixIPLookup(const RadixIPLookup::Parameters& parameters) { return emit_routes(parameters.routes); }

}  // namespace packetmill
