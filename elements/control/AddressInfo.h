#pragma once

#include "runtime/arguments/split.h"
#include "runtime/declarations.h"
#include "runtime/element.h"

namespace packetmill {

/// AddressInfo: gives names to addresses.
///
/// Ports:     none.
/// Keywords:  any number of `NAME ADDRESS [ADDRESS...]`. An ADDRESS is an IPv4 or IPv6 address, either with a prefix
///            length or mask (which names the address and the prefix), or an Ethernet address. A name may have one of
///            each kind; where it is used decides which is meant, or a suffix does: NAME:ip, NAME:ipnet, NAME:ip6,
///            NAME:ip6net, NAME:eth. A name that no AddressInfo has may be one of the machine's network devices.
/// Notes:     names hold in the compound element that the AddressInfo stands in, and in the compounds inside it.
/// Example:   AddressInfo(mauer 10.0.0.1/24 00:50:BA:85:84:A9);
/// See also:  PortInfo
struct AddressInfo {
  static constexpr ElementInfo info{.name = "AddressInfo", .ports = "0/0"};

  static void declare(Configuration& configuration, std::string_view element, Declarations& declarations) {
    for (const Argument& argument : configuration.take_rest()) {
      const std::vector<std::string> words = split_words(argument.text);
      if (words.size() < 2) configuration.error(argument, "expected 'NAME ADDRESS [ADDRESS...]'");
      for (std::size_t i = 1; i < words.size(); ++i)
        if (!add(declarations.name(element, words[0]), words[i]))
          configuration.error(argument, "\"" + words[i] + "\" is not an address or prefix");
    }
  }

 private:
  /// A prefix names its address too, but not where the name has an address of its own.
  static bool add(Declarations::Name& name, std::string_view text) {
    const bool prefix = text.find('/') != std::string_view::npos;
    IPv4Prefix ipv4;
    IPv6Prefix ipv6;
    EthernetAddress ethernet;
    if (!parse(text, ethernet)) {
      name.ethernet = ethernet;
    } else if (!parse(text, ipv4)) {
      if (!prefix || !name.ipv4) name.ipv4 = ipv4.address;
      if (prefix) name.ipv4_prefix = ipv4;
    } else if (!parse(text, ipv6)) {
      if (!prefix || !name.ipv6) name.ipv6 = ipv6.address;
      if (prefix) name.ipv6_prefix = ipv6;
    } else {
      return false;
    }
    return true;
  }
};

}  // namespace packetmill
