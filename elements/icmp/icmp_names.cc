#include "elements/icmp/icmp_names.h"

#include <vector>

#include "graph/nearest.h"
#include "runtime/values/well_known.h"

namespace packetmill {
namespace {

/// The names that `name` gives to numbers of one byte.
std::vector<std::string_view> names_of(auto name) {
  std::vector<std::string_view> names;
  for (unsigned i = 0; i < 256; ++i)
    if (!name(static_cast<std::uint8_t>(i)).empty()) names.push_back(name(static_cast<std::uint8_t>(i)));
  return names;
}

}  // namespace

ParseError parse(std::string_view text, IcmpErrorType& out, const Names&) {
  std::optional<std::uint8_t> type = well_known::find_icmp_type(text);
  std::uint8_t number = 0;
  if (!type && !parse(text, number)) type = number;
  if (!type) {
    const std::string hint = did_you_mean(text, names_of([](std::uint8_t number) {
                                            return is_icmp_error(number) ? well_known::icmp_type_name(number) : "";
                                          }));
    return "invalid ICMP type" + (hint.empty() ? "" : "; " + hint);
  }
  if (!is_icmp_error(*type)) return "ICMP type " + std::to_string(*type) + " is not an error type";
  out.number = *type;
  return std::nullopt;
}

std::optional<std::uint8_t> find_icmp_code(std::string_view text, std::uint8_t type) {
  if (const auto code = well_known::find_icmp_code(type, text)) return code;
  std::uint8_t number = 0;
  if (parse(text, number)) return std::nullopt;
  return number;
}

std::string icmp_code_hint(std::string_view text, std::uint8_t type) {
  return did_you_mean(text, names_of([type](std::uint8_t code) { return well_known::icmp_code_name(type, code); }));
}

}  // namespace packetmill
