#pragma once

#include "runtime/element.h"

namespace packetmill {

/// Which byte Paint and its kind work on: PAINT, unless ANNO names another annotation of one byte.
struct PaintPlace {
  static constexpr std::string_view kTypeName = "annotation";
  std::uint8_t offset = PaintColor::kAnnotation;

  /// See `touches` in runtime/element.h.
  template <class Field>
  [[nodiscard]] bool touches() const {
    return std::is_same_v<Field, PaintColor> == (offset == PaintColor::kAnnotation);
  }
};
inline ParseError parse(std::string_view text, PaintPlace& out, const Names& names = kNoNames) {
  Annotation annotation;
  if (auto wrong = parse(text, annotation, names)) return wrong;
  if (annotation.size > 1) return "annotation of one byte expected";
  out.offset = annotation.offset;
  return {};
}

/// PAINT is a field like any other; only another place needs the annotation area.
std::uint8_t get_paint(const auto& packet, PaintPlace place) {
  if (place.offset == PaintColor::kAnnotation) [[likely]]
    return packet.template get<PaintColor>();
  return packet.annotations()[place.offset];
}
void set_paint(auto& packet, PaintPlace place, std::uint8_t color) {
  if (place.offset == PaintColor::kAnnotation) [[likely]]
    packet.template set<PaintColor>(color);
  else
    packet.annotations()[place.offset] = color;
}

}  // namespace packetmill
