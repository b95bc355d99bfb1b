#include "runtime/values/well_known.h"

// The names that Click's manual pages use (IPFilter, ICMPError, ToIPSummaryDump); the numbers of RFC 792, RFC 950,
// RFC 1191 and RFC 1256.
namespace packetmill::well_known {
namespace {

struct NamedType {
  std::string_view name;
  uint8_t type;
};
constexpr NamedType kTypes[] = {
    {"echo-reply", 0},
    {"unreachable", 3},
    {"sourcequench", 4},
    {"redirect", 5},
    {"echo", 8},
    {"routeradvert", 9},
    {"routersolicit", 10},
    {"timeexceeded", 11},
    {"parameterproblem", 12},
    {"timestamp", 13},
    {"timestamp-reply", 14},
    {"inforeq", 15},
    {"inforeq-reply", 16},
    {"maskreq", 17},
    {"maskreq-reply", 18},
};

struct NamedCode {
  uint8_t type;
  std::string_view name;
  uint8_t code;
};
constexpr NamedCode kCodes[] = {
    {3, "net", 0},         {3, "host", 1},        {3, "protocol", 2},    {3, "port", 3},
    {3, "needfrag", 4},    {5, "net", 0},         {5, "host", 1},        {11, "transit", 0},
    {11, "reassembly", 1}, {12, "erroratptr", 0}, {12, "missingopt", 1}, {12, "length", 2},
};

}  // namespace

std::optional<uint8_t> find_icmp_type(std::string_view name) {
  for (const NamedType& entry : kTypes)
    if (entry.name == name) return entry.type;
  return {};
}

std::string_view icmp_type_name(uint8_t type) {
  for (const NamedType& entry : kTypes)
    if (entry.type == type) return entry.name;
  return {};
}

std::optional<uint8_t> find_icmp_code(uint8_t type, std::string_view name) {
  for (const NamedCode& entry : kCodes)
    if (entry.type == type && entry.name == name) return entry.code;
  return {};
}

std::string_view icmp_code_name(uint8_t type, uint8_t code) {
  for (const NamedCode& entry : kCodes)
    if (entry.type == type && entry.code == code) return entry.name;
  return {};
}

}  // namespace packetmill::well_known
