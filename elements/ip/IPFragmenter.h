#pragma once

#include <algorithm>
#include <cstring>

#include "runtime/checksum.h"
#include "runtime/element.h"
#include "runtime/headers.h"
#include "runtime/pool.h"

namespace packetmill {

/// IPFragmenter: cuts IPv4 packets that are longer than the MTU into fragments (RFC 791, 3.2), first fragment first.
///
/// Ports:     1 input, 1-2 outputs. Output 0: packets of at most MTU bytes, each with all annotations of the packet it
///            comes from. Output 1: packets that may not be fragmented (DF), and those whose header leaves no room for
///            8 bytes of data, unchanged; dropped where it is not connected.
/// Needs:     the network header. What lies in front of it (an Ethernet header) only the first fragment keeps: Strip
///            it.
/// Keywords:  MTU (mandatory, by place): at least 8. HONOR_DF (default true): false fragments in spite of DF, which the
///            fragments then do not have. VERBOSE (default false): a message for every packet with DF, instead of the
///            first 5. HEADROOM (default 128): in front of each fragment.
/// Handlers:  drops (read): packets for output 1. fragments (read): fragments made.
/// Drops:     no_ip_header, bad_ip_header (lengths or fragment offset out of bounds).
/// Example:   ... -> fr :: IPFragmenter(1500) -> ...;  fr[1] -> ICMPError(18.26.4.24, unreachable, needfrag) -> ...
/// See also:  ICMPError, CheckIPHeader
struct IPFragmenter {
  static constexpr ElementInfo info{.name = "IPFragmenter", .ports = "1/1-2", .processing = "h/h"};
  static constexpr bool emits = true;

  struct Parameters {
    std::uint32_t mtu = 0;
    bool honor_df = true;
    bool verbose = false;
    std::uint32_t headroom = kHeadroom;
  };
  struct State {
    std::uint64_t refused = 0;
    std::uint64_t fragments = 0;
  };
  static constexpr auto keywords =
      describe(mandatory<&Parameters::mtu>("MTU"), keyword<&Parameters::honor_df>("HONOR_DF"),
               keyword<&Parameters::verbose>("VERBOSE"), keyword<&Parameters::headroom>("HEADROOM"));
  static constexpr auto handlers = describe(read("drops", &State::refused), read("fragments", &State::fragments));
  static constexpr Reason no_ip_header{0, "no_ip_header"};
  static constexpr Reason bad_ip_header{1, "bad_ip_header"};
  static constexpr auto drops = describe(no_ip_header, bad_ip_header);
  using Reads = Fields<NetworkHeader>;
  using Writes = Fields<MacHeader, NetworkHeader, TransportHeader>;

  static constexpr std::uint32_t kUnit = 8;  ///< fragment offsets count these
  static constexpr std::uint32_t kMostHeadroom = 16384;

  static void configure(Configuration& configuration, Parameters& parameters) {
    if (parameters.mtu < kUnit) configuration.error("MTU must be at least 8");
    if (parameters.headroom == 0 || parameters.headroom > kMostHeadroom)
      configuration.error("HEADROOM must be between 1 and " + std::to_string(kMostHeadroom));
  }

  static Output process(auto& context, In, auto& packet) {
    const auto* ip = packet.template header_at<IPv4Header, NetworkHeader>();
    if (ip == nullptr) return drop(no_ip_header);
    const std::uint32_t header_length = ip->header_length();
    const std::uint32_t total_length = swap_network(ip->total_length);
    if (total_length <= context.parameters().mtu) return to(0);

    const std::uint16_t flags = swap_network(ip->fragment);
    const std::uint32_t end = (flags & kFragmentOffset) * kUnit + total_length - header_length;
    if (header_length < sizeof(IPv4Header) || total_length < header_length || end > 65535 ||
        packet.template offset_of<NetworkHeader>() + total_length > packet.length())
      return drop(bad_ip_header);
    const bool unfragmentable = (flags & kDontFragment) != 0 && context.parameters().honor_df;
    if (unfragmentable || context.parameters().mtu < header_length + kUnit) return refuse(context, *ip);
    fragment(context, packet, *ip);
    return consumed();
  }

