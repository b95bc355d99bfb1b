#include "elements/ethernet/arp_entry.h"

#include <algorithm>
#include <bit>
#include <optional>

#include "runtime/arguments/split.h"

namespace packetmill {
namespace {

/// A name that is both an address and a network means the address (ARPResponder's documentation).
std::optional<IPv4Prefix> parse_prefix(std::string_view word, const Names& names) {
  IPv4Prefix prefix{{}, IPv4Prefix::mask_of_length(32)};
  if (parse(word, prefix.address, names) && parse(word, prefix, names)) return std::nullopt;
  prefix.address.network &= prefix.mask.network;
  return prefix;
}

int specificity(const ArpEntry& entry) { return std::popcount(entry.prefix.mask.network); }

}  // namespace

ParseError parse_arp_entries(std::string_view text, const Names& names, std::vector<ArpEntry>& out) {
  std::vector<IPv4Prefix> prefixes;
  std::optional<EthernetAddress> ethernet;       // of a word that is nothing else
  std::optional<EthernetAddress> with_a_prefix;  // of a name that is both
  for (const std::string& word : split_words(text)) {
    EthernetAddress address;
    const bool is_ethernet = !parse(word, address, names);
    if (const auto prefix = parse_prefix(word, names)) {
      prefixes.push_back(*prefix);
      if (is_ethernet) with_a_prefix = address;
    } else if (is_ethernet && !ethernet) {
      ethernet = address;
    } else {
      return "argument should be 'IP/MASK [IP/MASK...] ETH'";
    }
  }
  if (!ethernet) ethernet = with_a_prefix;
  if (prefixes.empty() || !ethernet) return "argument should be 'IP/MASK [IP/MASK...] ETH'";
  for (const IPv4Prefix& prefix : prefixes) out.push_back({prefix, *ethernet});
  return std::nullopt;
}

void add_arp_entry(std::vector<ArpEntry>& entries, const ArpEntry& entry) {
  const auto same = std::ranges::find(entries, entry.prefix, &ArpEntry::prefix);
  if (same != entries.end()) {
    same->ethernet = entry.ethernet;
    return;
  }
  const auto less_specific = [&](const ArpEntry& other) { return specificity(other) < specificity(entry); };
  entries.insert(std::ranges::find_if(entries, less_specific), entry);
}

}  // namespace packetmill
