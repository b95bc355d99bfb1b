#include "elements/icmp/icmp_names.h"

#include "runtime/values/well_known.h"

namespace packetmill {

ParseError parse(std::string_view text, IcmpErrorType& out, const Names&) {
  std::optional<std::uint8_t> type = well_known::find_icmp_type(text);
  std::uint8_t number = 0;
  if (!type && !parse(text, number)) type = number;
  if (!type) return "invalid ICMP type";
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

}  // namespace packetmill
