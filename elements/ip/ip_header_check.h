#pragma once

#include "elements/ip/address_list.h"
#include "elements/ip/header_check.h"
#include "runtime/checksum.h"
#include "runtime/effects.h"

namespace packetmill {

/// CheckIPHeader's first argument: where the header begins, or, in Click's old syntax, the addresses that no packet may
/// come from.
struct OffsetOrAddresses {
  static constexpr std::string_view kTypeName = "unsigned";
  std::uint32_t offset = 0;
  bool old_syntax = false;
  AddressList addresses;
};
ParseError parse(std::string_view text, OffsetOrAddresses& out, const Names& names = kNoNames);

/// Adds to BADSRC and GOODDST what INTERFACES and the old syntax say.
void add_addresses(Configuration& configuration, OffsetOrAddresses& first, const PrefixList& interfaces,
                   AddressList& bad_sources, AddressList& good_destinations);

/// CheckIPHeader and CheckIPHeader2, which differ in CHECKSUM's default.
template <bool ChecksumByDefault>
struct IPHeaderCheck {
  struct Parameters {
    OffsetOrAddresses first;
    PrefixList interfaces;
    AddressList bad_sources;        ///< BADSRC and the broadcast addresses of INTERFACES
    AddressList good_destinations;  ///< GOODDST and the addresses of INTERFACES
    bool checksum = ChecksumByDefault;
    bool verbose = false;
    bool details = false;
  };
  static constexpr auto keywords =
      describe(positional<&Parameters::first>("OFFSET"), keyword<&Parameters::interfaces>("INTERFACES"),
               keyword<&Parameters::bad_sources>("BADSRC"), keyword<&Parameters::good_destinations>("GOODDST"),
               keyword<&Parameters::checksum>("CHECKSUM"), keyword<&Parameters::verbose>("VERBOSE"),
               keyword<&Parameters::details>("DETAILS"));
  static void configure(Configuration& configuration, Parameters& parameters) {
    add_addresses(configuration, parameters.first, parameters.interfaces, parameters.bad_sources,
                  parameters.good_destinations);
  }

  static constexpr Reason tiny{0, "tiny_packet"}, bad_version{1, "bad_ip_version"},
      bad_header_length{2, "bad_ip_header_length"}, bad_length{3, "bad_ip_length"}, bad_checksum{4, "bad_ip_checksum"},
      bad_source{5, "bad_source_address"};
  static constexpr auto drops = describe(tiny, bad_version, bad_header_length, bad_length, bad_checksum, bad_source);
  static constexpr std::string_view subject = "IP";
  static constexpr std::array<std::string_view, 6> texts{"tiny packet",   "bad IP version",  "bad IP header length",
                                                         "bad IP length", "bad IP checksum", "bad source address"};
  using State = HeaderCheckState<6>;
  static constexpr auto handlers = header_check_handlers<IPHeaderCheck>();
  using Reads = Fields<CheckedHeader>;
  using Writes = Fields<NetworkHeader, TransportHeader, DestinationAddress>;

  static constexpr bool keeps_bytes = true;  // padding that is cut off stays where it is

  static Effects effects(const auto&, int) {
    return {.frame = Effects::Frame::written, .drops = true, .observable = true, .sets = true};
  }
  static std::uint32_t least_length(const auto& parameters, int output) {
    return output == 0 ? parameters.first.offset + static_cast<std::uint32_t>(sizeof(IPv4Header)) : 0;
  }

  static Output process(auto& context, In, auto& packet) {
    const auto& parameters = context.parameters();
    const std::uint32_t offset = parameters.first.offset;
    const auto* ip = packet.template header<IPv4Header>(offset);
    if (ip == nullptr) [[unlikely]]
      return refuse<IPHeaderCheck>(context, tiny);
    if (ip->version() != 4) [[unlikely]]
      return refuse<IPHeaderCheck>(context, bad_version);
    const unsigned header_length = ip->header_length();
    if (header_length < sizeof(IPv4Header)) [[unlikely]]
      return refuse<IPHeaderCheck>(context, bad_header_length);
    const unsigned length = swap_network(ip->total_length);
    const std::uint32_t available = packet.length() - offset;
    if (length > available || length < header_length) [[unlikely]]
      return refuse<IPHeaderCheck>(context, bad_length);
    if (parameters.checksum && !found_right(context, packet, offset) && !header_checksum_right(*ip, header_length))
        [[unlikely]]
      return refuse<IPHeaderCheck>(context, bad_checksum);
    if (parameters.bad_sources.contains(ip->source) && !parameters.good_destinations.contains(ip->destination))
        [[unlikely]]
      return refuse<IPHeaderCheck>(context, bad_source);

    const std::uint32_t position = packet.headroom() + offset;
    packet.template set<NetworkHeader>(position);
    packet.template set<TransportHeader>(position + header_length);
    packet.template set<DestinationAddress>(ip->destination);
    if (available > length) packet.take(available - length);
    ++context.state().count;
    return to(0);
  }

 private:
  /// The NIC has summed it up already.
  static bool found_right(const auto& context, const auto& packet, std::uint32_t offset) {
    if constexpr (std::remove_cvref_t<decltype(context)>::trusts_nic)
      return nic_found<CheckedHeader>(packet, packet.headroom() + offset);
    else
      return false;
  }
  /// `length` bytes of header are in the packet. Without options, which is nearly always, the loop is unrolled.
  static bool header_checksum_right(const IPv4Header& ip, unsigned length) {
    if (length == sizeof(IPv4Header)) [[likely]]
      return fold(ones_sum(&ip, sizeof(IPv4Header))) == 0xffff;
    return fold(ones_sum(&ip, length)) == 0xffff;
  }
};

}  // namespace packetmill
