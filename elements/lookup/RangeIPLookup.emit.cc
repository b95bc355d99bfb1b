#include "elements/lookup/RangeIPLookup.h"

#include "elements/lookup/emit_routes.h"

namespace packetmill {

std::string emit_RangeIPLookup(const RangeIPLookup::Parameters& parameters);
std::string emit_RangeIPLookup(const RangeIPLookup::Parameters& parameters) { return emit_routes(parameters.routes); }

}  // namespace packetmill
