#include "elements/classify/Classifier.h"

#include "ir/print_decision.h"

namespace packetmill {

std::string emit_Classifier(const Classifier::Parameters& parameters);
std::string emit_Classifier(const Classifier::Parameters& parameters) { return ir::print_decision(parameters.graph); }

}  // namespace packetmill
