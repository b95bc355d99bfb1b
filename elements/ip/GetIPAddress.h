#pragma once

#include "elements/ip/address_annotation.h"
#include "runtime/effects.h"
#include "runtime/headers.h"

namespace packetmill {

/// GetIPAddress: copies an address from the packet into its destination annotation.
///
/// Ports:     1 input, 1 output.
/// Keywords:  OFFSET (by place): where in the packet the four bytes lie; 16 in an IPv4 packet. A packet that has not
///            all of them keeps its annotation. ANNO (by place): another annotation to write. IP: "src" or "dst"
///            instead of OFFSET: the address of that name in the IPv4 header. Needs the network header.
/// See also:  SetIPAddress, ARPQuerier, StaticIPLookup
struct GetIPAddress {
  static constexpr ElementInfo info{.name = "GetIPAddress"};

  /// Which address of the header; none: the one at OFFSET.
  struct End {
    static constexpr std::string_view kTypeName = "'src' or 'dst'";
    enum Value : std::uint8_t { none, source, destination };
    Value value = none;
    friend ParseError parse(std::string_view text, End& out, const Names&) {
      if (text != "src" && text != "dst") return "should be 'src' or 'dst'";
      out.value = text == "src" ? source : destination;
      return {};
    }
  };
  struct Parameters {
    std::optional<std::uint32_t> offset;
    Annotation annotation = kDestinationAnnotation;
    End end;
  };
  static constexpr auto keywords =
      describe(positional<&Parameters::offset>("OFFSET"), positional<&Parameters::annotation>("ANNO"),
               keyword<&Parameters::end>("IP"));
  static void configure(Configuration& configuration, Parameters& parameters) {
    check_address_annotation(configuration, parameters.annotation);
    const bool by_offset = parameters.offset.has_value();
    const bool by_name = parameters.end.value != End::none;
    if (!by_offset && !by_name) configuration.error("OFFSET: required argument missing");
    if (by_offset && by_name) configuration.error("give either OFFSET or IP");
  }
  using Reads = Fields<NetworkHeader>;
  using Writes = Fields<DestinationAddress, AnnotationArea>;
  template <class Field>
  static bool touches(const Parameters& parameters) {
    return touches_address_annotation<Field>(parameters.annotation);
  }

  static Effects effects(const auto&, int) { return {.frame = Effects::Frame::read}; }

  static Output process(auto& context, In, auto& packet) {
    const auto& parameters = context.parameters();
    const IPv4Address* address = nullptr;
    if (parameters.end.value == End::none) {
      address = packet.template header<IPv4Address>(parameters.offset.value_or(0));
    } else if (const auto* ip = packet.template header_at<IPv4Header, NetworkHeader>()) {
      address = parameters.end.value == End::source ? &ip->source : &ip->destination;
    }
    if (address != nullptr) set_address_annotation(packet, parameters.annotation, *address);
    return to(0);
  }
};

}  // namespace packetmill
