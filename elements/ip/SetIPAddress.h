#pragma once

#include "elements/ip/address_annotation.h"
#include "runtime/effects.h"

namespace packetmill {

/// SetIPAddress: sets the destination annotation to one address.
///
/// Ports:     1 input, 1 output.
/// Keywords:  ADDR (mandatory; by place): the address.
///            ANNO (by place): another annotation to write.
/// Handlers:  addr (read/write).
/// See also:  GetIPAddress
struct SetIPAddress {
  static constexpr ElementInfo info{.name = "SetIPAddress"};

  struct Parameters {
    Annotation annotation = kDestinationAnnotation;
  };
  struct Control {
    IPv4Address address;
  };
  static constexpr auto keywords =
      describe(mandatory<&Control::address>("ADDR"), positional<&Parameters::annotation>("ANNO"));
  static void configure(Configuration& configuration, Parameters& parameters) {
    check_address_annotation(configuration, parameters.annotation);
  }
  static constexpr auto handlers = describe(read("addr", &Control::address), write("addr", &Control::address));
  using Writes = Fields<DestinationAddress, AnnotationArea>;
  template <class Field>
  static bool touches(const Parameters& parameters) {
    return touches_address_annotation<Field>(parameters.annotation);
  }

  static Effects effects(const auto&, int) { return {.sets = true}; }

  static Output process(auto& context, In, auto& packet) {
    set_address_annotation(packet, context.parameters().annotation, context.control().address);
    return to(0);
  }
};

}  // namespace packetmill
