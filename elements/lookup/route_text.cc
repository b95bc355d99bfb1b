#include "elements/lookup/route_text.h"

#include "runtime/arguments/split.h"

namespace packetmill {
namespace {

std::string prefix_text(const tables::Route& route) {
  return to_string(IPv4Address::from_host(route.address)) + "/" + std::to_string(route.mask_length);
}
std::string gateway_text(const tables::Route& route) {
  return route.gateway == 0 ? "-" : to_string(IPv4Address::from_host(route.gateway));
}
std::string port_text(const tables::Route& route) {
  return route.port == kNoRoutePort ? "" : std::to_string(route.port);
}

/// `text`, filled up with tabulators to the next column, `columns` of them from its own beginning.
std::string padded(const std::string& text, std::size_t columns) {
  std::string out = text + '\t';
  if (text.size() < (columns - 1) * 8) out += '\t';
  return out;
}

}  // namespace

bool parse_route(std::string_view text, const Names& names, bool needs_port, tables::Route& out) {
  const std::vector<std::string> words = split_words(text);
  if (words.size() < (needs_port ? 2 : 1) || words.size() > 3) return false;
  IPv4Prefix prefix;
  if (parse(words[0], prefix, names) || prefix.length() < 0) return false;
  IPv4Address gateway;
  if (words.size() == 3 && words[1] != "-" && parse(words[1], gateway, names)) return false;
  std::int32_t port = kNoRoutePort;
  if (words.size() > 1 && (parse(words.back(), port) || port < 0)) return false;
  out = {prefix.address.host() & prefix.mask.host(), static_cast<std::uint32_t>(prefix.length()), gateway.host(), port};
  return true;
}

std::string to_string(const tables::Route& route) {
  const std::string text = prefix_text(route) + " " + gateway_text(route);
  return route.port == kNoRoutePort ? text : text + " " + port_text(route);
}

std::string table_line(const tables::Route& route) {
  return padded(prefix_text(route), 3) + padded(gateway_text(route), 2) + port_text(route) + "\n";
}

}  // namespace packetmill
