#include "elements/ip/ip_header_check.h"

#include <vector>

namespace packetmill {

ParseError parse(std::string_view text, OffsetOrAddresses& out, const Names& names) {
  const ParseError no_number = parse(text, out.offset, names);
  if (!no_number) return {};
  out.old_syntax = !parse(text, out.addresses, names);
  return out.old_syntax ? ParseError{} : no_number;
}

void add_addresses(Configuration& configuration, OffsetOrAddresses& first, const PrefixList& interfaces,
                   AddressList& bad_sources, AddressList& good_destinations) {
  std::vector<IPv4Address> bad(bad_sources.items.begin(), bad_sources.items.end());
  std::vector<IPv4Address> good(good_destinations.items.begin(), good_destinations.items.end());
  for (const IPv4Prefix& interface : interfaces.items) {
    good.push_back(interface.address);
    // INTERPRETATION: a link of one or two addresses has no broadcast address (RFC 3021).
    if (interface.length() < 31) bad.push_back(interface.broadcast());
  }
  if (first.old_syntax) {
    bad.insert(bad.end(), first.addresses.items.begin(), first.addresses.items.end());
    const std::vector<Argument> rest = configuration.take_rest();
    if (!rest.empty())
      if (const ParseError wrong = parse(rest[0].text, first.offset)) configuration.error(rest[0], "OFFSET: " + *wrong);
    if (rest.size() > 1) configuration.error(rest[1], "too many arguments");
  }
  if (first.old_syntax || !interfaces.items.empty()) bad.insert(bad.end(), {IPv4Address{}, IPv4Address{0xffffffff}});

  bad_sources.items = configuration.arena().keep(std::move(bad));
  good_destinations.items = configuration.arena().keep(std::move(good));
}

}  // namespace packetmill
