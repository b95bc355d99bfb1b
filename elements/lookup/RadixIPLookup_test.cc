#include <gmock/gmock.h>

#include "tests/support/packets.h"

// All five IP lookup elements: they differ in the table underneath only.

namespace packetmill::testing {
namespace {

using ::testing::HasSubstr;

/// A packet on its way to `destination`.
TestPacket to_address(std::string_view destination) {
  return TestPacket(counting(20)).set<DestinationAddress>(ip(destination));
}

/// "PORT GATEWAY-OR-DESTINATION" of a packet that is looked up, or "dropped".
std::string route_of(ElementTest& test, std::string_view destination, int outputs = 3) {
  test.push(0, to_address(destination));
  for (int port = 0; port < outputs; ++port)
    for (const TestPacket& packet : test.output(port))
      return std::to_string(port) + " " + to_string(packet.get<DestinationAddress>());
  return "dropped";
}

class IPLookup : public ::testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Elements, IPLookup,
                         ::testing::Values("StaticIPLookup", "LinearIPLookup", "RadixIPLookup", "DirectIPLookup",
                                           "RangeIPLookup", "LookupIPRoute", "LookupIPRouteMP"),
                         [](const auto& name) { return std::string(name.param); });

class IPRouteTable : public ::testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Elements, IPRouteTable,
                         ::testing::Values("LinearIPLookup", "RadixIPLookup", "DirectIPLookup", "RangeIPLookup"),
                         [](const auto& name) { return std::string(name.param); });

constexpr const char* kRoutes = "18.26.4.24/32 0, 18.26.4.255 0, 18.26.4/24 1, 18.26.0.0/255.255.0.0 10.1.2.3 2";

TEST_P(IPLookup, LongestPrefixWinsAndTheGatewayBecomesTheDestination) {
  ElementTest test(GetParam(), kRoutes, {.outputs = 3});
  EXPECT_EQ(route_of(test, "18.26.4.24"), "0 18.26.4.24");
  EXPECT_EQ(route_of(test, "18.26.4.255"), "0 18.26.4.255");
  EXPECT_EQ(route_of(test, "18.26.4.25"), "1 18.26.4.25");
  EXPECT_EQ(route_of(test, "18.26.5.1"), "2 10.1.2.3");
}

TEST_P(IPLookup, DropsWhatNoRouteHolds) {
  ElementTest test(GetParam(), kRoutes, {.outputs = 3});
  EXPECT_EQ(route_of(test, "18.27.0.0"), "dropped");
  EXPECT_EQ(test.drops("no_route"), 1);
}

TEST_P(IPLookup, DefaultRouteHoldsEverything) {
  ElementTest test(GetParam(), "0/0 1.2.3.4 1, 10/8 0", {.outputs = 2});
  EXPECT_EQ(route_of(test, "0.0.0.0", 2), "1 1.2.3.4");
  EXPECT_EQ(route_of(test, "255.255.255.255", 2), "1 1.2.3.4");
  EXPECT_EQ(route_of(test, "10.255.255.255", 2), "0 10.255.255.255");
}

TEST_P(IPLookup, TableAndLookupAnswerAsClickDoes) {
  ElementTest test(GetParam(), kRoutes, {.outputs = 3});
  EXPECT_EQ(test.read("table"),
            "18.26.4.24/32\t\t-\t\t0\n"
            "18.26.4.255/32\t\t-\t\t0\n"
            "18.26.4.0/24\t\t-\t\t1\n"
            "18.26.0.0/16\t\t10.1.2.3\t2\n");
  EXPECT_EQ(test.read("lookup", "18.26.4.1"), "1");
  EXPECT_EQ(test.read("lookup", "18.26.0.1"), "2 10.1.2.3");
  EXPECT_EQ(test.read("lookup", "1.2.3.4"), "-1");
  EXPECT_EQ(test.router().read("element.lookup", "nonsense").text, "expected IP address");
}

TEST_P(IPLookup, BadRoutesAreErrorsByTheirNumber) {
  const auto errors = [&](const std::string& routes) {
    return ElementTest(GetParam(), routes, {.outputs = 2}).errors();
  };
  EXPECT_EQ(errors("1.0.0.0/8 0, 2.0.0.0/8"), "argument 2 should be 'ADDR/MASK [GATEWAY] OUTPUT'\n");
  EXPECT_EQ(errors("nonsense 0"), "argument 1 should be 'ADDR/MASK [GATEWAY] OUTPUT'\n");
  EXPECT_EQ(errors("1.0.0.0/255.0.255.0 0"), "argument 1 should be 'ADDR/MASK [GATEWAY] OUTPUT'\n");
  EXPECT_EQ(errors("1.0.0.0/8 1.2.3 0"), "argument 1 should be 'ADDR/MASK [GATEWAY] OUTPUT'\n");
  EXPECT_EQ(errors("1.0.0.0/8 -1"), "argument 1 should be 'ADDR/MASK [GATEWAY] OUTPUT'\n");
  EXPECT_EQ(errors("1.0.0.0/8 2"), "argument 1: port number out of range\n");
}

