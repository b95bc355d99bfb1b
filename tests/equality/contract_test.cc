#include <random>

#include "elements/ip/DecIPTTL.h"
#include "tests/equality/equality.h"

// The contract on its hard cases: each element runs interpreted and as milled code written by hand, over the same
// steps.
namespace packetmill::testing {
namespace {

using milled::Element;
using milled::Out;
using milled::To;

struct DecIPTTLSite {
  using Packet = PacketOf<NetworkHeader>;
  static constexpr const char* name = "element";
  static constexpr DecIPTTL::Parameters parameters{.multicast = false};
  using Outputs = std::tuple<To<Out<0>>, To<Out<1>>>;
};

TEST(Contract, KernelWithASideExit) {
  std::mt19937 random(1);
  Steps steps;
  for (int i = 0; i < 2000; ++i) {
    if (i % 100 == 50) steps.push_back(ControlWrite{"active", i % 200 == 50 ? "false" : "true"});
    Bytes packet =
        udp(1, 2, counting(random() % 32),
            {.destination = i % 7 == 0 ? "224.0.0.5" : "10.1.2.3", .ttl = static_cast<std::uint8_t>(random() % 4)});
    if (i % 11 == 0) packet.resize(random() % 24);
    steps.push_back(PacketIn{0, TestPacket(packet).at(-1, 0, 20)});
  }
  using Milled = Element<DecIPTTL, DecIPTTLSite>;
  EXPECT_EQ(interpret("DecIPTTL", "MULTICAST false", {.outputs = 2}, steps), mill<Milled>(2, steps));
  EXPECT_TRUE(milled::run.ledger.balanced());
}

}  // namespace
}  // namespace packetmill::testing
