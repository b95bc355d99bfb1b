#include <nlohmann/json.hpp>

#include "mill/explain.h"

namespace packetmill::mill {
namespace {

using nlohmann::json;

json symbols(const std::vector<DataSymbol>& list) {
  json result = json::array();
  for (const DataSymbol& symbol : list)
    result.push_back({{"symbol", symbol.name}, {"bytes", symbol.bytes}, {"section", std::string(1, symbol.section)}});
  return result;
}

}  // namespace

std::string explanation_json(const Explanation& explanation) {
  json elements = json::array();
  for (const Explanation::Element& element : explanation.elements) {
    json places = json::array();
    for (const Explanation::Place& place : element.places)
      places.push_back({{"region", place.region},
                        {"bytes", place.bytes},
                        {"instructions", place.instructions},
                        {"estimated_cycles", place.cycles}});
    elements.push_back({{"name", element.name},
                        {"class", element.class_name},
                        {"configuration", element.configuration},
                        {"no_code", element.no_code},
                        {"removed_by", element.removed_by},
                        {"rewritten", element.rewritten},
                        {"code_bytes", element.code_bytes()},
                        {"hot_bytes", element.hot_bytes(explanation)},
                        {"estimated_cycles", element.cycles},
                        {"places", places},
                        {"fused_with", element.fused_with},
                        {"constants", element.constants},
                        {"lists", element.lists},
                        {"why_not_constants", element.why_not_constants},
                        {"decides_in_code", element.decides_in_code},
                        {"routes_in_code", element.routes_in_code},
                        {"state", symbols(element.state)},
                        {"data", symbols(element.other_data)}});
  }
  json regions = json::array();
  for (const Explanation::Region& region : explanation.regions) {
    json calls = json::array();
    for (const Explanation::Call& call : region.calls)
      calls.push_back({{"callee", call.callee}, {"element", call.element}, {"by_value", call.by_value}});
    regions.push_back({{"name", region.name},
                       {"symbol", region.symbol},
                       {"hot", region.hot},
                       {"bytes", region.bytes},
                       {"elements", region.elements},
                       {"packets_in_memory", region.packets_in_memory},
                       {"calls", calls}});
  }
  const json whole{{"plan", explanation.plan},
                   {"interpreted", explanation.interpreted},
                   {"registers", explanation.registers},
                   {"overlaid", explanation.overlaid},
                   {"why_not_registers", explanation.why_not_registers},
                   {"metadata", explanation.metadata},
                   {"processor", explanation.processor},
                   {"code_bytes", explanation.code_bytes},
                   {"elements", elements},
                   {"regions", regions}};
  // A configuration may hold bytes that are no UTF-8.
  return whole.dump(2, ' ', false, json::error_handler_t::replace) + "\n";
}

}  // namespace packetmill::mill
