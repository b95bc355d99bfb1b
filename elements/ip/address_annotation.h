#pragma once

#include <cstring>

#include "runtime/element.h"

/// GetIPAddress and SetIPAddress write the destination annotation, or four bytes elsewhere in the annotation area.
namespace packetmill {

/// The destination annotation's own place, which needs no annotation area.
inline constexpr Annotation kDestinationAnnotation{DestinationAddress::kAnnotation, sizeof(IPv4Address)};

inline void check_address_annotation(Configuration& configuration, Annotation annotation) {
  if (annotation.size != 0 && annotation.size != sizeof(IPv4Address))
    configuration.error("ANNO: an address takes 4 bytes, not " + std::to_string(annotation.size));
  else if (annotation.offset + sizeof(IPv4Address) > kAnnotationArea)
    configuration.error("ANNO: out of range, bound " + std::to_string(kAnnotationArea - sizeof(IPv4Address)));
}

/// See `touches` in runtime/element.h.
template <class Field>
bool touches_address_annotation(Annotation annotation) {
  const bool own_place = annotation.offset == kDestinationAnnotation.offset;
  return !std::is_same_v<Field, AnnotationArea> ? !std::is_same_v<Field, DestinationAddress> || own_place : !own_place;
}

void set_address_annotation(auto& packet, Annotation annotation, IPv4Address address) {
  if (annotation.offset == kDestinationAnnotation.offset)
    packet.template set<DestinationAddress>(address);
  else
    std::memcpy(packet.annotations() + annotation.offset, &address, sizeof(address));
}

}  // namespace packetmill
