#include "elements/icmp/icmp_names.h"

#include "runtime/headers.h"

namespace packetmill {
namespace {

struct TypeName {
  std::string_view name;
  std::uint8_t type;
};
constexpr TypeName kTypes[] = {{"unreachable", kIcmpUnreachable},
                               {"sourcequench", kIcmpSourceQuench},
                               {"redirect", kIcmpRedirect},
                               {"timeexceeded", kIcmpTimeExceeded},
                               {"parameterproblem", kIcmpParameterProblem}};

struct CodeName {
  std::uint8_t type;
  std::string_view name;
  std::uint8_t code;
};
constexpr CodeName kCodes[] = {
    {kIcmpUnreachable, "net", 0},
    {kIcmpUnreachable, "host", 1},
    {kIcmpUnreachable, "protocol", 2},
    {kIcmpUnreachable, "port", 3},
    {kIcmpUnreachable, "needfrag", 4},
    {kIcmpRedirect, "net", 0},
    {kIcmpRedirect, "host", 1},
    {kIcmpTimeExceeded, "transit", 0},
    {kIcmpTimeExceeded, "reassembly", 1},
    {kIcmpParameterProblem, "erroratptr", 0},
    {kIcmpParameterProblem, "missingopt", 1},
    {kIcmpParameterProblem, "length", 2},
};

}  // namespace

ParseError parse(std::string_view text, IcmpErrorType& out, const Names&) {
  std::optional<std::uint8_t> type;
  for (const TypeName& known : kTypes)
    if (known.name == text) type = known.type;
  std::uint8_t number = 0;
  if (!type && !parse(text, number)) type = number;
  if (!type) return "invalid ICMP type";
  if (!is_icmp_error(*type)) return "ICMP type " + std::to_string(*type) + " is not an error type";
  out.number = *type;
  return std::nullopt;
}

std::optional<std::uint8_t> find_icmp_code(std::string_view text, std::uint8_t type) {
  for (const CodeName& known : kCodes)
    if (known.type == type && known.name == text) return known.code;
  std::uint8_t number = 0;
  if (parse(text, number)) return std::nullopt;
  return number;
}

}  // namespace packetmill
