#pragma once

#include "runtime/list.h"
#include "runtime/values/parse.h"

namespace packetmill {

/// Any number of addresses, separated by blanks: CheckIPHeader's BADSRC, IPGWOptions' OTHERADDRS.
struct AddressList {
  static constexpr std::string_view kTypeName = "IPv4 addresses";
  List<IPv4Address> items;

  [[nodiscard]] constexpr bool contains(IPv4Address address) const {
    for (const IPv4Address item : items)
      if (item == address) return true;
    return false;
  }
};

/// Any number of addresses with prefixes: CheckIPHeader's INTERFACES.
struct PrefixList {
  static constexpr std::string_view kTypeName = "IPv4 prefixes";
  List<IPv4Prefix> items;
};

/// What the lists point to lives as long as the process, like the constants that they become when milled.
ParseError parse(std::string_view text, AddressList& out, const Names& names = kNoNames);
ParseError parse(std::string_view text, PrefixList& out, const Names& names = kNoNames);

}  // namespace packetmill