TEST_P(IPLookup, LaterOfTwoRoutesForOnePrefixCounts) {
  ElementTest test(GetParam(), "1.0.0.0/8 0, 1.2.3.4/8 9.9.9.9 1", {.outputs = 2});
  EXPECT_EQ(test.errors(), "route '1.0.0.0/8 9.9.9.9 1' replaces an earlier one\n");
  EXPECT_EQ(route_of(test, "1.1.1.1", 2), "1 9.9.9.9");
}

TEST_P(IPRouteTable, RoutesChangeBetweenPackets) {
  ElementTest test(GetParam(), "0/0 0", {.outputs = 3});
  EXPECT_EQ(route_of(test, "10.1.1.1"), "0 10.1.1.1");
  EXPECT_EQ(test.write("add", "10/8 192.168.0.1 1"), "");
  EXPECT_EQ(route_of(test, "10.1.1.1"), "1 192.168.0.1");
  EXPECT_EQ(test.write("set", "10/8 - 2\n"), "");
  EXPECT_EQ(route_of(test, "10.1.1.1"), "2 10.1.1.1");
  EXPECT_EQ(test.write("remove", "10/8"), "");
  EXPECT_EQ(route_of(test, "10.1.1.1"), "0 10.1.1.1");
  EXPECT_EQ(test.write("flush"), "");
  EXPECT_EQ(route_of(test, "10.1.1.1"), "dropped");
  EXPECT_EQ(test.read("table"), "");
}

TEST_P(IPRouteTable, ImpossibleCommandsAreRefusedWithTheReason) {
  ElementTest test(GetParam(), "10/8 192.168.0.1 1", {.outputs = 2});
  EXPECT_EQ(test.write("add", "10/8 0"), "conflict with existing route '10.0.0.0/8 192.168.0.1 1'");
  EXPECT_EQ(test.write("add", "11/8 2"), "port number out of range");
  EXPECT_EQ(test.write("add", "11/8"), "expected 'ADDR/MASK [GATEWAY] OUTPUT'");
  EXPECT_EQ(test.write("remove", "10/9"), "route '10.0.0.0/9 -' not found");
  EXPECT_EQ(test.write("remove", "10/8 1"), "route '10.0.0.0/8 - 1' not found");
  EXPECT_EQ(test.write("remove", ""), "expected 'ADDR/MASK [[GATEWAY] OUTPUT]'");
  EXPECT_EQ(test.write("remove", "10/8 192.168.0.1 1"), "");
}

TEST_P(IPRouteTable, ControlCarriesOutAllLinesOrNone) {
  ElementTest test(GetParam(), "10/8 0, 11/8 0", {.outputs = 2});
  EXPECT_EQ(test.write("ctrl", "add 12/8 1\n\n  set 10/8 1\nremove 11/8\n"), "");
  const std::string table = test.read("table");
  EXPECT_THAT(table, HasSubstr("10.0.0.0/8\t\t-\t\t1\n"));
  EXPECT_THAT(table, HasSubstr("12.0.0.0/8\t\t-\t\t1\n"));

  EXPECT_EQ(test.write("ctrl", "add 11/8 0\nremove 10/8\nset 12/8 0\nadd 12/8 0"),
            "conflict with existing route '12.0.0.0/8 - 0'");
  EXPECT_EQ(route_of(test, "10.0.0.1", 2), "1 10.0.0.1");
  EXPECT_EQ(route_of(test, "11.0.0.1", 2), "dropped");
  EXPECT_EQ(route_of(test, "12.0.0.1", 2), "1 12.0.0.1");
  EXPECT_EQ(test.write("ctrl", "replace 10/8 0"), "bad command 'replace'");
}

TEST(StaticIPLookup, RoutesNeverChange) {
  ElementTest test("StaticIPLookup", "0/0 0");
  EXPECT_EQ(test.write("add", "10/8 0"), "no 'element.add' handler");
}

}  // namespace
}  // namespace packetmill::testing
