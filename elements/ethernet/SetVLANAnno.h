#pragma once

#include "elements/ethernet/vlan_tci.h"
#include "runtime/effects.h"
#include "runtime/element.h"

namespace packetmill {

/// SetVLANAnno: sets the VLAN TCI annotation.
///
/// Ports:     1 input, 1 output.
/// Sets:      the VLAN TCI annotation.
/// Keywords:  VLAN_TCI (by place or by name): the whole tag. VLAN_PCP (by place or by name): its priority, 0 to 7.
///            VLAN_ID: its VLAN, 0 to 0xFFF. One of VLAN_TCI and VLAN_ID is mandatory, and only one.
/// Handlers:  vlan_tci, vlan_id, vlan_pcp (read/write).
/// See also:  VLANEncap, VLANDecap
struct SetVLANAnno {
  static constexpr ElementInfo info{.name = "SetVLANAnno"};

  struct Parameters {
    std::optional<VlanTciSource> source;
    std::optional<VlanPriority> priority;
    std::optional<VlanId> id;
    std::uint16_t tci = 0;
  };
  struct Control {
    std::uint16_t tci = 0;
  };
  static constexpr auto keywords =
      describe(positional<&Parameters::source>("VLAN_TCI"), positional<&Parameters::priority>("VLAN_PCP"),
               keyword<&Parameters::id>("VLAN_ID"));
  static constexpr auto handlers = vlan_handlers<Control>();
  using Writes = Fields<VlanTci>;

  static void configure(Configuration& configuration, Parameters& parameters) {
    if (parameters.source && parameters.source->annotation)
      configuration.error("VLAN_TCI: the annotation cannot come from itself");
    parameters.tci = configured_tci(configuration, parameters.source, parameters.id, parameters.priority);
  }
  static Refusal initialize(auto& element) {
    element.control().tci = element.parameters().tci;
    return std::nullopt;
  }

  static Effects effects(const auto&, int) { return {.sets = true}; }

  static Output process(auto& context, In, auto& packet) {
    packet.template set<VlanTci>(swap_network(context.control().tci));
    return to(0);
  }
};

}  // namespace packetmill
