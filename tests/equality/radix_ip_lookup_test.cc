#include "elements/lookup/RadixIPLookup.h"
#include "tests/equality/equality.h"

namespace packetmill::testing {
namespace {

using milled::Out;
using milled::To;

// RadixIPLookup(10.0.0.0/8 0, 10.1.0.0/16 10.0.0.1 1, 0/0 10.0.0.254 2)
constexpr std::array kRoutes{tables::Route{.address = 0x0a000000, .mask_length = 8, .port = 0},
                             tables::Route{.address = 0x0a010000, .mask_length = 16, .gateway = 0x0a000001, .port = 1},
                             tables::Route{.gateway = 0x0a0000fe, .port = 2}};
struct Site {
  using Packet = PacketOf<DestinationAddress>;
  static constexpr const char* name = "element";
  static constexpr RadixIPLookup::Parameters parameters{{kRoutes.data(), kRoutes.size()}};
  using Outputs = std::tuple<To<Out<0>>, To<Out<1>>, To<Out<2>>>;
};

/// An address of a small world, so that routes nest and collide, or one for which there is only the default.
std::string address(Dice& dice) {
  std::string text = dice.one_in(8) ? "11" : "10";
  for (int i = 0; i < 3; ++i) text += "." + std::to_string(dice.below(4));
  return text;
}
std::string prefix(Dice& dice) {
  return address(dice) + "/" + dice.of<std::string>({"0", "8", "15", "16", "23", "24", "32"});
}
std::string route(Dice& dice) {
  return prefix(dice) + (dice.one_in(2) ? " " + address(dice) : "") + " " +
         std::to_string(dice.below(4));  // 3: no port
}
ControlWrite write(Dice& dice) {
  switch (dice.below(16)) {
    case 0:
      return {"element.ctrl", "add " + route(dice) + "\nset " + route(dice) + "\nremove " + prefix(dice)};
    case 1:
      return {"element.add", "not a route"};
    case 2:
      return {"element.flush", ""};
    case 3:
    case 4:
    case 5:
      return {"element.remove", dice.one_in(2) ? prefix(dice) : route(dice)};
    case 6:
    case 7:
    case 8:
      return {"element.set", route(dice)};
    default:
      return {"element.add", route(dice)};
  }
}

TEST(Contract, RoutesChangeUnderTraffic) {
  Dice dice(10);
  Steps steps{ControlRead{"element.table", ""}};
  for (int i = 0; i < 8000; ++i) {
    if (dice.one_in(8))
      steps.push_back(write(dice));
    else if (dice.one_in(20))
      steps.push_back(ControlRead{"element.lookup", dice.one_in(5) ? "no address" : address(dice)});
    else if (dice.one_in(50))
      steps.push_back(ControlRead{"element.table", ""});
    else
      steps.push_back(PacketIn{0, TestPacket(counting(dice.below(8))).set<DestinationAddress>(ip(address(dice)))});
  }
  const Shape shape{.outputs = 3};
  using Milled = milled::Element<RadixIPLookup, Site>;
  expect_same<milled::Alone<Milled>>(
      script_of("RadixIPLookup(10.0.0.0/8 0, 10.1.0.0/16 10.0.0.1 1, 0/0 10.0.0.254 2)", shape), shape, steps);
  EXPECT_GT(Milled::drops[RadixIPLookup::no_route.index], 0);
}

}  // namespace
}  // namespace packetmill::testing
