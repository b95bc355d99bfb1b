#pragma once

#include "elements/ip/gateway_options.h"

namespace packetmill {

/// IPGWOptions: carries out the IPv4 options that concern every router on the way: Record Route and Timestamp (RFC 791,
/// 3.1). Belongs on the output path, where the outgoing interface's address is known (RFC 1812, 4.2.2.2).
///
/// Ports:     1 input, 1-2 outputs. Output 0: good packets. Output 1: packets with a wrong option, unchanged, with the
///            parameter-problem annotation on the wrong byte, as ICMPError wants it; dropped where it is not connected.
/// Needs:     the network header (CheckIPHeader).
/// Keywords:  MYADDR (mandatory; by place): the outgoing interface's address.
///            OTHERADDRS (by place): the router's other addresses, for timestamps at prespecified addresses.
/// Handlers:  drops (read): packets with a wrong option.
/// Drops:     bad_ip_header: none is marked, or it is not whole. bad_option.
/// See also:  ICMPError, IPOutputCombo
struct IPGWOptions {
  static constexpr ElementInfo info{.name = "IPGWOptions", .ports = "1/1-2", .processing = "a/ah"};

  struct Parameters {
    IPv4Address address;
    AddressList others;
  };
  static constexpr auto keywords =
      describe(mandatory<&Parameters::address>("MYADDR"), positional<&Parameters::others>("OTHERADDRS"));
  struct State {
    std::uint64_t bad_options = 0;
  };
  static constexpr auto handlers = describe(read("drops", &State::bad_options));
  static constexpr Reason bad_ip_header{0, "bad_ip_header"}, bad_option{1, "bad_option"};
  static constexpr auto drops = describe(bad_ip_header, bad_option);
  using Reads = Fields<NetworkHeader>;
  using Writes = Fields<IcmpParameterProblem>;

  static Output process(auto& context, In, auto& packet) {
    IPv4Header* ip = whole_ip_header(packet);
    if (ip == nullptr) return drop(bad_ip_header);
    if (ip->header_length() == sizeof(IPv4Header)) [[likely]]
      return to(0);
    const auto& parameters = context.parameters();
    const std::uint8_t wrong = process_gateway_options(*ip, {parameters.address, parameters.others}, context.now());
    if (wrong == 0) return to(0);
    packet.template set<IcmpParameterProblem>(wrong);
    ++context.state().bad_options;
    return context.connected(1) ? to(1) : drop(bad_option);
  }
};

}  // namespace packetmill
