#include "tests/equality/p4_block.h"

#include "tests/equality/equality.h"

namespace packetmill::testing {
namespace {

using milled::Element;
using milled::Out;
using milled::To;

constexpr const char* kScript = R"(
  in0 :: TestInput -> parser :: P4Parser -> forward :: P4Forward(OTHER 2) -> deparser :: P4Deparser;
  deparser[0] -> out0 :: TestOutput;
  deparser[1] -> out1 :: TestOutput;
  deparser[2] -> out2 :: TestOutput;
)";

// The same, milled: the three elements call each other directly, and a packet's metadata is the program's own fields.
using P = PacketOf<ParsedEthernet, ParsedIPv4, IPv4Valid, EgressPort>;
struct DeparserSite {
  using Packet = P;
  static constexpr const char* name = "deparser";
  using Outputs = std::tuple<To<Out<0>>, To<Out<1>>, To<Out<2>>>;
};
using Deparser = Element<P4Deparser, DeparserSite>;
struct ForwardSite {
  using Packet = P;
  static constexpr const char* name = "forward";
  static constexpr P4Forward::Parameters parameters{.other = 2};
  using Outputs = std::tuple<To<Deparser>>;
};
using Forward = Element<P4Forward, ForwardSite>;
struct ParserSite {
  using Packet = P;
  static constexpr const char* name = "parser";
  using Outputs = std::tuple<To<Forward>>;
};
using Parser = Element<P4Parser, ParserSite>;
using Milled = milled::Graph<std::tuple<To<Parser>>, Parser, Forward, Deparser>;

std::string address(Dice& dice) { return "10.0.0." + std::to_string(dice.below(24)); }

/// Entries for more addresses than the table has room for, actions that lead to a port that is not connected (3).
ControlWrite write(Dice& dice) {
  if (dice.one_in(3)) return {"forward.remove", address(dice)};
  if (dice.one_in(10)) return {"forward.add", "nonsense"};
  return {"forward.add", address(dice) + " 02:00:00:00:00:01 02:00:00:00:00:02 10.1.0." +
                             std::to_string(dice.below(256)) + " " + std::to_string(dice.below(4))};
}

TEST(Contract, AChainOfAP4ParserATableAndADeparser) {
  test_registry().add(engine::factory_of<P4Parser>());
  test_registry().add(engine::factory_of<P4Forward>());
  test_registry().add(engine::factory_of<P4Deparser>());
  Dice dice(11);
  Steps steps;
  for (int i = 0; i < 8000; ++i) {
    if (dice.one_in(10)) steps.push_back(write(dice));
    if (dice.one_in(200)) steps.push_back(ControlRead{"forward.size", ""});
    const std::string destination = address(dice);
    Bytes frame = ethernet(udp(1, 2, counting(dice.below(32)),
                               {.destination = destination,
                                .ttl = static_cast<std::uint8_t>(dice.below(5)),
                                .options = Bytes(dice.one_in(20) ? 4 : 0)}),
                           dice.one_in(10) ? kEthernetIPv6 : kEthernetIPv4);
    if (dice.one_in(8)) dice.spoil(frame);
    steps.push_back(PacketIn{0, TestPacket(frame)});
  }
  expect_same<Milled>({kScript}, {.outputs = 3}, steps);
  EXPECT_GT(Parser::drops[P4Parser::too_short.index], 0);
  EXPECT_GT(Forward::drops[P4Forward::no_entry.index], 0);
  EXPECT_GT(Deparser::drops[Deparser::kUnconnected], 0);
}

}  // namespace
}  // namespace packetmill::testing
