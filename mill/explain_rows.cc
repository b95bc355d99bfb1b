#include "mill/explain_rows.h"

#include <fmt/format.h>

#include <algorithm>

namespace packetmill::mill {
namespace {

std::string counted(std::uint64_t number, std::string_view what) {
  return fmt::format("{} {}{}", number, what, number == 1 ? "" : "s");
}

std::string names(const Explanation& explanation, const std::vector<int>& elements) {
  std::string list;
  for (const int element : elements)
    list += (list.empty() ? "" : ", ") + explanation.elements[static_cast<std::size_t>(element)].name;
  return list;
}

std::string symbol_text(const DataSymbol& symbol) {
  std::string meaning;
  if (symbol.name == "own_parts") meaning = "parameters in memory, and what handlers write: ";
  if (symbol.name == "own_slots") meaning = "state, drop counts and ledger of all cores: ";
  const bool writable = symbol.section != 'r' && symbol.section != 'R';
  return fmt::format("{}{}, {}{}", meaning, symbol.name, counted(symbol.bytes, "byte"), writable ? "" : ", read only");
}

std::string call_text(const Explanation& explanation, const Explanation::Call& call) {
  const std::string caller = call.element < 0
                                 ? "code of no element"
                                 : "'" + explanation.elements[static_cast<std::size_t>(call.element)].name + "'";
  return fmt::format("{} calls {}, which takes {}", caller, call.callee,
                     call.by_value ? "a copy (made on that way only)" : "the packet by reference");
}

}  // namespace

std::vector<Row> rows_of_program(const Explanation& explanation) {
  std::vector<Row> rows;
  Row plan{"plan", {""}};
  for (const char c : explanation.plan)
    if (c == '\n')
      plan.lines.emplace_back();
    else
      plan.lines.back() += c;
  if (plan.lines.back().empty()) plan.lines.pop_back();
  rows.push_back(std::move(plan));
  if (explanation.interpreted)
    rows.push_back({"code", {"none is generated: under this plan the program is the interpreter"}});
  if (explanation.registers) {
    std::string fields;
    for (const std::string& field : explanation.metadata) fields += (fields.empty() ? "" : ", ") + field;
    rows.push_back({"metadata", {"in registers: " + fields}});
  } else {
    rows.push_back({"metadata",
                    {fmt::format("in memory{}: {}", explanation.overlaid ? ", beside the buffer" : "",
                                 explanation.why_not_registers)}});
  }
  if (explanation.plan.find("link = lto") != std::string::npos)
    rows.push_back({"link", {"explained as link = objects makes it; optimisation at link time may inline more"}});
  std::uint64_t state = 0;
  for (const Explanation::Element& element : explanation.elements) state += element.state_bytes();
  if (!explanation.interpreted)
    rows.push_back({"size",
                    {fmt::format("{} of generated code; {} of state with a place of its own",
                                 counted(explanation.code_bytes, "byte"), counted(state, "byte"))}});
  return rows;
}

std::vector<Row> rows_of(const Explanation& explanation, const Explanation::Element& element) {
  std::vector<Row> rows;
  Row code{"code", {}};
  if (!element.removed_by.empty()) code.lines.push_back(fmt::format("removed by the pass '{}'", element.removed_by));
  if (!element.rewritten.empty())
    code.lines.push_back(fmt::format("passes made it {}({})", element.class_name, element.rewritten));
  if (element.places.empty()) code.lines.push_back(element.no_code);
  for (const Explanation::Place& place : element.places) {
    const Explanation::Region& region = explanation.regions[place.region];
    code.lines.push_back(fmt::format(
        "{} in {}{}", counted(place.bytes, "byte"), region.name,
        region.hot ? fmt::format(", about {:.1f} cycles a packet", place.cycles) : ", off the packets' way"));
  }
  rows.push_back(std::move(code));
  if (!element.fused_with.empty()) rows.push_back({"fused with", {names(explanation, element.fused_with)}});
  if (!explanation.interpreted) {
    Row parameters{"parameters", {}};
    if (element.constants == "{}")
      parameters.lines.emplace_back("constants, all as the element has them by default");
    else if (!element.constants.empty())
      parameters.lines.push_back("constants: " + element.constants);
    else
      parameters.lines.push_back("in memory: " + element.why_not_constants);
    parameters.lines.insert(parameters.lines.end(), element.lists.begin(), element.lists.end());
    if (element.decides_in_code) parameters.lines.emplace_back("its decision graph is code");
    if (element.routes_in_code) parameters.lines.emplace_back("its routes are compares, until the table changes");
    for (const DataSymbol& symbol : element.other_data)
      parameters.lines.push_back("still in memory: " + symbol_text(symbol));
    rows.push_back(std::move(parameters));
    Row state{"state", {}};
    for (const DataSymbol& symbol : element.state) state.lines.push_back(symbol_text(symbol));
    if (state.lines.empty()) state.lines.emplace_back("on the heap, with the element's node");
    rows.push_back(std::move(state));
  }
  Row memory{"takes packets out of registers", {}};
  for (const Explanation::Region& region : explanation.regions)
    for (const Explanation::Call& call : region.calls)
      if (region.hot && !call.by_value && call.element >= 0 &&
          &explanation.elements[static_cast<std::size_t>(call.element)] == &element)
        memory.lines.push_back(fmt::format("in {}, by a call of {}", region.name, call.callee));
  std::ranges::sort(memory.lines);
  const auto twice = std::ranges::unique(memory.lines);
  memory.lines.erase(twice.begin(), twice.end());
  if (!memory.lines.empty()) rows.push_back(std::move(memory));
  return rows;
}

std::vector<Row> rows_of(const Explanation& explanation, const Explanation::Region& region) {
  std::vector<Row> rows;
  rows.push_back({"code",
                  {fmt::format("{}{}", counted(region.bytes, "byte"),
                               region.hot ? ", on the packets' way" : ", off the packets' way")}});
  rows.push_back({"elements", {names(explanation, region.elements)}});
  if (explanation.registers && region.hot) {
    Row packets{"packets", {}};
    packets.lines.push_back(region.packets_in_memory == 0 ? "in registers"
                                                          : "in memory, though the plan has them in registers");
    for (const Explanation::Call& call : region.calls) packets.lines.push_back(call_text(explanation, call));
    if (region.packets_in_memory > 0 && region.calls.empty())
      packets.lines.emplace_back("no call takes them: the compiler has not taken the object apart");
    rows.push_back(std::move(packets));
  }
  return rows;
}

std::string about_estimates(const Explanation& explanation) {
  if (explanation.processor.empty()) return {};
  return fmt::format(
      "Cycles are an estimate from the code and no measurement: what llvm-mca says of an element's instructions on {}, "
      "each weighed by how often the compiler thinks that it runs for a packet that comes to the element; a loop "
      "counts "
      "once; all data in the first cache, all branches foreseen. Called functions are not in it.",
      explanation.processor);
}

}  // namespace packetmill::mill
