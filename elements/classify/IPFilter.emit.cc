#include "elements/classify/IPFilter.h"

#include "ir/print_decision.h"

namespace packetmill {

std::string emit_IPFilter(const IPFilter::Parameters& parameters);
std::string emit_IPFilter(const IPFilter::Parameters& parameters) { return ir::print_decision(parameters.graph); }

}  // namespace packetmill
