#include <gmock/gmock.h>

#include "tests/support/packets.h"

namespace packetmill::testing {
namespace {

using ::testing::IsEmpty;
using ::testing::SizeIs;
using Packets = std::vector<TestPacket>;

constexpr std::uint8_t kProtocol = 59;

Bytes part(const Bytes& bytes, std::size_t from, std::size_t count) {
  return {bytes.begin() + static_cast<std::ptrdiff_t>(from), bytes.begin() + static_cast<std::ptrdiff_t>(from + count)};
}

TEST(IPFragmenter, CutsIntoFragmentsInOrder) {
  for (const int batch_size : {1, 32}) {
    ElementTest test("IPFragmenter", "44", {.outputs = 1, .batch_size = batch_size});
    test.push(0, marked(ipv4(kProtocol, counting(50), {.identification = 0x1234})));
    // Two fragments of 24 bytes of data, at offsets 0 and 24 = 3 * 8, and one of 2 at 48 = 6 * 8.
    const Bytes data = counting(50);
    EXPECT_EQ(test.output(0),
              (Packets{ipv4(kProtocol, part(data, 0, 24), {.identification = 0x1234, .fragment = 0x2000}),
                       ipv4(kProtocol, part(data, 24, 24), {.identification = 0x1234, .fragment = 0x2003}),
                       ipv4(kProtocol, part(data, 48, 2), {.identification = 0x1234, .fragment = 0x0006})}));
    EXPECT_EQ(test.read("fragments"), "3");
    EXPECT_EQ(test.ledger().consumed, 1U);
    EXPECT_EQ(test.ledger().generated, 3U);
  }
}

TEST(IPFragmenter, BytesOfALastFragment) {
  ElementTest test("IPFragmenter", "28", {.outputs = 1});
  test.push(0, marked(ipv4(kProtocol, hex("0001020304050607 08"), {.identification = 1})));
  const Packets out = test.output(0);
  ASSERT_THAT(out, SizeIs(2));
  // 4500 + 0015 + 0001 + 0001 + 403b + 0a00 + 0001 + 0a00 + 0102 = 9a55, complement 65aa.
  EXPECT_EQ(out[1], hex("4500 0015 0001 0001 40 3b 65aa 0a000001 0a000102 08"));
}

TEST(IPFragmenter, PacketsOfUpToTheMtuPass) {
  ElementTest test("IPFragmenter", "MTU 576", {.outputs = 1});
  const Bytes fits = ipv4(kProtocol, counting(556), {.fragment = kDontFragment});
  test.push(0, marked(fits));
  EXPECT_EQ(test.output(0), Packets{fits});
  test.push(0, marked(ipv4(kProtocol, counting(557))));
  EXPECT_THAT(test.output(0), SizeIs(2));
}

TEST(IPFragmenter, DontFragmentGoesToTheSecondOutput) {
  ElementTest test("IPFragmenter", "100");
  const Bytes packet = ipv4(kProtocol, counting(100), {.fragment = kDontFragment});
  test.push(0, Packets(7, marked(packet)));
  EXPECT_EQ(test.output(1), Packets(7, packet));
  EXPECT_THAT(test.output(0), IsEmpty());
  EXPECT_EQ(test.read("drops"), "7");
  EXPECT_EQ(test.messages(), std::vector<std::string>(5, "IPFragmenter(100) DF 10.0.0.1 10.0.1.2 len=120"));
}

TEST(IPFragmenter, VerboseTellsOfEveryPacketWithDf) {
  ElementTest test("IPFragmenter", "100, VERBOSE true");
  test.push(0, Packets(7, marked(ipv4(kProtocol, counting(100), {.fragment = kDontFragment}))));
  EXPECT_THAT(test.messages(), SizeIs(7));
}

TEST(IPFragmenter, DontFragmentCanBeIgnored) {
  ElementTest test("IPFragmenter", "100, HONOR_DF false");
  test.push(0, marked(ipv4(kProtocol, counting(88), {.fragment = kDontFragment})));
  EXPECT_EQ(test.output(0), (Packets{ipv4(kProtocol, part(counting(88), 0, 80), {.fragment = kMoreFragments}),
                                     ipv4(kProtocol, part(counting(88), 80, 8), {.fragment = 10})}));
}

TEST(IPFragmenter, FragmentsOfFragmentsKeepTheirPlace) {
  ElementTest test("IPFragmenter", "28", {.outputs = 1});
  const Bytes data = counting(16);
  test.push(0, marked(ipv4(kProtocol, data, {.fragment = 0x2000 | 100})));
  test.push(0, marked(ipv4(kProtocol, data, {.fragment = 100})));
  EXPECT_EQ(test.output(0), (Packets{ipv4(kProtocol, part(data, 0, 8), {.fragment = 0x2000 | 100}),
                                     ipv4(kProtocol, part(data, 8, 8), {.fragment = 0x2000 | 101}),
                                     ipv4(kProtocol, part(data, 0, 8), {.fragment = 0x2000 | 100}),
                                     ipv4(kProtocol, part(data, 8, 8), {.fragment = 101})}));
}

TEST(IPFragmenter, OptionsWithTheCopiedFlagAreInEveryFragment) {
  // RFC 791, 3.1: record route (7) is not copied, loose source route (131) is. 7 + 1 + 7 + 1 bytes.
  const Bytes options = hex("07070400000000 01 83070401020304 00");
  const Bytes copied = hex("83070401020304 00");
  ElementTest test("IPFragmenter", "44", {.outputs = 1});
  const Bytes data = counting(24);
  test.push(0, marked(ipv4(kProtocol, data, {.options = options})));
  EXPECT_EQ(test.output(0), (Packets{ipv4(kProtocol, part(data, 0, 8), {.fragment = 0x2000, .options = options}),
                                     ipv4(kProtocol, part(data, 8, 16), {.fragment = 1, .options = copied})}));
}

TEST(IPFragmenter, MalformedOptionsEndTheCopying) {
  for (const std::string_view options : {"8300 0000", "83ff 0000", "0101 0183"}) {
    ElementTest test("IPFragmenter", "32", {.outputs = 1});
    test.push(0, marked(ipv4(kProtocol, counting(16), {.options = hex(options)})));
    EXPECT_EQ(test.output(0).at(1), ipv4(kProtocol, part(counting(16), 8, 8), {.fragment = 1}));
  }
}

TEST(IPFragmenter, FragmentsKeepTheAnnotationsAndHaveTheirOwnHeaders) {
  ElementTest test("IPFragmenter", "44, HEADROOM 32", {.outputs = 1});
  test.push(0, marked(ipv4(kProtocol, counting(50))).set<DestinationAddress>(ip("1.2.3.4")).set<PaintColor>(7));
  for (const TestPacket& fragment : test.output(0)) {
    EXPECT_EQ(fragment.get<DestinationAddress>(), ip("1.2.3.4"));
    EXPECT_EQ(fragment.get<PaintColor>(), 7);
    EXPECT_EQ(fragment.mac_offset, -1);
    EXPECT_EQ(fragment.network_offset, 0);
    EXPECT_EQ(fragment.transport_offset, 20);
  }
}

TEST(IPFragmenter, OnlyTheFirstFragmentKeepsAnEthernetHeader) {
  ElementTest test("IPFragmenter", "44", {.outputs = 1});
  test.push(0, TestPacket(ethernet(ipv4(kProtocol, counting(25)))).at(0, 14, 34));
  EXPECT_EQ(test.output(0), (Packets{ethernet(ipv4(kProtocol, part(counting(25), 0, 24), {.fragment = 0x2000})),
                                     ipv4(kProtocol, part(counting(25), 24, 1), {.fragment = 3})}));
}

TEST(IPFragmenter, TooSmallAnMtuRefusesThePacket) {
  EXPECT_EQ(ElementTest("IPFragmenter", "7").errors(), "MTU must be at least 8\n");
  EXPECT_EQ(ElementTest("IPFragmenter", "").errors(), "MTU: required argument missing\nMTU must be at least 8\n");
  ElementTest test("IPFragmenter", "27");
  test.push(0, marked(ipv4(kProtocol, counting(16))));
  EXPECT_THAT(test.output(1), SizeIs(1));
}

TEST(IPFragmenter, MalformedPacketsAreDropped) {
  ElementTest test("IPFragmenter", "100");
  test.push(0, TestPacket(counting(10)));
  EXPECT_EQ(test.drops("no_ip_header"), 1);
  Bytes short_header = ipv4(kProtocol, counting(100));
  short_header[0] = 0x44;
  Bytes beyond = ipv4(kProtocol, counting(100));
  beyond[3] = 121;
  test.push(0, {TestPacket(short_header).at(-1, 0), TestPacket(beyond).at(-1, 0),
                marked(ipv4(kProtocol, counting(100), {.fragment = 0x1fff}))});
  EXPECT_EQ(test.drops("bad_ip_header"), 3);
}

TEST(IPFragmenter, LargestPacket) {
  ElementTest test("IPFragmenter", "68", {.outputs = 1});
  test.push(0, marked(ipv4(kProtocol, counting(65515))));
  Bytes together;
  for (const TestPacket& fragment : test.output(0)) {
    EXPECT_TRUE(checksums_right(fragment.bytes));
    together.insert(together.end(), fragment.bytes.begin() + 20, fragment.bytes.end());
  }
  EXPECT_EQ(together, counting(65515));
}

}  // namespace
}  // namespace packetmill::testing
