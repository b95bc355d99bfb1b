#include "elements/lookup/LinearIPLookup.h"

#include "elements/lookup/emit_routes.h"

namespace packetmill {

std::string emit_LinearIPLookup(const LinearIPLookup::Parameters& parameters);
std::string emit_LinearIPLookup(const LinearIPLookup::Parameters& parameters) { return emit_routes(parameters.routes); }

}  // namespace packetmill
