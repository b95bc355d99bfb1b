#pragma once

#include "runtime/arguments/split.h"
#include "runtime/checksum.h"
#include "runtime/element.h"
#include "runtime/headers.h"
#include "runtime/values/parse.h"
#include "tables/exact/exact.h"

/// A small P4 program, lowered by hand as the front-end is to lower it: a parser, a match-action block and a deparser
/// are elements like any other, and the program's headers and metadata are fields.
///
///   parser:   Ethernet, and IPv4 without options behind it
///   block:    apply { if (hdr.ipv4.isValid()) forward.apply(); else egress = OTHER; }
///             table forward { key = { hdr.ipv4.dstAddr : exact; } actions = { rewrite; drop; } default = drop; }
///             action rewrite(src, dst, address, port) { the addresses; ttl = ttl - 1; egress = port; }
///   deparser: emit(hdr.ethernet); emit(hdr.ipv4), with its checksum computed anew
namespace packetmill::testing {

// The places are within Click's annotation area: the only room that the interpreter's packet has for fields that the
// runtime does not know (docs/decisions.md).
struct ParsedEthernet : Field<EthernetHeader, 0> {};
struct ParsedIPv4 : Field<IPv4Header, 16> {};
struct IPv4Valid : Field<bool, 36> {};
struct EgressPort : Field<std::uint16_t, 38> {};

struct P4Parser {
  static constexpr ElementInfo info{.name = "P4Parser"};
  static constexpr Reason too_short{0, "packet_too_short"};
  static constexpr Reason has_options{1, "ipv4_options"};
  static constexpr auto drops = describe(too_short, has_options);
  using Writes = Fields<ParsedEthernet, ParsedIPv4, IPv4Valid>;

  static Output process(auto&, In, auto& packet) {
    const auto* ethernet = packet.template header<EthernetHeader>();
    if (ethernet == nullptr) return drop(too_short);
    packet.template set<ParsedEthernet>(*ethernet);
    if (ethernet->type == swap_network(kEthernetIPv4)) {
      const auto* ip = packet.template header<IPv4Header>(sizeof(EthernetHeader));
      if (ip == nullptr) return drop(too_short);
      if (ip->version_and_length != 0x45) return drop(has_options);
      packet.template set<ParsedIPv4>(*ip);
      packet.template set<IPv4Valid>(true);
      packet.pull(sizeof(IPv4Header));
    }
    packet.pull(sizeof(EthernetHeader));
    return to(0);
  }
};

struct P4Forward {
  static constexpr ElementInfo info{.name = "P4Forward"};

  struct Parameters {
    std::uint16_t other = 0;  ///< where packets go that are not IPv4
  };
  static constexpr auto keywords = describe(keyword<&Parameters::other>("OTHER"));

  struct Rewrite {
    EthernetAddress source;
    EthernetAddress destination;
    IPv4Address address;
    std::uint16_t port;
  };
  struct Control {
    tables::ExactTable<sizeof(IPv4Address), Rewrite> entries{16};
  };
  struct State {
    std::uint64_t hits = 0;
    std::uint64_t misses = 0;
  };
  static constexpr Reason no_entry{0, "no_entry"};
  static constexpr Reason expired{1, "ttl_expired"};
  static constexpr auto drops = describe(no_entry, expired);
  using Reads = Fields<IPv4Valid>;
  using Writes = Fields<ParsedEthernet, ParsedIPv4, EgressPort>;

  static auto key(IPv4Address address) { return std::bit_cast<std::array<std::uint8_t, sizeof(IPv4Address)>>(address); }

  static Output process(auto& context, In, auto& packet) {
    if (!packet.template get<IPv4Valid>()) {
      packet.template set<EgressPort>(context.parameters().other);
      return to(0);
    }
    IPv4Header ip = packet.template get<ParsedIPv4>();
    const Rewrite* rewrite = context.control().entries.find(key(ip.destination));
    ++(rewrite == nullptr ? context.state().misses : context.state().hits);
    if (rewrite == nullptr) return drop(no_entry);
    if (ip.ttl <= 1) return drop(expired);
    --ip.ttl;
    ip.destination = rewrite->address;
    packet.template set<ParsedIPv4>(ip);
    packet.template set<ParsedEthernet>(
        {rewrite->destination, rewrite->source, packet.template get<ParsedEthernet>().type});
    packet.template set<EgressPort>(rewrite->port);
    return to(0);
  }

  static Refusal add(auto& element, std::string_view text) {
    const std::vector<std::string> words = split_words(text);
    IPv4Address match;
    Rewrite rewrite{};
    if (words.size() != 5 || parse(words[0], match) || parse(words[1], rewrite.source) ||
        parse(words[2], rewrite.destination) || parse(words[3], rewrite.address) || parse(words[4], rewrite.port))
      return "expected 'MATCH SRC DST ADDRESS PORT'";
    if (!element.control().entries.insert(key(match), rewrite)) return "the table is full, or has such an entry";
    return std::nullopt;
  }
  static Refusal remove(auto& element, std::string_view text) {
    IPv4Address match;
    if (auto wrong = parse(text, match)) return wrong;
    if (!element.control().entries.erase(key(match))) return "no such entry";
    return std::nullopt;
  }
  static constexpr auto handlers =
      describe(read("hits", &State::hits), read("misses", &State::misses),
               read("size", [](const auto& element) { return element.control().entries.size(); }),
               write("add", [](auto& element, std::string_view text) { return add(element, text); }),
               write("remove", [](auto& element, std::string_view text) { return remove(element, text); }));
};

struct P4Deparser {
  static constexpr ElementInfo info{.name = "P4Deparser", .ports = "1/-", .processing = "h/h"};
  static constexpr Reason no_headroom{0, "no_headroom"};
  static constexpr auto drops = describe(no_headroom);
  using Reads = Fields<ParsedEthernet, ParsedIPv4, IPv4Valid, EgressPort>;

  static Output process(auto&, In, auto& packet) {
    if (packet.template get<IPv4Valid>()) {
      if (!packet.push(sizeof(IPv4Header))) return drop(no_headroom);
      IPv4Header ip = packet.template get<ParsedIPv4>();
      ip.checksum = 0;
      ip.checksum = internet_checksum(&ip, sizeof(ip));
      *packet.template header<IPv4Header>() = ip;
    }
    if (!packet.push(sizeof(EthernetHeader))) return drop(no_headroom);
    *packet.template header<EthernetHeader>() = packet.template get<ParsedEthernet>();
    return to(packet.template get<EgressPort>());
  }
};

}  // namespace packetmill::testing
