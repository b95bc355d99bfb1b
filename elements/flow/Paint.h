#pragma once

#include "elements/flow/paint_annotation.h"
#include "runtime/effects.h"

namespace packetmill {

/// Paint: marks packets with a colour.
///
/// Ports:     1 input, 1 output.
/// Keywords:  COLOR (mandatory): 0 to 255. ANNO (default PAINT): the annotation that gets it, of one byte.
/// Handlers:  color (read/write).
/// Example:   FromDPDKDevice(0) -> Paint(1) -> ...
/// See also:  PaintTee, PaintSwitch
struct Paint {
  static constexpr ElementInfo info{.name = "Paint"};

  struct Parameters {
    PaintPlace place;
  };
  struct Control {
    std::uint8_t color = 0;
  };
  static constexpr auto keywords =
      describe(mandatory<&Control::color>("COLOR"), positional<&Parameters::place>("ANNO"));
  static constexpr auto handlers = describe(read("color", &Control::color), write("color", &Control::color));
  using Writes = Fields<PaintColor, AnnotationArea>;
  template <class Field>
  static bool touches(const Parameters& parameters) {
    return parameters.place.touches<Field>();
  }

  static Effects effects(const auto&, int) { return {.sets = true}; }

  static Output process(auto& context, In, auto& packet) {
    set_paint(packet, context.parameters().place, context.control().color);
    return to(0);
  }
};

}  // namespace packetmill
