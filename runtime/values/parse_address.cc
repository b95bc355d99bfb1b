#include <arpa/inet.h>

#include <cstring>

#include "runtime/values/parse.h"

namespace packetmill {
namespace {

/// A decimal number of at most `max`, without sign, base prefix or separators.
std::optional<int> read_decimal(std::string_view text, int max) {
  if (text.empty() || text.size() > 3) return {};
  int value = 0;
  for (const char c : text) {
    if (c < '0' || c > '9') return {};
    value = value * 10 + (c - '0');
  }
  return value <= max ? std::optional(value) : std::nullopt;
}

/// `bytes` dotted numbers or fewer, but at least `least`; missing ones at the end are zero.
std::optional<IPv4Address> read_dotted(std::string_view text, int least) {
  uint32_t host = 0;
  int count = 0;
  while (true) {
    const size_t dot = text.find('.');
    const auto byte = read_decimal(text.substr(0, dot), 255);
    if (!byte || ++count > 4) return {};
    host = host << 8 | static_cast<uint32_t>(*byte);
    if (dot == std::string_view::npos) break;
    text.remove_prefix(dot + 1);
  }
  if (count < least) return {};
  return IPv4Address::from_host(host << 8 * (4 - count));
}

std::optional<IPv6Address> read_ipv6(std::string_view text) {
  IPv6Address address;
  const std::string terminated(text);
  if (inet_pton(AF_INET6, terminated.c_str(), address.bytes.data()) != 1) return {};
  return address;
}

std::optional<EthernetAddress> read_ethernet(std::string_view text) {
  EthernetAddress address;
  const size_t at = text.find_first_of(":-");
  if (at == std::string_view::npos) return {};
  const char separator = text[at];
  for (size_t i = 0; i < address.bytes.size(); ++i) {
    const size_t end = i + 1 < address.bytes.size() ? text.find(separator) : text.size();
    if (end == std::string_view::npos || end == 0 || end > 2) return {};
    uint64_t byte = 0;
    if (text[0] == '+' || detail::parse_unsigned("0x" + std::string(text.substr(0, end)), 0xff, byte)) return {};
    address.bytes[i] = static_cast<uint8_t>(byte);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return address;
}

/// NAME of "NAME" or "NAME" + suffix.
std::optional<std::string_view> name_with(std::string_view text, std::string_view suffix) {
  if (text.find(':') == std::string_view::npos) return text;
  if (!text.ends_with(suffix)) return {};
  return text.substr(0, text.size() - suffix.size());
}

std::optional<IPv4Address> find_ipv4(std::string_view text, const Names& names) {
  if (text.ends_with(":gw")) return names.find_gateway(text.substr(0, text.size() - 3));
  if (text.ends_with(":bcast")) {
    const auto prefix = names.find_ipv4_prefix(text.substr(0, text.size() - 6));
    return prefix ? std::optional(prefix->broadcast()) : std::nullopt;
  }
  for (const std::string_view suffix : {":ip", ":ip4"}) {
    if (const auto name = name_with(text, suffix)) return names.find_ipv4(*name);
  }
  return {};
}

std::optional<IPv4Prefix> find_ipv4_prefix(std::string_view text, const Names& names) {
  for (const std::string_view suffix : {":ipnet", ":ip4net"}) {
    const auto name = name_with(text, suffix);
    if (!name) continue;
    if (const auto prefix = names.find_ipv4_prefix(*name)) return prefix;
  }
  const auto address = find_ipv4(text, names);
  return address ? std::optional(IPv4Prefix{*address, IPv4Prefix::mask_of_length(32)}) : std::nullopt;
}

}  // namespace

ParseError parse(std::string_view text, IPv4Address& out, const Names& names) {
  auto address = read_dotted(text, 4);
  if (!address) address = find_ipv4(text, names);
  if (!address) return "invalid IP address";
  out = *address;
  return {};
}

ParseError parse(std::string_view text, IPv4Prefix& out, const Names& names) {
  const size_t slash = text.find('/');
  if (slash == std::string_view::npos) {
    std::optional<IPv4Prefix> prefix;
    if (const auto address = read_dotted(text, 4)) {
      prefix = IPv4Prefix{*address, IPv4Prefix::mask_of_length(32)};
    } else {
      prefix = find_ipv4_prefix(text, names);
    }
    if (!prefix) return "invalid IP prefix";
    out = *prefix;
    return {};
  }
  const std::string_view mask_text = text.substr(slash + 1);
  const auto length = read_decimal(mask_text, 32);
  // "10/8" abbreviates an address, where a length says how much of it matters.
  auto address = read_dotted(text.substr(0, slash), length ? 1 : 4);
  if (!address) address = find_ipv4(text.substr(0, slash), names);
  const auto mask = length ? std::optional(IPv4Prefix::mask_of_length(*length)) : read_dotted(mask_text, 4);
  if (!address || !mask) return "invalid IP prefix";
  out = {*address, *mask};
  return {};
}

ParseError parse(std::string_view text, IPv6Address& out, const Names& names) {
  auto address = read_ipv6(text);
  if (!address) {
    if (const auto name = name_with(text, ":ip6")) address = names.find_ipv6(*name);
  }
  if (!address) return "invalid IPv6 address";
  out = *address;
  return {};
}

ParseError parse(std::string_view text, IPv6Prefix& out, const Names& names) {
  const size_t slash = text.find('/');
  if (slash == std::string_view::npos) {
    if (const auto name = name_with(text, ":ip6net")) {
      if (const auto prefix = names.find_ipv6_prefix(*name)) return out = *prefix, std::nullopt;
    }
  }
  const auto length = slash == std::string_view::npos ? 128 : read_decimal(text.substr(slash + 1), 128);
  IPv6Address address;
  if (!length || parse(text.substr(0, slash), address, names)) return "invalid IPv6 prefix";
  out = {address, static_cast<uint8_t>(*length)};
  return {};
}

ParseError parse(std::string_view text, EthernetAddress& out, const Names& names) {
  auto address = read_ethernet(text);
  if (!address) {
    for (const std::string_view suffix : {":eth", ":ethernet"})
      if (const auto name = name_with(text, suffix); name && !address) address = names.find_ethernet(*name);
  }
  if (!address) return "invalid Ethernet address";
  out = *address;
  return {};
}

}  // namespace packetmill
