#pragma once

#include "runtime/keyword.h"
#include "runtime/values/parse.h"

namespace packetmill {

/// IEEE 802.1Q: the tag control information is priority (3 bits), drop eligibility (1 bit) and VLAN (12 bits). Host
/// byte order.
inline constexpr std::uint16_t kVlanIdMask = 0x0fff;
inline constexpr unsigned kVlanPriorityShift = 13;
constexpr std::uint16_t vlan_id_of(std::uint16_t tci) { return tci & kVlanIdMask; }
constexpr std::uint16_t vlan_priority_of(std::uint16_t tci) {
  return static_cast<std::uint16_t>(tci >> kVlanPriorityShift);
}
constexpr std::uint16_t with_vlan_id(std::uint16_t tci, std::uint16_t id) {
  return static_cast<std::uint16_t>((tci & ~kVlanIdMask) | id);
}
constexpr std::uint16_t with_vlan_priority(std::uint16_t tci, std::uint16_t priority) {
  return static_cast<std::uint16_t>((tci & 0x1fff) | priority << kVlanPriorityShift);
}

/// A number with bounds of its own.
template <std::int32_t Least, std::int32_t Most>
struct VlanNumber {
  static constexpr std::string_view kTypeName = "unsigned";
  std::int32_t value = 0;
};
template <std::int32_t Least, std::int32_t Most>
ParseError parse(std::string_view text, VlanNumber<Least, Most>& out, const Names& names) {
  std::int32_t value = 0;
  if (ParseError wrong = parse(text, value, names)) return wrong;
  if (value < Least || value > Most)
    return "out of range, bounds " + std::to_string(Least) + " and " + std::to_string(Most);
  out.value = value;
  return std::nullopt;
}
using VlanId = VlanNumber<0, 0xfff>;
using VlanPriority = VlanNumber<0, 7>;
using NativeVlan = VlanNumber<-1, 0xfff>;

/// A whole TCI, or "ANNO": that of the packet's annotation.
struct VlanTciSource {
  static constexpr std::string_view kTypeName = "VLAN TCI or ANNO";
  std::uint16_t tci = 0;
  bool annotation = false;
};
inline ParseError parse(std::string_view text, VlanTciSource& out, const Names& names) {
  std::uint16_t tci = 0;
  if (text == "ANNO")
    out = {0, true};
  else if (ParseError wrong = parse(text, tci, names))
    return wrong;
  else
    out = {tci, false};
  return std::nullopt;
}

/// "Exactly one of VLAN_ID and VLAN_TCI must be set", and VLAN_PCP may come with either: the TCI that they make.
inline std::uint16_t configured_tci(Configuration& configuration, std::optional<VlanTciSource> source,
                                    std::optional<VlanId> id, std::optional<VlanPriority> priority) {
  if (source.has_value() == id.has_value()) configuration.error("exactly one of VLAN_TCI and VLAN_ID must be set");
  if (source && source->annotation && priority) configuration.error("VLAN_PCP cannot be set with VLAN_TCI ANNO");
  std::uint16_t tci = source ? source->tci : 0;
  if (id) tci = with_vlan_id(tci, static_cast<std::uint16_t>(id->value));
  if (priority) tci = with_vlan_priority(tci, static_cast<std::uint16_t>(priority->value));
  return tci;
}

/// Handlers `vlan_tci`, `vlan_id` and `vlan_pcp` over Control::tci.
template <class Control>
constexpr auto vlan_handlers() {
  return describe(
      read("vlan_tci", &Control::tci), write("vlan_tci", &Control::tci),
      read("vlan_id", [](const auto& element) { return vlan_id_of(element.control().tci); }),
      write("vlan_id",
            [](auto& element, std::string_view text) -> Refusal {
              VlanId id;
              if (const auto wrong = parse(text, id, kNoNames)) return wrong;
              element.control().tci = with_vlan_id(element.control().tci, static_cast<std::uint16_t>(id.value));
              return std::nullopt;
            }),
      read("vlan_pcp", [](const auto& element) { return vlan_priority_of(element.control().tci); }),
      write("vlan_pcp", [](auto& element, std::string_view text) -> Refusal {
        VlanPriority priority;
        if (const auto wrong = parse(text, priority, kNoNames)) return wrong;
        element.control().tci = with_vlan_priority(element.control().tci, static_cast<std::uint16_t>(priority.value));
        return std::nullopt;
      }));
}

}  // namespace packetmill
