#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "runtime/values/parse.h"

namespace packetmill {

/// "Who asks for an address of `prefix` is told `ethernet`."
struct ArpEntry {
  IPv4Prefix prefix;  ///< no bits of the address outside of the mask
  EthernetAddress ethernet;
};

/// "IP/MASK [IP/MASK...] ETH", where one word may stand for both (AddressInfo): an entry for each prefix, in `out`.
ParseError parse_arp_entries(std::string_view text, const Names& names, std::vector<ArpEntry>& out);

/// Puts an entry where it belongs, the most specific first, replacing the one that its prefix has.
void add_arp_entry(std::vector<ArpEntry>& entries, const ArpEntry& entry);

}  // namespace packetmill
