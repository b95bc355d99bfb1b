#pragma once

#include "elements/flow/paint_annotation.h"

namespace packetmill {

/// PaintSwitch: sends each packet to the output that its colour says.
///
/// Ports:     1 push input, any number of push outputs. A packet of colour K goes to output K; one of colour 255 goes,
///            as copies, to all outputs.
/// Keywords:  ANNO (default PAINT): the annotation that holds the colour, of one byte.
/// Drops:     no_such_output; no_buffer: there was no buffer for a copy.
/// See also:  Paint, Switch
struct PaintSwitch {
  static constexpr ElementInfo info{.name = "PaintSwitch", .ports = "1/-", .processing = "h/h"};
  static constexpr bool emits = true;

  struct Parameters {
    PaintPlace place;
  };
  static constexpr auto keywords = describe(positional<&Parameters::place>("ANNO"));
  static constexpr Reason no_such_output{0, "no_such_output"};
  static constexpr auto drops = describe(no_such_output);
  using Reads = Fields<PaintColor, AnnotationArea>;
  template <class Field>
  static bool touches(const Parameters& parameters) {
    return parameters.place.touches<Field>();
  }

  static Output process(auto& context, In, auto& packet) {
    constexpr std::uint8_t everywhere = 255;
    const int last = context.outputs() - 1;
    const std::uint8_t color = get_paint(packet, context.parameters().place);
    if (color != everywhere) return color <= last ? to(color) : drop(no_such_output);
    for (int port = 0; port < last; ++port)
      if (auto copy = context.clone(packet)) context.emit(port, std::move(copy));
    return last >= 0 ? to(last) : drop(no_such_output);
  }
};

}  // namespace packetmill
