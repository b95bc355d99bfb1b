#include <gmock/gmock.h>

#include "tests/support/packets.h"

// What a router does to headers on its output path: IPGWOptions, FixIPSrc, SetIPChecksum, IPOutputCombo.
namespace packetmill::testing {
namespace {

using ::testing::IsEmpty;

Bytes with_options(std::string_view options) { return udp(1, 2, counting(8), {.options = hex(options)}); }

// Tests run at 1,000,000,000 seconds after the epoch, 01:46:40 UT: 6,400,000 = 0x61a800 milliseconds after midnight.

struct OptionCase {
  const char* what;
  const char* before;
  const char* after;
};

TEST(IPGWOptions, FillsInRecordRouteAndTimestamp) {
  const OptionCase cases[] = {
      {"record route, first entry", "07 0b 04 00000000 00000000 00", "07 0b 08 01020304 00000000 00"},
      {"record route, last entry", "07 0b 08 05050505 00000000 00", "07 0b 0c 05050505 01020304 00"},
      {"record route, full", "07 07 08 05050505 00", "07 07 08 05050505 00"},
      {"behind no-operations", "01 07 07 04 00000000", "01 07 07 08 01020304"},
      {"behind an unknown option", "94 04 0000 07 07 04 00000000 00", "94 04 0000 07 07 08 01020304 00"},
      {"nothing behind the end of the list", "00 07 07 04 00000000", "00 07 07 04 00000000"},
      {"timestamp only", "44 08 05 00 00000000", "44 08 09 00 0061a800"},
      {"timestamp only, full: one more overflow", "44 08 09 20 11111111", "44 08 09 30 11111111"},
      {"address and timestamp", "44 0c 05 01 00000000 00000000", "44 0c 0d 01 01020304 0061a800"},
      {"prespecified: our address", "44 0c 05 03 01020304 00000000", "44 0c 0d 03 01020304 0061a800"},
      {"prespecified: another of our addresses", "44 0c 05 03 0a000001 00000000", "44 0c 0d 03 0a000001 0061a800"},
      {"prespecified: somebody else's", "44 0c 05 03 09090909 00000000", "44 0c 05 03 09090909 00000000"},
      {"prespecified: full", "44 0c 0d 03 09090909 00000000", "44 0c 0d 03 09090909 00000000"},
  };
  for (const OptionCase& c : cases) {
    ElementTest test("IPGWOptions", "1.2.3.4, 10.0.0.1 10.0.0.2");
    test.push(0, marked(with_options(c.before)));
    EXPECT_EQ(test.output(0), std::vector<TestPacket>{with_options(c.after)}) << c.what;
  }
}

struct WrongOption {
  const char* what;
  const char* options;
  int wrong_byte;
};

TEST(IPGWOptions, PointsAtTheWrongByte) {
  const WrongOption cases[] = {
      {"no room for a length", "01 01 01 07", 23},
      {"length 1", "07 01 04 00", 21},
      {"longer than the header", "07 07 04 00", 21},
      {"record route of two bytes", "07 02 00 00", 21},
      {"record route: pointer into the option's head", "07 07 03 00000000 00", 22},
      {"record route: half an entry left", "07 07 06 00000000 00", 22},
      {"timestamp of three bytes", "44 03 05 00", 21},
      {"timestamp: unknown flag", "44 08 05 02 00000000", 23},
      {"timestamp: pointer into the option's head", "44 08 04 00 00000000", 22},
      {"timestamp: half an entry left", "44 08 05 01 00000000", 22},
      {"timestamp: the overflow overflows", "44 08 09 f0 00000000", 23},
      {"a good one before", "07 07 04 00000000 07 01 04 00 00", 28},
  };
  for (const WrongOption& c : cases) {
    ElementTest test("IPGWOptions", "1.2.3.4");
    const Bytes packet = with_options(c.options);
    test.push(0, marked(packet));
    EXPECT_THAT(test.output(0), IsEmpty()) << c.what;
    const auto out = test.output(1);
    ASSERT_EQ(out, std::vector<TestPacket>{packet}) << c.what << ": must leave unchanged";
    EXPECT_EQ(out[0].get<IcmpParameterProblem>(), c.wrong_byte) << c.what;
    EXPECT_EQ(test.read("drops"), "1");
  }
}

TEST(IPGWOptions, DropsWrongOptionsWhereOutput1IsNotConnected) {
  ElementTest test("IPGWOptions", "1.2.3.4", {.outputs = 1});
  test.push(0, marked(with_options("07 01 04 00")));
  EXPECT_EQ(test.drops("bad_option"), 1);
}

TEST(IPGWOptions, NeedsAWholeHeader) {
  ElementTest test("IPGWOptions", "1.2.3.4");
  Bytes cut = with_options("01010101");
  cut.resize(22);
  test.push(0, {TestPacket(cut).at(-1, 0), TestPacket(counting(40)), TestPacket(hex("44")).at(-1, 0)});
  EXPECT_EQ(test.drops("bad_ip_header"), 3);
}

TEST(FixIPSrc, WritesItsAddressWhereAsked) {
  ElementTest test("FixIPSrc", "1.2.3.4");
  test.push(0, {marked(udp(1, 2)), marked(icmp(11, 0)).set<FixIpSource>(1)});
  const auto out = test.output();
  ASSERT_EQ(out, (std::vector<TestPacket>{udp(1, 2), icmp(11, 0, 0, counting(8), {.source = "1.2.3.4"})}));
  EXPECT_EQ(out[1].get<FixIpSource>(), 0);
}

TEST(FixIPSrc, DropsWhatAsksForItWithoutAHeader) {
  ElementTest test("FixIPSrc", "1.2.3.4");
  test.push(0, {TestPacket(counting(8)), TestPacket(counting(8)).set<FixIpSource>(1)});
  EXPECT_EQ(test.output().size(), 1);
  EXPECT_EQ(test.drops("bad_ip_header"), 1);
}

TEST(SetIPChecksum, SetsTheChecksum) {
  ElementTest test("SetIPChecksum");
  // See CheckIPHeader_test.cc for the sum by hand.
  test.push(0, TestPacket(hex("4500001c 00010000 4011ffff 0a000001 0a000102 0001000200080000")).at(-1, 0));
  EXPECT_EQ(test.output(),
            std::vector<TestPacket>{hex("4500001c 00010000 401165ce 0a000001 0a000102 0001000200080000")});
}

TEST(SetIPChecksum, CoversTheOptionsAndNeedsThemWhole) {
  ElementTest test("SetIPChecksum");
  Bytes wrong = with_options("01010100");
  wrong[10] = wrong[11] = 0;
  Bytes cut = wrong;
  cut.resize(23);
  test.push(0, {marked(wrong), marked(cut), TestPacket(wrong)});
  EXPECT_EQ(test.output(), std::vector<TestPacket>{with_options("01010100")});
  EXPECT_EQ(test.drops("bad_ip_header"), 2);
}

TEST(IPOutputCombo, SendsGoodPacketsOneHopFurther) {
  for (const int batch_size : {1, 32}) {
    ElementTest test("IPOutputCombo", "3, 1.2.3.4, 1500", {.batch_size = batch_size});
    test.push(
        0, {marked(udp(1, 2)), marked(with_options("07 07 04 00000000 00")), marked(icmp(11, 0)).set<FixIpSource>(1)});
    EXPECT_EQ(test.output(0),
              (std::vector<TestPacket>{udp(1, 2, counting(8), {.ttl = 63}),
                                       udp(1, 2, counting(8), {.ttl = 63, .options = hex("07 07 08 01020304 00")}),
                                       icmp(11, 0, 0, counting(8), {.source = "1.2.3.4", .ttl = 63})}));
    for (int port = 1; port < 5; ++port) EXPECT_THAT(test.output(port), IsEmpty());
  }
}

TEST(IPOutputCombo, CopiesWhatLeavesWhereItCameFrom) {
  ElementTest test("IPOutputCombo", "3, 1.2.3.4, 1500");
  test.push(0, marked(udp(1, 2)).set<PaintColor>(3));
  EXPECT_EQ(test.output(0), std::vector<TestPacket>{udp(1, 2, counting(8), {.ttl = 63})});
  EXPECT_EQ(test.output(1), std::vector<TestPacket>{udp(1, 2)}) << "as it came";
}

TEST(IPOutputCombo, WrongOptionsExpiredAndLongPacketsHaveOutputs) {
  ElementTest test("IPOutputCombo", "3, 1.2.3.4, 36");
  const Bytes wrong = with_options("07 01 04 00");
  const Bytes expired = udp(1, 2, counting(8), {.ttl = 1});
  test.push(0, {marked(wrong), marked(expired), marked(udp(1, 2, counting(9))), marked(udp(1, 2, counting(8)))});
  const auto problems = test.output(2);
  ASSERT_EQ(problems, std::vector<TestPacket>{wrong});
  EXPECT_EQ(problems[0].get<IcmpParameterProblem>(), 21);
  EXPECT_EQ(test.output(3), std::vector<TestPacket>{expired});
  EXPECT_EQ(test.output(4), std::vector<TestPacket>{udp(1, 2, counting(9), {.ttl = 63})}) << "37 bytes";
  EXPECT_EQ(test.output(0), std::vector<TestPacket>{udp(1, 2, counting(8), {.ttl = 63})}) << "36 bytes";
}

TEST(IPOutputCombo, DropsBroadcastsAndWhatHasNoHeader) {
  ElementTest test("IPOutputCombo", "3, 1.2.3.4, 1500");
  test.push(0, {marked(udp(1, 2)).set<Kind>(PacketKind::broadcast), TestPacket(udp(1, 2))});
  EXPECT_EQ(test.drops("link_broadcast"), 1);
  EXPECT_EQ(test.drops("bad_ip_header"), 1);
}

}  // namespace
}  // namespace packetmill::testing
