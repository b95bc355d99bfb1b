#include "elements/ip/DecIPTTL.h"
#include "tests/equality/equality.h"

namespace packetmill::testing {
namespace {

using milled::Out;
using milled::To;

struct DecIPTTLSite {
  using Packet = PacketOf<NetworkHeader>;
  static constexpr const char* name = "element";
  static constexpr DecIPTTL::Parameters parameters{.multicast = false};
  using Outputs = std::tuple<To<Out<0>>, To<Out<1>>>;
};

TEST(Contract, KernelWithASideExit) {
  Dice dice(1);
  Steps steps;
  for (int i = 0; i < 2000; ++i) {
    if (dice.one_in(100)) steps.push_back(ControlWrite{"element.active", dice.one_in(2) ? "false" : "true"});
    Bytes packet = udp(
        1, 2, counting(dice.below(32)),
        {.destination = dice.one_in(7) ? "224.0.0.5" : "10.1.2.3", .ttl = static_cast<std::uint8_t>(dice.below(4))});
    if (dice.one_in(11)) packet.resize(dice.below(24));
    steps.push_back(PacketIn{0, TestPacket(packet).at(-1, 0, 20)});
  }
  const Shape shape{.outputs = 2};
  expect_same<milled::Alone<milled::Element<DecIPTTL, DecIPTTLSite>>>(script_of("DecIPTTL(MULTICAST false)", shape),
                                                                      shape, steps);
}

}  // namespace
}  // namespace packetmill::testing
