#include "elements/classify/Classifier.h"

#include "tests/equality/equality.h"

namespace packetmill::testing {
namespace {

using milled::Out;
using milled::To;

// The decision graph of Classifier(12/0806 20/0001, 12/0806 20/0002, 12/0800, -), as the emitter prints it.
constexpr std::array kNodes{
    ir::Node{{.offset = 12, .mask = 0xffff0000, .value = 0x08060000}, 1, 3},
    ir::Node{{.offset = 20, .mask = 0xffff0000, .value = 0x00010000}, ir::end_with(0), 2},
    ir::Node{{.offset = 20, .mask = 0xffff0000, .value = 0x00020000}, ir::end_with(1), ir::end_with(3)},
    ir::Node{{.offset = 12, .mask = 0xffff0000, .value = 0x08000000}, ir::end_with(2), ir::end_with(3)},
};
struct WholeSite {
  using Packet = PacketOf<>;
  static constexpr const char* name = "element";
  static constexpr Classifier::Parameters parameters{{{kNodes.data(), kNodes.size()}, 0}};
  using Outputs = std::tuple<To<Out<0>>, To<Out<1>>, To<Out<2>>, To<Out<3>>>;
};

// Classifier(12/0800): what does not match is dropped.
constexpr std::array kNode{
    ir::Node{{.offset = 12, .mask = 0xffff0000, .value = 0x08000000}, ir::end_with(0), ir::end_with(ir::kNoOutput)}};
struct DroppingSite {
  using Packet = PacketOf<>;
  static constexpr const char* name = "element";
  static constexpr Classifier::Parameters parameters{{{kNode.data(), kNode.size()}, 0}};
  using Outputs = std::tuple<To<Out<0>>>;
};

Steps frames(unsigned seed) {
  Dice dice(seed);
  Steps steps;
  for (int i = 0; i < 4000; ++i) {
    Bytes frame = dice.one_in(2) ? ethernet(udp(1, 2), dice.of<std::uint16_t>({0x0800, 0x0806, 0x86dd}))
                                 : arp(static_cast<std::uint16_t>(dice.below(4)), "00:00:00:00:00:01", "10.0.0.1",
                                       "00:00:00:00:00:02", "10.0.0.2");
    // Short frames end before, within and after the bytes that patterns look at.
    if (dice.one_in(3)) frame.resize(dice.below(24));
    if (dice.one_in(10)) dice.spoil(frame);
    steps.push_back(PacketIn{0, TestPacket(frame)});
    if (dice.one_in(500)) steps.push_back(ControlRead{"element.program", ""});
  }
  return steps;
}

TEST(Contract, ADecisionGraphIsAParameter) {
  const Shape shape{.outputs = 4};
  expect_same<milled::Alone<milled::Element<Classifier, WholeSite>>>(
      script_of("Classifier(12/0806 20/0001, 12/0806 20/0002, 12/0800, -)", shape), shape, frames(2));
}

TEST(Contract, WhatMatchesNoPatternIsDropped) {
  const Shape shape{.outputs = 1};
  expect_same<milled::Alone<milled::Element<Classifier, DroppingSite>>>(script_of("Classifier(12/0800)", shape), shape,
                                                                        frames(3));
}

// The graph is a constant: so is what it says of a packet known to the compiler.
constexpr std::array<std::uint8_t, 22> kQuery{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 8, 6, 0, 0, 0, 0, 0, 0, 0, 1};
static_assert(ir::evaluate(WholeSite::parameters.graph, [](ir::Base) { return std::span(kQuery); }) == 0);

}  // namespace
}  // namespace packetmill::testing