  static Output refuse(auto& context, const IPv4Header& ip) {
    constexpr std::uint64_t kFirstMessages = 5;
    if (context.parameters().verbose || context.state().refused < kFirstMessages)
      context.message("IPFragmenter(" + std::to_string(context.parameters().mtu) + ") DF " + to_string(ip.source) +
                      " " + to_string(ip.destination) + " len=" + std::to_string(swap_network(ip.total_length)));
    ++context.state().refused;
    return to(1);
  }

  static void fragment(auto& context, auto& packet, const IPv4Header& ip) {
    const auto* options = reinterpret_cast<const std::uint8_t*>(&ip + 1);
    const auto options_length = static_cast<std::uint32_t>(ip.header_length() - sizeof(IPv4Header));
    const auto* data = options + options_length;
    const std::uint32_t data_length = swap_network(ip.total_length) - ip.header_length();
    const CopiedOptions copied = copied_options(options, options_length);
    const std::int64_t front = std::max<std::int64_t>(packet.template offset_of<NetworkHeader>(), 0);
    for (std::uint32_t done = 0, length = 0; done < data_length; done += length) {
      const bool first = done == 0;
      const auto in_front = first ? static_cast<std::uint32_t>(front) : 0;
      const std::uint32_t header_length =
          static_cast<std::uint32_t>(sizeof(IPv4Header)) + (first ? options_length : copied.length);
      length = std::min((context.parameters().mtu - header_length) / kUnit * kUnit, data_length - done);
      auto piece = context.generate_like(packet, in_front + header_length + length, context.parameters().headroom);
      if (!piece) return;
      auto view = context.view(piece);
      std::memcpy(view.data(), packet.data(), in_front);
      auto* header = view.template header<IPv4Header>(in_front);
      *header = ip;
      std::memcpy(header + 1, first ? options : copied.bytes.data(), header_length - sizeof(IPv4Header));
      std::memcpy(view.data() + in_front + header_length, data + done, length);

      header->version_and_length = static_cast<std::uint8_t>(0x40 | header_length / 4);
      header->total_length = swap_network(static_cast<std::uint16_t>(header_length + length));
      // The offset cannot carry into the flags: bad_ip_header. MF stays set where the packet was a fragment itself.
      const bool last = done + length == data_length;
      const auto flags = static_cast<std::uint16_t>(swap_network(ip.fragment) & ~kDontFragment);
      header->fragment = swap_network(static_cast<std::uint16_t>((flags + done / kUnit) | (last ? 0 : kMoreFragments)));
      header->checksum = 0;
      header->checksum = internet_checksum(header, header_length);

      view.template set<MacHeader>(in_front == 0 ? 0 : view.headroom());
      view.template set<NetworkHeader>(view.headroom() + in_front);
      view.template set<TransportHeader>(view.headroom() + in_front + header_length);
      ++context.state().fragments;
      context.emit(0, std::move(piece));
    }
  }

  /// RFC 791, 3.1, "Options": those with the copied flag are in every fragment, the others in the first only.
  struct CopiedOptions {
    std::array<std::uint8_t, 40> bytes{};
    std::uint32_t length = 0;
  };
  static CopiedOptions copied_options(const std::uint8_t* options, std::uint32_t length) {
    constexpr std::uint8_t kEnd = 0;
    constexpr std::uint8_t kNoOperation = 1;
    constexpr std::uint8_t kCopied = 0x80;
    CopiedOptions copied;
    for (std::uint32_t at = 0; at < length && options[at] != kEnd;) {
      if (options[at] == kNoOperation) {
        ++at;
        continue;
      }
      const std::uint32_t size = at + 1 < length ? options[at + 1] : 0;
      if (size < 2 || size > length - at) break;  // what is malformed is not copied, nor what follows it
      if ((options[at] & kCopied) != 0) {
        std::memcpy(copied.bytes.data() + copied.length, options + at, size);
        copied.length += size;
      }
      at += size;
    }
    copied.length = (copied.length + 3) / 4 * 4;  // the rest reads as "end of option list"
    return copied;
  }
};

}  // namespace packetmill
