#include <gmock/gmock.h>

#include "tests/support/packets.h"

// VLANEncap, VLANDecap, SetVLANAnno.

namespace packetmill::testing {
namespace {

using Packets = std::vector<TestPacket>;

constexpr std::uint16_t network(std::uint16_t tci) { return swap_network(tci); }
const Bytes kPlain = hex("020202020202 010101010101 0800 abcd");
const Bytes kTagged = hex("020202020202 010101010101 8100 6005 0800 abcd");  // priority 3, VLAN 5

TEST(VLANEncap, PutsTheTagBehindTheAddresses) {
  for (const char* configuration : {"0x6005", "VLAN_TCI 0x6005", "VLAN_ID 5, VLAN_PCP 3", "0x0005, 3"}) {
    ElementTest test("VLANEncap", configuration);
    test.push(0, TestPacket(kPlain));
    const Packets out = test.output();
    EXPECT_EQ(out, Packets{kTagged}) << configuration;
    EXPECT_EQ(out.at(0).mac_offset, 0);
  }
}

TEST(VLANEncap, AnnoTakesTheTagFromTheAnnotation) {
  ElementTest test("VLANEncap", "ANNO");
  test.push(0, TestPacket(kPlain).set<VlanTci>(network(0x6005)));
  EXPECT_EQ(test.output(), Packets{kTagged});
}

TEST(VLANEncap, FramesOfTheNativeVlanStayPlain) {
  ElementTest zero("VLANEncap", "ANNO");
  zero.push(0, TestPacket(kPlain));
  EXPECT_EQ(zero.output(), Packets{kPlain});
  ElementTest five("VLANEncap", "0x6005, NATIVE_VLAN 5");
  five.push(0, TestPacket(kPlain));
  EXPECT_EQ(five.output(), Packets{kPlain});
  ElementTest none("VLANEncap", "0, NATIVE_VLAN -1");
  none.push(0, TestPacket(kPlain));
  EXPECT_EQ(none.output(), Packets{hex("020202020202 010101010101 8100 0000 0800 abcd")});
}

TEST(VLANEncap, EthertypeNamesOtherTags) {
  ElementTest test("VLANEncap", "VLAN_ID 5, ETHERTYPE 0x88a8");
  test.push(0, TestPacket(kPlain));
  EXPECT_EQ(test.output(), Packets{hex("020202020202 010101010101 88a8 0005 0800 abcd")});
}

TEST(VLANEncap, DropsWhatHasNoAddresses) {
  ElementTest test("VLANEncap", "5");
  test.push(0, Packets{Bytes(), counting(11), counting(12)});
  EXPECT_EQ(test.drops("too_short"), 2);
}

TEST(VLANEncap, ArgumentsExcludeEachOther) {
  const auto errors = [](const std::string& text) { return ElementTest("VLANEncap", text).errors(); };
  EXPECT_EQ(errors(""), "exactly one of VLAN_TCI and VLAN_ID must be set\n");
  EXPECT_EQ(errors("5, VLAN_ID 5"), "exactly one of VLAN_TCI and VLAN_ID must be set\n");
  EXPECT_EQ(errors("ANNO, 3"), "VLAN_PCP cannot be set with VLAN_TCI ANNO\n");
  EXPECT_EQ(errors("5, VLAN_ID 0x1000"), "VLAN_ID: out of range, bounds 0 and 4095\n");
  EXPECT_EQ(errors("5, 8"), "VLAN_PCP: out of range, bounds 0 and 7\n");
}

TEST(VLANDecap, TakesTheTagOutAndKeepsItAsAnnotation) {
  ElementTest test("VLANDecap");
  test.push(0, TestPacket(kTagged));
  const Packets out = test.output();
  EXPECT_EQ(out, Packets{kPlain});
  EXPECT_EQ(out.at(0).get<VlanTci>(), network(0x6005));
  EXPECT_EQ(out.at(0).mac_offset, 0);
}

TEST(VLANDecap, FramesWithoutTagPassWithAnnotationZero) {
  ElementTest test("VLANDecap");
  for (const Bytes& frame : {kPlain, Bytes(), counting(13)}) {
    test.push(0, TestPacket(frame).set<VlanTci>(7));
    const TestPacket out = test.output().at(0);
    EXPECT_EQ(out, TestPacket(frame));
    EXPECT_EQ(out.get<VlanTci>(), 0);
  }
}

TEST(VLANDecap, AnnoFalseLeavesTheAnnotationAlone) {
  ElementTest test("VLANDecap", "ANNO false");
  test.push(0, TestPacket(kTagged).set<VlanTci>(7));
  EXPECT_EQ(test.output().at(0).get<VlanTci>(), 7);
}

TEST(VLANDecap, EthertypeNamesOtherTags) {
  ElementTest test("VLANDecap", "ETHERTYPE 0x88a8");
  test.push(0, {TestPacket(kTagged), TestPacket(hex("020202020202 010101010101 88a8 0005 0800 abcd"))});
  EXPECT_EQ(test.output(), (Packets{kTagged, kPlain}));
}

TEST(SetVLANAnno, SetsTheAnnotationAndHandlersChangeIt) {
  ElementTest test("SetVLANAnno", "VLAN_ID 5, VLAN_PCP 3");
  const auto annotation = [&] {
    test.push(0, TestPacket(kPlain));
    return test.output().at(0).get<VlanTci>();
  };
  EXPECT_EQ(annotation(), network(0x6005));
  EXPECT_EQ(test.read("vlan_tci"), "24581");
  EXPECT_EQ(test.read("vlan_id"), "5");
  EXPECT_EQ(test.read("vlan_pcp"), "3");
  EXPECT_EQ(test.write("vlan_id", "6"), "");
  EXPECT_EQ(annotation(), network(0x6006));
  EXPECT_EQ(test.write("vlan_pcp", "1"), "");
  EXPECT_EQ(annotation(), network(0x2006));
  EXPECT_EQ(test.write("vlan_tci", "9"), "");
  EXPECT_EQ(annotation(), network(9));
  EXPECT_EQ(test.write("vlan_id", "4096"), "out of range, bounds 0 and 4095");
  EXPECT_EQ(ElementTest("SetVLANAnno", "ANNO").errors(), "VLAN_TCI: the annotation cannot come from itself\n");
}

}  // namespace
}  // namespace packetmill::testing
