#pragma once

#include <algorithm>

#include "runtime/effects.h"
#include "runtime/element.h"
#include "runtime/headers.h"

namespace packetmill {

/// EtherEncap: puts packets behind an Ethernet header that is always the same.
///
/// Ports:     1 input, 1 output.
/// Arguments: ETHERTYPE, SRC, DST (mandatory, by place or by name). ETHERTYPE is in host byte order.
/// Keywords:  REPLACE (default 0): how many bytes at the front the header takes the place of, as after Strip(REPLACE).
/// Handlers:  src, dst, ethertype (read/write).
/// Drops:     no_headroom: the packet fills its buffer.
/// Example:   EtherEncap(0x0800, 1:1:1:1:1:1, 2:2:2:2:2:2)
/// See also:  ARPQuerier, EtherRewrite
struct EtherEncap {
  static constexpr ElementInfo info{.name = "EtherEncap"};

  struct Parameters {
    std::uint32_t replace = 0;
  };
  struct Control {
    std::uint16_t type = 0;
    EthernetAddress source;
    EthernetAddress destination;
  };
  static constexpr auto keywords =
      describe(mandatory<&Control::type>("ETHERTYPE"), mandatory<&Control::source>("SRC"),
               mandatory<&Control::destination>("DST"), keyword<&Parameters::replace>("REPLACE"));
  static constexpr auto handlers = describe(read("src", &Control::source), write("src", &Control::source),
                                            read("dst", &Control::destination), write("dst", &Control::destination),
                                            read("ethertype", &Control::type), write("ethertype", &Control::type));
  static constexpr Reason no_headroom{0, "no_headroom"};
  static constexpr auto drops = describe(no_headroom);
  using Writes = Fields<MacHeader>;

  static Effects effects(const auto&, int) { return {.frame = Effects::Frame::written, .drops = true, .sets = true}; }
  static std::uint32_t least_length(const auto&, int) { return sizeof(EthernetHeader); }
  static std::optional<std::string> after_strip(const auto& parameters, std::string_view configuration,
                                                std::int64_t bytes) {
    if (parameters.replace > 0) return std::nullopt;
    return std::string(configuration) + ", REPLACE " + std::to_string(bytes);
  }

  static Output process(auto& context, In, auto& packet) {
    packet.pull(std::min(context.parameters().replace, packet.length()));
    if (!packet.push(sizeof(EthernetHeader))) return drop(no_headroom);
    const Control& control = context.control();
    auto* header = packet.template header<EthernetHeader>();
    header->destination = control.destination;  // one by one: a whole header would be put together on the stack first
    header->source = control.source;
    header->type = swap_network(control.type);
    packet.template set<MacHeader>(packet.headroom());
    return to(0);
  }
};

}  // namespace packetmill
