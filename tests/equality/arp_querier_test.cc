#include "elements/ethernet/ARPQuerier.h"
#include "tests/equality/equality.h"

namespace packetmill::testing {
namespace {

using milled::Element;
using milled::Out;
using milled::To;

// Small limits, so that a short run meets all of them.
constexpr const char* kDeclaration =
    "ARPQuerier(10.0.0.1/24, 00:00:c0:ae:67:ef, CAPACITY 12, ENTRY_CAPACITY 8, ENTRY_PACKET_CAPACITY 4, "
    "CAPACITY_SLIM_FACTOR 3, TIMEOUT 10, POLL_TIMEOUT 2)";
constexpr EthernetAddress kOwn{{0x00, 0x00, 0xc0, 0xae, 0x67, 0xef}};
constexpr ARPQuerier::Parameters kParameters{
    .host = {{IPv4Address::from_host(0x0a000001), IPv4Address::from_host(0xffffff00)}, kOwn},
    .ethernet = kOwn,
    .capacity = 12,
    .entry_capacity = 8,
    .entry_packet_capacity = 4,
    .slim_factor = 3,
    .timeout = Duration::seconds(10),
    .poll_timeout = Duration::seconds(2),
    .broadcast = IPv4Address::from_host(0x0a0000ff)};

struct Site {
  using Packet = PacketOf<DestinationAddress, MacHeader, VlanTci, ReceiveTime>;
  static constexpr const char* name = "element";
  static constexpr ARPQuerier::Parameters parameters = kParameters;
};
struct QueriesApart : Site {
  using Outputs = std::tuple<To<Out<0>>, To<Out<1>>>;
};
struct QueriesAmongPackets : Site {
  using Outputs = std::tuple<To<Out<0>>>;
};
template <class S>
using Graph =
    milled::Graph<std::tuple<To<Element<ARPQuerier, S>, 0>, To<Element<ARPQuerier, S>, 1>>, Element<ARPQuerier, S>>;

Bytes reply(Dice& dice, const std::string& host, const std::string& ethernet) {
  Bytes frame = arp(dice.one_in(8) ? kArpRequest : kArpReply, ethernet, host, "00:00:c0:ae:67:ef", "10.0.0.1");
  if (dice.one_in(8)) dice.spoil(frame);
  return frame;
}

/// Packets for a few hosts, answers to some queries, handlers that change the table, and time: enough of it for
/// answers to grow old, packets to wait in vain, and queries to be asked again.
Steps traffic(unsigned seed) {
  Dice dice(seed);
  Steps steps;
  for (int i = 0; i < 6000; ++i) {
    const std::string host = "10.0.0." + std::to_string(2 + dice.below(12));
    const std::string ethernet = "00:00:00:00:0" + std::to_string(dice.below(2)) + ":0" + std::to_string(dice.below(9));
    const auto next_hop =
        dice.one_in(20) ? dice.of<std::string>({"0.0.0.0", "10.0.0.255", "255.255.255.255", "224.1.2.3"}) : host;
    const unsigned what = dice.below(100);
    if (what < 60)
      steps.push_back(
          PacketIn{0, TestPacket(udp(1, 2, counting(dice.below(40)))).set<DestinationAddress>(ip(next_hop))});
    else if (what < 72)
      steps.push_back(PacketIn{1, TestPacket(reply(dice, host, ethernet))});
    else if (what < 90)
      steps.push_back(ClockStep{Duration::milliseconds(dice.one_in(4) ? dice.below(6000) : dice.below(150))});
    else if (what < 93)
      steps.push_back(ControlWrite{"element.insert", host + (dice.one_in(5) ? " nonsense" : " " + ethernet)});
    else if (what < 96)
      steps.push_back(ControlWrite{"element.delete", host});
    else if (what < 97)
      steps.push_back(ControlWrite{"element.clear", ""});
    else if (what < 98)
      steps.push_back(ControlWrite{"element.ipaddr", dice.of<std::string>({"10.0.0.1", "10.0.0.254", "no address"})});
    else
      steps.push_back(ControlRead{"element.table", ""});
  }
  return steps;
}

TEST(Contract, TwoInputsAStoreTimersAndGeneratedPackets) {
  const Shape shape{.inputs = 2, .outputs = 2};
  expect_same<Graph<QueriesApart>>(script_of(kDeclaration, shape), shape, traffic(6));
  // no_headroom needs a frame without room in front, which no port makes.
  for (const Reason& reason : ARPQuerier::drops)
    if (reason.index != ARPQuerier::no_headroom.index)
      EXPECT_GT((Element<ARPQuerier, QueriesApart>::drops[reason.index]), 0) << reason.name;
}

TEST(Contract, QueriesKeepTheirPlaceAmongPackets) {
  const Shape shape{.inputs = 2, .outputs = 1};
  expect_same<Graph<QueriesAmongPackets>>(script_of(kDeclaration, shape), shape, traffic(7));
}

}  // namespace
}  // namespace packetmill::testing
