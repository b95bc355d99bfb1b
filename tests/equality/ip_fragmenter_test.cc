#include "elements/ip/IPFragmenter.h"
#include "tests/equality/equality.h"

namespace packetmill::testing {
namespace {

using milled::Out;
using milled::To;

template <bool HonorDf>
struct Site {
  using Packet = PacketOf<MacHeader, NetworkHeader, TransportHeader, DestinationAddress>;
  static constexpr const char* name = "element";
  static constexpr IPFragmenter::Parameters parameters{.mtu = 120, .honor_df = HonorDf};
  using Outputs = std::tuple<To<Out<0>>, To<Out<1>>>;
};

/// Packets of up to twelve fragments, some of them fragments themselves, with options of both kinds, and spoilt ones.
Steps packets(unsigned seed) {
  Dice dice(seed);
  Steps steps;
  for (int i = 0; i < 3000; ++i) {
    Bytes options(dice.below(11) * 4);
    for (std::uint8_t& byte : options) byte = dice.of<std::uint8_t>({0, 1, 2, 3, 4, 0x07, 0x44, 0x82, 0x83, 0x94});
    Bytes frame = ipv4(17, counting(dice.below(1000)),
                       {.identification = static_cast<std::uint16_t>(i),
                        .fragment = dice.of<std::uint16_t>({0, 0, kDontFragment, kMoreFragments, 0x2010, 0x1fff}),
                        .options = options});
    const bool behind_ethernet = dice.one_in(4);
    if (behind_ethernet) frame = ethernet(frame);
    if (dice.one_in(10)) dice.spoil(frame);
    TestPacket packet(frame);
    packet.set<DestinationAddress>(ip("10.9.9.9"));
    if (!dice.one_in(50)) behind_ethernet ? packet.at(0, 14, 34) : packet.at(-1, 0, 20);
    steps.push_back(PacketIn{0, packet});
  }
  return steps;
}

TEST(Contract, OnePacketEmitsSeveral) {
  const Shape shape{.outputs = 2};
  expect_same<milled::Alone<milled::Element<IPFragmenter, Site<true>>>>(script_of("IPFragmenter(120)", shape), shape,
                                                                        packets(8));
}

TEST(Contract, AConstantParameterTakesABranchAway) {
  const Shape shape{.outputs = 2};
  expect_same<milled::Alone<milled::Element<IPFragmenter, Site<false>>>>(
      script_of("IPFragmenter(120, HONOR_DF false)", shape), shape, packets(9));
}

}  // namespace
}  // namespace packetmill::testing
