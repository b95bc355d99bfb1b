#include "elements/lookup/DirectIPLookup.h"

#include "elements/lookup/emit_routes.h"

namespace packetmill {

std::string emit_DirectIPLookup(const DirectIPLookup::Parameters& parameters);
std::string emit_DirectIPLookup(const DirectIPLookup::Parameters& parameters) { return emit_routes(parameters.routes); }

}  // namespace packetmill
