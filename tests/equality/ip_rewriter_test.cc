#include "elements/nat/IPRewriter.h"
#include "tests/equality/equality.h"

namespace packetmill::testing {
namespace {

using milled::Element;
using milled::Out;
using milled::To;

// Three inputs share one table of mappings: what goes out by 0 is answered on 1; what 2 may do depends on the others'
// flows. Few ports, few mappings and short times, so that a short run meets all the limits.
constexpr const char* kDeclaration =
    "IPRewriter(pattern 192.0.2.1 5000-5002? - - 0 1, drop, pass 2, "
    "TCP_TIMEOUT 60, TCP_NODATA_TIMEOUT 20, TCP_DONE_TIMEOUT 5, UDP_TIMEOUT 10, UDP_STREAMING_TIMEOUT 30, "
    "TCP_GUARANTEE 2, UDP_GUARANTEE 1, REAP_INTERVAL 15, MAPPING_CAPACITY 16)";
constexpr std::array kInputs{
    InputSpec{.kind = InputSpec::Kind::pattern, .pattern = 0, .output = 0, .reply_output = 1},
    InputSpec{.kind = InputSpec::Kind::drop},
    InputSpec{.kind = InputSpec::Kind::pass, .output = 2},
};
constexpr std::array kPatterns{RewritePattern{.source = IPv4Address::from_host(0xc0000201),
                                              .destination = {},
                                              .choice = RewritePattern::Choice::random,
                                              .first_port = 5000,
                                              .last_port = 5002,
                                              .destination_port = {}}};
struct Site {
  using Packet = PacketOf<NetworkHeader, TransportHeader, DestinationAddress>;
  static constexpr const char* name = "element";
  static constexpr IPRewriter::Parameters parameters{.inputs = {kInputs.data(), kInputs.size()},
                                                     .patterns = {kPatterns.data(), kPatterns.size()},
                                                     .tcp_timeout = Duration::seconds(60),
                                                     .tcp_done_timeout = Duration::seconds(5),
                                                     .tcp_nodata_timeout = Duration::seconds(20),
                                                     .tcp_guarantee = Duration::seconds(2),
                                                     .udp_timeout = Duration::seconds(10),
                                                     .udp_streaming_timeout = Duration::seconds(30),
                                                     .udp_guarantee = Duration::seconds(1),
                                                     .reap_interval = Duration::seconds(15),
                                                     .capacity = 16};
  static constexpr int inputs = 3;
  using Outputs = std::tuple<To<Out<0>>, To<Out<1>>, To<Out<2>>>;
};
using Rewriter = Element<IPRewriter, Site>;
using Milled = milled::Graph<std::tuple<To<Rewriter, 0>, To<Rewriter, 1>, To<Rewriter, 2>>, Rewriter>;

/// A packet of one of a few flows; on inputs 1 and 2 mostly an answer to a rewritten one.
TestPacket packet(Dice& dice, int input) {
  const std::string inside = "10.0.0." + std::to_string(1 + dice.below(4));
  const std::string outside = "198.51.100." + std::to_string(1 + dice.below(3));
  const bool answer = input != 0 && !dice.one_in(5);
  const auto inside_port = static_cast<std::uint16_t>(1000 + dice.below(4));
  const auto port = static_cast<std::uint16_t>(answer ? 5000 + dice.below(3) : inside_port);
  const IPv4Options addresses{.source = answer ? outside : inside,
                              .destination = answer ? std::string_view("192.0.2.1") : outside,
                              .fragment = static_cast<std::uint16_t>(dice.one_in(30) ? 5 : 0)};
  const std::uint16_t source = answer ? 80 : port, destination = answer ? port : 80;
  Bytes frame = dice.one_in(20)  ? icmp(8, 0, 0, counting(4), addresses)
                : dice.one_in(2) ? udp(source, destination, counting(dice.below(16)), addresses)
                                 : tcp(source, destination,
                                       dice.of<std::uint8_t>({kTcpSyn, kTcpAck, kTcpAck, kTcpFin | kTcpAck, kTcpRst}),
                                       counting(dice.below(2) * 8), addresses);
  if (dice.one_in(15)) frame.resize(dice.below(static_cast<unsigned>(frame.size())));
  return dice.one_in(50) ? TestPacket(frame) : TestPacket(frame).at(-1, 0, 20);
}

TEST(Contract, SeveralInputsShareMappings) {
  Dice dice(13);
  Steps steps;
  for (int i = 0; i < 8000; ++i) {
    const unsigned what = dice.below(100);
    if (what < 80) {
      const int input = static_cast<int>(dice.below(3));
      steps.push_back(PacketIn{input, packet(dice, input)});
    } else if (what < 94) {
      steps.push_back(ClockStep{Duration::milliseconds(dice.one_in(20) ? dice.below(20000) : dice.below(700))});
    } else if (what < 96) {
      steps.push_back(ControlWrite{"element.capacity", dice.of<std::string>({"8", "12 2", "16", "24", "some"})});
    } else {
      steps.push_back(ControlRead{"element." + dice.of<std::string>({"tcp_table", "udp_table", "table_size"}), ""});
    }
  }
  const Shape shape{.inputs = 3, .outputs = 3};
  expect_same<Milled>(script_of(kDeclaration, shape), shape, steps);
  // conflict is of patterns that leave the port as it is.
  for (const Reason& reason : IPRewriter::drops)
    if (reason.index != IPRewriter::conflict.index) EXPECT_GT(Rewriter::drops[reason.index], 0) << reason.name;
}

}  // namespace
}  // namespace packetmill::testing
