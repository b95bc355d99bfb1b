#pragma once

#include "elements/ip/DropBroadcasts.h"
#include "elements/ip/gateway_options.h"

namespace packetmill {

/// IPOutputCombo: what an IP router does on its output path, in one element. The same as
///
///   DropBroadcasts -> p :: PaintTee(COLOR) -> g :: IPGWOptions(IPADDR) -> FixIPSrc(IPADDR)
///     -> d :: DecIPTTL -> l :: CheckLength(MTU) -> [0]output;
///   p[1] -> [1]output;  g[1] -> [2]output;  d[1] -> [3]output;  l[1] -> [4]output;
///
/// Ports:     1 input, 5 outputs (push). Output 0: packets to send. Output 1: copies of packets that leave where they
///            came from. Output 2: packets with a wrong option. Output 3: expired packets. Output 4: packets longer
///            than MTU.
/// Needs:     the network header (CheckIPHeader); the paint annotation (Paint).
/// Keywords:  COLOR, IPADDR, MTU (mandatory; by place).
/// Drops:     link_broadcast; bad_ip_header: none is marked, or it is not whole.
/// See also:  DropBroadcasts, PaintTee, IPGWOptions, FixIPSrc, DecIPTTL, CheckLength, IPFragmenter
struct IPOutputCombo {
  static constexpr ElementInfo info{.name = "IPOutputCombo", .ports = "1/5", .processing = "h/h"};
  static constexpr bool emits = true;
  static constexpr int rare_from = 1;

  struct Parameters {
    std::uint8_t color = 0;
    IPv4Address address;
    std::uint32_t mtu = 0;
  };
  static constexpr auto keywords =
      describe(mandatory<&Parameters::color>("COLOR"), mandatory<&Parameters::address>("IPADDR"),
               mandatory<&Parameters::mtu>("MTU"));
  static constexpr Reason link_broadcast{0, "link_broadcast"}, bad_ip_header{1, "bad_ip_header"};
  static constexpr auto drops = describe(link_broadcast, bad_ip_header);
  using Reads = Fields<Kind, PaintColor, NetworkHeader>;
  using Writes = Fields<IcmpParameterProblem, FixIpSource>;

  static Output process(auto& context, In, auto& packet) {
    const auto& parameters = context.parameters();
    if (is_link_broadcast(packet.template get<Kind>())) [[unlikely]]
      return drop(link_broadcast);
    if (packet.template get<PaintColor>() == parameters.color) [[unlikely]]
      if (auto copy = context.clone(packet)) context.emit(1, std::move(copy));

    IPv4Header* ip = whole_ip_header(packet);
    if (ip == nullptr) [[unlikely]]
      return drop(bad_ip_header);
    if (ip->header_length() > sizeof(IPv4Header)) [[unlikely]] {
      if (const std::uint8_t wrong = process_gateway_options(*ip, {parameters.address, {}}, context.now())) {
        packet.template set<IcmpParameterProblem>(wrong);
        return to(2);
      }
    }
    if (packet.template get<FixIpSource>() != 0) [[unlikely]] {
      packet.template set<FixIpSource>(0);
      ip->source = parameters.address;
      set_header_checksum(*ip);
    }
    if (ip->ttl <= 1) [[unlikely]]
      return to(3);
    decrement_ttl(*ip);
    return to(packet.length() > parameters.mtu ? 4 : 0);
  }
};

}  // namespace packetmill
