#include "elements/ip/CheckIPHeader.h"
#include "runtime/checksum.h"
#include "tests/equality/equality.h"

namespace packetmill::testing {
namespace {

using milled::Element;
using milled::Out;
using milled::To;

// CheckIPHeader(14, INTERFACES 10.0.0.1/24 10.1.0.1/16, DETAILS true): what the configuration makes of INTERFACES.
constexpr std::array kInterfaces{IPv4Prefix{IPv4Address::from_host(0x0a000001), IPv4Address::from_host(0xffffff00)},
                                 IPv4Prefix{IPv4Address::from_host(0x0a010001), IPv4Address::from_host(0xffff0000)}};
constexpr std::array kBad{IPv4Address::from_host(0x0a0000ff), IPv4Address::from_host(0x0a01ffff), IPv4Address{},
                          IPv4Address::from_host(0xffffffff)};
constexpr std::array kGood{IPv4Address::from_host(0x0a000001), IPv4Address::from_host(0x0a010001)};
constexpr CheckIPHeader::Parameters kParameters{.first = {.offset = 14, .addresses = {}},
                                                .interfaces = {{kInterfaces.data(), kInterfaces.size()}},
                                                .bad_sources = {{kBad.data(), kBad.size()}},
                                                .good_destinations = {{kGood.data(), kGood.size()}},
                                                .details = true};

struct Site {
  using Packet = PacketOf<NetworkHeader, TransportHeader, DestinationAddress>;
  static constexpr const char* name = "element";
  static constexpr CheckIPHeader::Parameters parameters = kParameters;
};
struct WithExit : Site {
  using Outputs = std::tuple<To<Out<0>>, To<Out<1>>>;
};
struct WithoutExit : Site {
  using Outputs = std::tuple<To<Out<0>>>;
};

/// Good packets, and bad ones of every kind.
Steps packets(unsigned seed) {
  Dice dice(seed);
  Steps steps;
  for (int i = 0; i < 4000; ++i) {
    Bytes packet = udp(
        1, 2, counting(dice.below(32)),
        {.source = dice.of<std::string_view>({"10.0.0.7", "10.0.0.255", "10.1.255.255", "0.0.0.0", "255.255.255.255"}),
         .destination = dice.of<std::string_view>({"10.0.0.1", "10.1.0.1", "10.2.3.4"}),
         .options = Bytes(dice.below(11) * 4, 1)});
    if (dice.one_in(3)) packet.resize(packet.size() + dice.below(20));                  // Ethernet's padding
    if (dice.one_in(10)) packet[0] = static_cast<std::uint8_t>(0x40 | dice.below(16));  // any header length
    Bytes frame = ethernet(packet);
    if (dice.one_in(2)) {
      dice.spoil(frame);
      // A spoilt header with a right checksum gets as far as the checks behind it.
      auto* ip = reinterpret_cast<IPv4Header*>(frame.data() + 14);
      if (frame.size() >= 34 && dice.one_in(2) && frame.size() >= 14 + ip->header_length()) {
        ip->checksum = 0;
        ip->checksum = internet_checksum(ip, ip->header_length());
      }
    }
    steps.push_back(PacketIn{0, TestPacket(frame).at(0, -1)});
    if (dice.one_in(100)) steps.push_back(ControlRead{"element.drop_details", ""});
  }
  return steps;
}

constexpr const char* kDeclaration = "CheckIPHeader(14, INTERFACES 10.0.0.1/24 10.1.0.1/16, DETAILS true)";

TEST(Contract, MalformedPacketsLeaveByTheSideExit) {
  const Shape shape{.outputs = 2};
  expect_same<milled::Alone<Element<CheckIPHeader, WithExit>>>(script_of(kDeclaration, shape), shape, packets(4));
}

TEST(Contract, WithoutASideExitTheyAreDroppedByReason) {
  const Shape shape{.outputs = 1};
  using Milled = Element<CheckIPHeader, WithoutExit>;
  expect_same<milled::Alone<Milled>>(script_of(kDeclaration, shape), shape, packets(5));
  for (const Reason& reason : CheckIPHeader::drops)
    EXPECT_GT(Milled::drops[reason.index], 0) << reason.name << ": the packets of this test are to meet every check";
}

}  // namespace
}  // namespace packetmill::testing
