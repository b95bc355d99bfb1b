#include "elements/control/AddressInfo.h"

#include <gmock/gmock.h>

#include "tests/support/packets.h"
#include "tests/support/router_test.h"

namespace packetmill::testing {
namespace {

/// Shows what names it is given: Names(ADDRESS, ETHERNET, PREFIX, TCP, UDP).
struct NamesElement {
  static constexpr ElementInfo info{.name = "Names", .ports = "0/0"};
  struct Parameters {
    IPv4Address address;
    EthernetAddress ethernet;
    IPv4Prefix prefix;
    IPv6Prefix prefix6;
    TcpPort tcp;
    UdpPort udp;
  };
  static constexpr auto keywords =
      describe(keyword<&Parameters::address>("ADDRESS"), keyword<&Parameters::ethernet>("ETHERNET"),
               keyword<&Parameters::prefix>("PREFIX"), keyword<&Parameters::prefix6>("PREFIX6"),
               keyword<&Parameters::tcp>("TCP"), keyword<&Parameters::udp>("UDP"));
  static constexpr auto handlers =
      describe(read("address", &Parameters::address), read("ethernet", &Parameters::ethernet),
               read("prefix", &Parameters::prefix), read("prefix6", &Parameters::prefix6),
               read("tcp", [](const auto& element) { return element.parameters().tcp.number; }),
               read("udp", [](const auto& element) { return element.parameters().udp.number; }));
};

class InfoElements : public ::testing::Test {
 protected:
  static void SetUpTestSuite() { test_registry().add(engine::factory_of<NamesElement>()); }
};

TEST_F(InfoElements, AddressInfoNamesAddressesOfEachKind) {
  RouterTest test(R"(
      AddressInfo(mauer 10.0.0.1/24 00:50:BA:85:84:A9 2001:db8::1/32);
      n :: Names(ADDRESS mauer, ETHERNET mauer, PREFIX mauer, PREFIX6 mauer);)");
  EXPECT_EQ(test.errors(), "");
  EXPECT_EQ(test.read("n.address"), "10.0.0.1");
  EXPECT_EQ(test.read("n.ethernet"), "00-50-BA-85-84-A9");
  EXPECT_EQ(test.read("n.prefix"), "10.0.0.1/24");
  EXPECT_EQ(test.read("n.prefix6"), "2001:db8::1/32");
}

TEST_F(InfoElements, ASuffixSaysWhichKindIsMeant) {
  RouterTest test(R"(
      AddressInfo(mauer 10.0.0.1/24 00:50:BA:85:84:A9);
      n :: Names(ADDRESS mauer:ip, ETHERNET mauer:eth, PREFIX mauer:ipnet);)");
  EXPECT_EQ(test.errors(), "");
  EXPECT_EQ(test.read("n.prefix"), "10.0.0.1/24");
  EXPECT_EQ(RouterTest("AddressInfo(a 1.2.3.4); Names(ETHERNET a:eth);").errors(),
            "ETHERNET: invalid Ethernet address\n");
}

TEST_F(InfoElements, NamesHoldInTheirCompoundAndThoseInside) {
  RouterTest test(R"(
      AddressInfo(outer 1.1.1.1, both 1.1.1.1);
      c :: { AddressInfo(inner 2.2.2.2, both 2.2.2.2);
             o :: Names(ADDRESS outer); i :: Names(ADDRESS inner); b :: Names(ADDRESS both) };
      b :: Names(ADDRESS both);)");
  EXPECT_EQ(test.errors(), "");
  EXPECT_EQ(test.read("c/o.address"), "1.1.1.1");
  EXPECT_EQ(test.read("c/i.address"), "2.2.2.2");
  EXPECT_EQ(test.read("c/b.address"), "2.2.2.2");
  EXPECT_EQ(test.read("b.address"), "1.1.1.1");
  EXPECT_EQ(RouterTest("c :: { AddressInfo(inner 2.2.2.2) }; Names(ADDRESS inner);").errors(),
            "ADDRESS: invalid IP address\n");
}

TEST_F(InfoElements, AddressInfoSaysWhatIsNoAddress) {
  EXPECT_EQ(RouterTest("AddressInfo(mauer);").errors(), "expected 'NAME ADDRESS [ADDRESS...]'\n");
  EXPECT_EQ(RouterTest("AddressInfo(mauer 1.2.3, b 1.2.3.4);").errors(), "\"1.2.3\" is not an address or prefix\n");
}

TEST_F(InfoElements, PortInfoNamesPortsOfOneProtocolOrBoth) {
  RouterTest test(R"(
      PortInfo(both 10, one 11/tcp alias other, one 12/udp # a comment);
      n :: Names(TCP both, UDP both); o :: Names(TCP one, UDP one); a :: Names(TCP alias); b :: Names(TCP other);)");
  EXPECT_EQ(test.errors(), "");
  EXPECT_EQ(test.read("n.tcp") + " " + test.read("n.udp"), "10 10");
  EXPECT_EQ(test.read("o.tcp") + " " + test.read("o.udp"), "11 12");
  EXPECT_EQ(test.read("a.tcp") + " " + test.read("b.tcp"), "11 11");
}

TEST_F(InfoElements, PortInfoSaysWhatIsWrong) {
  EXPECT_EQ(RouterTest("PortInfo(a);").errors(), "expected 'NAME PORT[/PROTOCOL]'\n");
  EXPECT_EQ(RouterTest("PortInfo(a 65536);").errors(), "out of range, bound 65535\n");
  EXPECT_EQ(RouterTest("PortInfo(a 1/nonsense);").errors(), "unknown protocol\n");
}

TEST_F(InfoElements, ScheduleInfoGivesTicketsAndCompoundsMultiplyThem) {
  RouterTest test(R"(
      elementclass C { i :: InfiniteSource -> Discard; ScheduleInfo(i 0.5) };
      c :: C; d :: C; a :: InfiniteSource -> Discard;
      ScheduleInfo(c 4, a 2);)");
  EXPECT_EQ(test.errors(), "");
  EXPECT_EQ(test.read("a.tickets"), "2048");
  EXPECT_EQ(test.read("c/i.tickets"), "2048");
  EXPECT_EQ(test.read("d/i.tickets"), "512");
}

TEST_F(InfoElements, ScheduleInfoSharesTheTurns) {
  RouterTest test("a :: InfiniteSource -> Discard; b :: InfiniteSource -> Discard; ScheduleInfo(a 2, b 0.5);");
  test.advance(Duration::milliseconds(10));
  EXPECT_NEAR(std::stod(test.read("a.count")) / std::stod(test.read("b.count")), 4, 0.01);
}

TEST_F(InfoElements, WhatIsSaidAboutNoElementIsAnError) {
  EXPECT_EQ(RouterTest("ScheduleInfo(a 2);").errors(), "no element named 'a'\n");
  EXPECT_EQ(RouterTest("StaticThreadSched(a 0);").errors(), "no element named 'a'\n");
  EXPECT_EQ(RouterTest("a :: Idle; ScheduleInfo(a);").errors(), "expected 'ELEMENT PARAM': invalid number\n");
  EXPECT_EQ(RouterTest("a :: Idle; StaticThreadSched(a x);").errors(), "expected 'ELEMENT THREAD': invalid number\n");
}

TEST_F(InfoElements, StaticThreadSchedWarnsOfAThreadThatDoesNotExist) {
  RouterTest test("a :: InfiniteSource -> Discard; StaticThreadSched(a 3);");
  EXPECT_EQ(test.errors(), "thread 3 does not exist, 'a' runs on 0\n");
  EXPECT_EQ(test.read("a.home_thread"), "0");
}

TEST_F(InfoElements, AlignmentInfoIsCheckedAndIgnored) {
  EXPECT_EQ(RouterTest("a :: Idle; AlignmentInfo(a 4 2, a, b 4 0 8 4);").errors(), "");
  EXPECT_EQ(RouterTest("AlignmentInfo(a 4);").errors(), "expected 'ELEMENT [MODULUS OFFSET ...]'\n");
}

TEST_F(InfoElements, ErrorAlwaysFails) {
  EXPECT_EQ(RouterTest("Idle -> Error(whatever, I say) -> Idle;").errors(), "an Error element always fails\n");
}

}  // namespace
}  // namespace packetmill::testing
