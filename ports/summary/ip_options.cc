#include <fmt/format.h>

#include "ports/summary/options.h"
#include "runtime/values/parse.h"

namespace packetmill::summary {
namespace {

using detail::append32;
using detail::load32;
using detail::take;
using detail::take_number;

// RFC 791, 3.1.
constexpr std::uint8_t kRecordRoute = 7;
constexpr std::uint8_t kTimestamp = 68;
constexpr std::uint8_t kLooseRoute = 131;
constexpr std::uint8_t kStrictRoute = 137;

struct Route {
  std::string_view name;
  std::uint8_t kind;
};
constexpr Route kRoutes[] = {{"rr", kRecordRoute}, {"lsrr", kLooseRoute}, {"ssrr", kStrictRoute}};

std::string address_text(const std::uint8_t* bytes) { return to_string(IPv4Address::from_host(load32(bytes))); }

/// Kind, length, pointer (from the option's first byte, counted from 1), addresses.
std::string route_text(const Route& route, const std::uint8_t* option, std::size_t length) {
  if (length < 3 || length % 4 != 3) return "?";
  const std::size_t end = length;
  const std::size_t pointer = option[2] - std::size_t{1};
  if (option[2] < 4 || pointer > end || pointer % 4 != 3) return "?";
  const bool record = route.kind == kRecordRoute;  // what lies behind its pointer is room
  std::string text = fmt::format("{}{{", route.name);
  for (std::size_t i = 3; i < (record ? pointer : end); i += 4) {
    if (i == pointer)
      text += '^';
    else if (i > 3)
      text += ',';
    text += address_text(option + i);
  }
  text += '}';
  if (record && pointer < end) text += fmt::format("+{}", (end - pointer) / 4);
  return text;
}

/// A timestamp whose highest bit is set is not one of RFC 791's milliseconds since midnight.
std::string time_text(const std::uint8_t* bytes) {
  const std::uint32_t time = load32(bytes);
  return fmt::format("{}{}", (time >> 31U) != 0 ? "!" : "", time & 0x7fffffffU);
}

/// Kind, length, pointer, overflow and type, entries: timestamps, alone (type 0) or behind an address (1, 3).
std::string timestamp_text(const std::uint8_t* option, std::size_t length) {
  if (length < 4) return "?";
  const unsigned type = option[3] & 15U;
  const unsigned overflow = option[3] >> 4U;
  const std::size_t size = type == 0 ? 4 : 8;
  const std::size_t pointer = option[2] - std::size_t{1};
  if ((type != 0 && type != 1 && type != 3) || option[2] < 5 || pointer > length || (pointer - 4) % size != 0 ||
      (length - 4) % size != 0)
    return "?";
  std::string text = type == 0 ? "ts{" : type == 1 ? "ts.ip{" : "ts.preip{";
  for (std::size_t i = 4; i < (type == 3 ? length : pointer); i += size) {
    if (i == pointer)
      text += '^';
    else if (i > 4)
      text += ',';
    if (type == 0)
      text += time_text(option + i);
    else
      text += address_text(option + i) + (i < pointer ? "=" + time_text(option + i + 4) : "");
  }
  text += '}';
  if (type != 3 && pointer < length) text += fmt::format("+{}", (length - pointer) / size);
  if (overflow != 0) text += fmt::format("++{}", overflow);
  return text;
}

bool take_address(std::string_view& text, OptionBytes& bytes) {
  const std::size_t end = std::min(text.find_first_not_of("0123456789."), text.size());
  IPv4Address address;
  if (parse(text.substr(0, end), address)) return false;
  append32(bytes, address.host());
  text.remove_prefix(end);
  return true;
}
bool take_time(std::string_view& text, OptionBytes& bytes) {
  const std::uint32_t mark = take(text, "!") ? 0x80000000U : 0;
  const auto time = take_number(text, 0x7fffffff);
  if (time) append32(bytes, *time | mark);
  return time.has_value();
}

/// "{entry,entry^entry}": entries by `take_entry(text, bytes, behind_pointer)`. Gives the number of bytes before the
/// pointer, which is at the end where there is no '^'.
template <class TakeEntry>
std::optional<std::size_t> take_entries(std::string_view& text, OptionBytes& entries, TakeEntry take_entry) {
  std::optional<std::size_t> pointer;
  if (!take(text, "{")) return {};
  while (!take(text, "}")) {
    if (take(text, "^")) {
      if (pointer) return {};
      pointer = entries.size();
    } else if (!entries.empty() && !take(text, ",")) {
      return {};
    }
    if (!take_entry(text, entries, pointer.has_value())) return {};
  }
  return pointer.value_or(entries.size());
}

/// "+5": room for more entries.
bool take_room(std::string_view& text, OptionBytes& entries, std::size_t entry_size) {
  if (text.starts_with("++") || !take(text, "+")) return true;
  const auto room = take_number(text, 10);
  if (room) entries.resize(entries.size() + *room * entry_size);
  return room.has_value();
}

bool append_option(OptionBytes& bytes, std::initializer_list<std::size_t> header, const OptionBytes& entries) {
  for (const std::size_t byte : header) bytes.push_back(static_cast<std::uint8_t>(byte));
  bytes.insert(bytes.end(), entries.begin(), entries.end());
  return bytes.size() <= 40;
}

bool parse_route(std::uint8_t kind, std::string_view text, OptionBytes& bytes) {
  OptionBytes addresses;
  const auto pointer = take_entries(
      text, addresses, [](std::string_view& rest, OptionBytes& entries, bool) { return take_address(rest, entries); });
  if (!pointer || !take_room(text, addresses, 4) || !text.empty()) return false;
  return append_option(bytes, {kind, 3 + addresses.size(), 4 + *pointer}, addresses);
}

bool parse_timestamp(std::size_t type, std::string_view text, OptionBytes& bytes) {
  OptionBytes entries;
  const auto pointer = take_entries(text, entries, [&](std::string_view& rest, OptionBytes& into, bool behind) {
    if (type == 0) return take_time(rest, into);
    if (!take_address(rest, into)) return false;
    if (take(rest, "=")) return take_time(rest, into);
    append32(into, 0);
    return behind;
  });
  if (!pointer || !take_room(text, entries, type == 0 ? 4 : 8)) return false;
  std::size_t overflow = 0;
  if (take(text, "++")) {
    const auto number = take_number(text, 15);
    if (!number) return false;
    overflow = *number;
  }
  return text.empty() &&
         append_option(bytes, {kTimestamp, 4 + entries.size(), 5 + *pointer, overflow << 4U | type}, entries);
}

bool parse_option(std::string_view text, OptionBytes& bytes) {
  if (detail::parse_plain_option(text, bytes)) return true;
  for (const Route& route : kRoutes)
    if (take(text, route.name)) return parse_route(route.kind, text, bytes);
  if (take(text, "ts.preip")) return parse_timestamp(3, text, bytes);
  if (take(text, "ts.ip")) return parse_timestamp(1, text, bytes);
  return take(text, "ts") && parse_timestamp(0, text, bytes);
}

}  // namespace

std::string ip_options_text(const std::uint8_t* options, std::size_t length) {
  return detail::options_text(options, length, [](const std::uint8_t* option, std::size_t size) {
    for (const Route& route : kRoutes)
      if (route.kind == option[0]) return route_text(route, option, size);
    return option[0] == kTimestamp ? timestamp_text(option, size) : detail::plain_option_text(option, size);
  });
}

std::optional<OptionBytes> parse_ip_options(std::string_view text) { return detail::parse_options(text, parse_option); }

}  // namespace packetmill::summary
