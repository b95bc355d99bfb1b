#pragma once

#include <cstring>

#include "runtime/element.h"
#include "runtime/headers.h"

namespace packetmill {

/// VLANDecap: takes the outer IEEE 802.1Q tag out of Ethernet frames that have one.
///
/// Ports:     1 input, 1 output.
/// Sets:      the VLAN TCI annotation, unless ANNO says no.
/// Keywords:  ANNO (default true): whether the annotation becomes the tag's TCI, or 0 where there is no tag. ETHERTYPE
///            (default 0x8100): the type of tags; 0x88a8 for 802.1ad service tags.
/// See also:  VLANEncap, SetVLANAnno
struct VLANDecap {
  static constexpr ElementInfo info{.name = "VLANDecap"};

  struct Parameters {
    bool annotate = true;
    std::uint16_t type = kEthernetVlan;
  };
  static constexpr auto keywords =
      describe(keyword<&Parameters::annotate>("ANNO"), keyword<&Parameters::type>("ETHERTYPE"));
  using Writes = Fields<MacHeader, VlanTci>;

  static Output process(auto& context, In, auto& packet) {
    constexpr std::uint32_t kAddresses = 2 * sizeof(EthernetAddress);
    const auto* tag = packet.template header<VlanTag>(kAddresses);
    std::uint16_t tci = 0;
    if (tag != nullptr && tag->type == swap_network(context.parameters().type)) {
      tci = tag->tci;
      std::memmove(packet.data() + sizeof(VlanTag), packet.data(), kAddresses);
      packet.pull(sizeof(VlanTag));
      packet.template set<MacHeader>(packet.headroom());
    }
    if (context.parameters().annotate) packet.template set<VlanTci>(tci);
    return to(0);
  }
};

}  // namespace packetmill
