#pragma once

#include <optional>
#include <string_view>

#include "engine/node.h"
#include "graph/passes/facts.h"
#include "ir/reflect.h"
#include "runtime/effects.h"
#include "runtime/element.h"

/// What element class E says of itself, as passes ask for it; the build makes the table of all classes (mill/hooks.h).
namespace packetmill::mill {

/// Where a metadata field lies among the parts of a packet: annotations by their bytes, since some share them.
[[nodiscard]] Parts parts_of_field(std::string_view name, int annotation, std::size_t bytes);

template <class E, class... F>
Parts parts_of(Fields<F...>, [[maybe_unused]] const ParametersOf<E>& parameters, bool with_area) {
  Parts parts;
  const auto add = [&]<class Field>(Field) {
    if constexpr (requires { E::template touches<Field>(parameters); })
      if (!E::template touches<Field>(parameters)) return;
    if constexpr (std::is_same_v<Field, AnnotationArea>) {
      if (with_area) parts |= parts_of_field({}, 0, kAnnotationBytes);
    } else {
      parts |= parts_of_field(ir::type_text<Field>(), Field::kAnnotation, sizeof(typename Field::Type));
    }
  };
  (add(F{}), ...);
  return parts;
}

template <class E>
void describe_effects(const engine::Node& node, Facts& facts) {
  const auto& parameters = *static_cast<const ParametersOf<E>*>(node.parameters());
  const int outputs = static_cast<int>(node.output_is_pull.size());
  const Parts written = parts_of<E>(typename packetmill::detail::WritesOf<E>::Type(), parameters, true);
  facts.reads = parts_of<E>(typename packetmill::detail::ReadsOf<E>::Type(), parameters, true);
  facts.writes = written;
  std::optional<Effects> effects;
  if constexpr (requires { E::effects(parameters, outputs); }) effects = E::effects(parameters, outputs);
  if (effects) {
    facts.known = true;
    facts.drops = effects->drops;
    facts.observable = effects->observable;
    facts.front = effects->front;
    if (effects->sets) facts.sets = parts_of<E>(typename packetmill::detail::WritesOf<E>::Type(), parameters, false);
  }
  const bool frame_written = !effects || effects->frame == Effects::Frame::written;
  facts.reads[kFramePart] = frame_written || effects->frame == Effects::Frame::read;
  facts.writes[kFramePart] = frame_written;
  facts.keeps_bytes = !frame_written;
  if constexpr (requires { E::keeps_bytes; }) facts.keeps_bytes = E::keeps_bytes;
  if (!effects || !effects->sets) facts.reads |= written;  // an element may read what it writes
  for (int output = 0; output < outputs; ++output) {
    if constexpr (requires { E::least_length(parameters, output); })
      facts.least.push_back(E::least_length(parameters, output));
    else
      facts.least.push_back(0);
  }
  if constexpr (requires { E::after_strip(parameters, node.configuration, 0); })
    facts.after_strip = [&node](std::int64_t bytes) {
      return E::after_strip(*static_cast<const ParametersOf<E>*>(node.parameters()), node.configuration, bytes);
    };
}

}  // namespace packetmill::mill
