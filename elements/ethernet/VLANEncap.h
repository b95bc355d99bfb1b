#pragma once

#include <cstring>

#include "elements/ethernet/vlan_tci.h"
#include "runtime/element.h"
#include "runtime/headers.h"

namespace packetmill {

/// VLANEncap: puts an IEEE 802.1Q tag into Ethernet frames.
///
/// Ports:     1 input, 1 output.
/// Keywords:  VLAN_TCI (by place or by name): the whole tag, or ANNO: the packet's VLAN TCI annotation. VLAN_PCP (by
///            place or by name): its priority, 0 to 7. VLAN_ID: its VLAN, 0 to 0xFFF. One of VLAN_TCI and VLAN_ID is
///            mandatory, and only one. NATIVE_VLAN (default 0): frames of this VLAN get no tag; -1: none is native.
///            ETHERTYPE (default 0x8100): the tag's type; 0x88a8 for 802.1ad service tags.
/// Handlers:  vlan_tci, vlan_id, vlan_pcp (read/write): without effect on ANNO.
/// Drops:     too_short: less than two Ethernet addresses. no_headroom: the frame fills its buffer.
/// See also:  VLANDecap, SetVLANAnno
struct VLANEncap {
  static constexpr ElementInfo info{.name = "VLANEncap"};

  struct Parameters {
    std::optional<VlanTciSource> source;
    std::optional<VlanPriority> priority;
    std::optional<VlanId> id;
    NativeVlan native{0};
    std::uint16_t type = kEthernetVlan;
    std::uint16_t tci = 0;
  };
  struct Control {
    std::uint16_t tci = 0;
  };
  static constexpr auto keywords =
      describe(positional<&Parameters::source>("VLAN_TCI"), positional<&Parameters::priority>("VLAN_PCP"),
               keyword<&Parameters::id>("VLAN_ID"), keyword<&Parameters::native>("NATIVE_VLAN"),
               keyword<&Parameters::type>("ETHERTYPE"));
  static constexpr auto handlers = vlan_handlers<Control>();
  static constexpr Reason too_short{0, "too_short"};
  static constexpr Reason no_headroom{1, "no_headroom"};
  static constexpr auto drops = describe(too_short, no_headroom);
  using Reads = Fields<VlanTci>;
  using Writes = Fields<MacHeader>;

  static void configure(Configuration& configuration, Parameters& parameters) {
    parameters.tci = configured_tci(configuration, parameters.source, parameters.id, parameters.priority);
  }
  static Refusal initialize(auto& element) {
    element.control().tci = element.parameters().tci;
    return std::nullopt;
  }

  static Output process(auto& context, In, auto& packet) {
    const Parameters& parameters = context.parameters();
    const bool annotation = parameters.source && parameters.source->annotation;
    const std::uint16_t tci = annotation ? swap_network(packet.template get<VlanTci>()) : context.control().tci;
    if (vlan_id_of(tci) == parameters.native.value) return to(0);
    constexpr std::uint32_t kAddresses = 2 * sizeof(EthernetAddress);
    if (packet.length() < kAddresses) return drop(too_short);
    if (!packet.push(sizeof(VlanTag))) return drop(no_headroom);
    std::memmove(packet.data(), packet.data() + sizeof(VlanTag), kAddresses);
    *packet.template header<VlanTag>(kAddresses) = {swap_network(parameters.type), swap_network(tci)};
    packet.template set<MacHeader>(packet.headroom());
    return to(0);
  }
};

}  // namespace packetmill
