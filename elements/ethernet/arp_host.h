#pragma once

#include <optional>

#include "runtime/values/parse.h"

namespace packetmill {

/// An IP address with or without its prefix length; a name (AddressInfo) brings its Ethernet address along.
struct ArpHost {
  static constexpr std::string_view kTypeName = "IPv4 prefix";
  IPv4Prefix ip;
  std::optional<EthernetAddress> ethernet;
};

inline ParseError parse(std::string_view text, ArpHost& out, const Names& names) {
  if (ParseError wrong = parse(text, out.ip, names)) return wrong;
  (void)parse(text, out.ip.address, names);  // a name's own address, where its prefix is given without host bits
  (void)parse(text, out.ethernet, names);    // addresses and prefixes in numbers have none
  return std::nullopt;
}

}  // namespace packetmill
