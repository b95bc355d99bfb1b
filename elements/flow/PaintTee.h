#pragma once

#include "elements/flow/paint_annotation.h"

namespace packetmill {

/// PaintTee: passes every packet, and sends a copy of those of one colour to its second output.
///
/// Ports:     1 input, 2 outputs. Output 0: the packets. Output 1 (push): a copy of each whose colour is COLOR, before
///            the packet itself goes on.
/// Keywords:  COLOR (mandatory): 0 to 255. ANNO (default PAINT): the annotation that holds the colour, of one byte.
/// Handlers:  color (read/write).
/// Drops:     no_buffer: there was no buffer for a copy; the packet goes on.
/// Example:   rt [1] -> pt :: PaintTee(1) -> ...; pt [1] -> ICMPError(18.26.4.24, redirect, host) -> rt;
/// See also:  Paint, PaintSwitch, ICMPError
struct PaintTee {
  static constexpr ElementInfo info{.name = "PaintTee", .ports = "1/2", .processing = "a/ah"};
  static constexpr bool emits = true;

  struct Parameters {
    PaintPlace place;
  };
  struct Control {
    std::uint8_t color = 0;
  };
  static constexpr auto keywords =
      describe(mandatory<&Control::color>("COLOR"), positional<&Parameters::place>("ANNO"));
  static constexpr auto handlers = describe(read("color", &Control::color), write("color", &Control::color));
  using Reads = Fields<PaintColor, AnnotationArea>;
  template <class Field>
  static bool touches(const Parameters& parameters) {
    return parameters.place.touches<Field>();
  }

  static Output process(auto& context, In, auto& packet) {
    if (get_paint(packet, context.parameters().place) == context.control().color)
      if (auto copy = context.clone(packet)) context.emit(1, std::move(copy));
    return to(0);
  }
};

}  // namespace packetmill
