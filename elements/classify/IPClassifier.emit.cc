#include "elements/classify/IPClassifier.h"

#include "ir/print_decision.h"

namespace packetmill {

std::string emit_IPClassifier(const IPClassifier::Parameters& parameters);
std::string emit_IPClassifier(const IPClassifier::Parameters& parameters) {
  return ir::print_decision(parameters.graph);
}

}  // namespace packetmill
