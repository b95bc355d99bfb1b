#include "runtime/declarations.h"

#include <gtest/gtest.h>
#include <netinet/in.h>

namespace packetmill {
namespace {

IPv4Address address(std::uint8_t last) { return IPv4Address::from_host(0x0a000000U + last); }

TEST(Declarations, NamesHoldInTheCompoundOfWhoDeclaresThem) {
  Declarations declarations;
  declarations.name("info", "a").ipv4 = address(1);
  declarations.name("c/info", "a").ipv4 = address(2);
  declarations.name("c/info", "b").ipv4 = address(3);
  EXPECT_EQ(declarations.names_for("e")->find_ipv4("a"), address(1));
  EXPECT_EQ(declarations.names_for("e")->find_ipv4("b"), std::nullopt);
  EXPECT_EQ(declarations.names_for("c/e")->find_ipv4("a"), address(2));
  EXPECT_EQ(declarations.names_for("c/d/e")->find_ipv4("b"), address(3));
  EXPECT_EQ(declarations.names_for("d/e")->find_ipv4("a"), address(1));
}

TEST(Declarations, AnInnerNameOfAnotherKindDoesNotHideAnOuterOne) {
  Declarations declarations;
  declarations.name("info", "a").ipv4 = address(1);
  declarations.name("c/info", "a").ethernet = EthernetAddress::broadcast();
  EXPECT_EQ(declarations.names_for("c/e")->find_ipv4("a"), address(1));
  EXPECT_EQ(declarations.names_for("c/e")->find_ethernet("a"), EthernetAddress::broadcast());
  EXPECT_EQ(declarations.names_for("e")->find_ethernet("a"), std::nullopt);
}

TEST(Declarations, PortsGoByProtocol) {
  Declarations declarations;
  declarations.name("info", "p").ports[kTcp.number] = 80;
  EXPECT_EQ(declarations.names_for("e")->find_port("p", kTcp), 80);
  EXPECT_EQ(declarations.names_for("e")->find_port("p", kUdp), std::nullopt);
}

TEST(Declarations, TicketsMultiplyAlongTheCompounds) {
  Declarations declarations;
  for (const char* name : {"c/d/e", "e"}) declarations.add_element(name);
  EXPECT_EQ(declarations.tickets_of("e"), 1024);
  EXPECT_TRUE(declarations.set_tickets("info", "c", 4));
  EXPECT_TRUE(declarations.set_tickets("c/info", "d", 0.5));
  EXPECT_TRUE(declarations.set_tickets("c/d/info", "e", 3));
  EXPECT_EQ(declarations.tickets_of("c/d/e"), 6 * 1024);
  EXPECT_EQ(declarations.tickets_of("e"), 1024);
}

TEST(Declarations, TicketsAreAtLeastOne) {
  Declarations declarations;
  declarations.add_element("e");
  EXPECT_TRUE(declarations.set_tickets("info", "e", 0));
  EXPECT_EQ(declarations.tickets_of("e"), 1);
}

TEST(Declarations, OfCoresTheInnermostCounts) {
  Declarations declarations;
  for (const char* name : {"c/d/e", "c/f", "e"}) declarations.add_element(name);
  EXPECT_TRUE(declarations.set_core("info", "c", 1));
  EXPECT_TRUE(declarations.set_core("info", "c/d/e", 2));
  EXPECT_EQ(declarations.core_of("c/d/e"), 2);
  EXPECT_EQ(declarations.core_of("c/f"), 1);
  EXPECT_EQ(declarations.core_of("e"), std::nullopt);
}

TEST(Declarations, KnowsElementsAndCompounds) {
  Declarations declarations;
  for (const char* name : {"cc", "c/e", "c-d"}) declarations.add_element(name);
  EXPECT_TRUE(declarations.set_core("info", "c", 0));
  EXPECT_TRUE(declarations.set_core("info", "c/e", 0));
  EXPECT_TRUE(declarations.set_core("c/info", "e", 0));
  EXPECT_FALSE(declarations.set_core("info", "e", 0));
  EXPECT_FALSE(declarations.set_core("c/info", "c", 0));
  EXPECT_FALSE(declarations.set_core("info", "", 0));
}

TEST(Declarations, NamesThatNothingDeclaresMayBeDevicesOfTheMachine) {
  Declarations declarations;
  const auto names = declarations.names_for("e");
  EXPECT_EQ(names->find_ipv4("lo"), (IPv4Address{htonl(INADDR_LOOPBACK)}));
  EXPECT_EQ(names->find_ipv4_prefix("lo")->length(), 8);
  EXPECT_EQ(names->find_ethernet("lo"), EthernetAddress{});
  EXPECT_EQ(names->find_ipv4("no-such-device"), std::nullopt);
  declarations.name("e", "lo").ipv4 = address(1);
  EXPECT_EQ(names->find_ipv4("lo"), address(1)) << "what is declared comes first";
}

}  // namespace
}  // namespace packetmill
