#pragma once

#include <optional>
#include <string_view>

#include "runtime/values/parse.h"

namespace packetmill {

/// Whether ICMP messages of this type report an error (RFC 1122, 3.2.2): such a message is never answered with another.
constexpr bool is_icmp_error(std::uint8_t type) {
  return type == 3 || type == 4 || type == 5 || type == 11 || type == 12;
}

/// The type of an ICMP error message: "timeexceeded", or its number.
struct IcmpErrorType {
  static constexpr std::string_view kTypeName = "ICMP error type";
  std::uint8_t number = 0;
};
ParseError parse(std::string_view text, IcmpErrorType& out, const Names& names = kNoNames);

/// The code that `text` means for ICMP messages of `type`: "needfrag", or its number.
std::optional<std::uint8_t> find_icmp_code(std::string_view text, std::uint8_t type);
/// "did you mean 'needfrag'?", where a name is near.
std::string icmp_code_hint(std::string_view text, std::uint8_t type);

}  // namespace packetmill
