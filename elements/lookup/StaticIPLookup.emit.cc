#include "elements/lookup/StaticIPLookup.h"

#include "elements/lookup/emit_routes.h"

namespace packetmill {

std::string emit_StaticIPLookup(const StaticIPLookup::Parameters& parameters);
std::string emit_StaticIPLookup(const StaticIPLookup::Parameters& parameters) { return emit_routes(parameters.routes); }

}  // namespace packetmill
