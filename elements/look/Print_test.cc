#include <gmock/gmock.h>

#include "tests/support/packets.h"
#include "tests/support/scratch_file.h"

namespace packetmill::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

/// What an element of `class_name` prints of one packet; the packet must pass unchanged.
std::vector<std::string> printed(const std::string& class_name, const std::string& configuration,
                                 const TestPacket& packet) {
  ElementTest test(class_name, configuration);
  EXPECT_EQ(test.errors(), "");
  test.push(0, packet);
  EXPECT_EQ(test.output(), std::vector<TestPacket>{packet});
  return test.messages();
}

TestPacket at_one_and_a_half(TestPacket packet) { return packet.set<ReceiveTime>(Timestamp{1'500'000'000}); }

// The packet and the line of Click's own introductory configuration.
const Bytes kIntroduction =
    hex("45000028 00000000 401177c3 01000001 02000002 13691369 0014d641 55445020 7061636b 6574210a");

TEST(Print, PrintsLabelLengthAndTwentyFourBytes) {
  EXPECT_THAT(printed("Print", "ok", kIntroduction),
              ElementsAre("ok:   40 | 45000028 00000000 401177c3 01000001 02000002 13691369"));
  EXPECT_THAT(printed("Print", "", hex("aabbccddee")), ElementsAre("   5 | aabbccdd ee"));
  EXPECT_THAT(printed("Print", "\"two words\"", {}), ElementsAre("two words:    0 | "));
}

TEST(Print, MaxlengthLimitsTheBytes) {
  EXPECT_THAT(printed("Print", "x, 2", hex("aabbccdd")), ElementsAre("x:    4 | aabb"));
  EXPECT_THAT(printed("Print", "x, MAXLENGTH 0", hex("aabbccdd")), ElementsAre("x:    4 | "));
  EXPECT_THAT(printed("Print", "MAXLENGTH -1", Bytes(65535)), ElementsAre(SizeIs(5 + 3 + 65535 * 2 + 65535 / 4)));
}

TEST(Print, ContentsMayBeAsciiOrNothing) {
  EXPECT_THAT(printed("Print", "CONTENTS ASCII", hex("4745540020 7f41ff 0a")), ElementsAre("   9 | GET. .A. ."));
  EXPECT_THAT(printed("Print", "x, CONTENTS none", hex("aabb")), ElementsAre("x:    2"));
  EXPECT_THAT(printed("Print", "x, CONTENTS false", hex("aabb")), ElementsAre("x:    2"));
  EXPECT_EQ(ElementTest("Print", "CONTENTS BINARY").errors(), "CONTENTS: expected NONE, HEX or ASCII\n");
}

TEST(Print, SaysMoreWhenAsked) {
  const TestPacket packet = at_one_and_a_half(hex("aa")).set<PaintColor>(7);
  EXPECT_THAT(printed("Print", "x, TIMESTAMP true", packet), ElementsAre("x: 1.500000000:    1 | aa"));
  EXPECT_THAT(printed("Print", "TIMESTAMP true", packet), ElementsAre("1.500000000:    1 | aa"));
  EXPECT_THAT(printed("Print", "x, CPU true", packet), ElementsAre("x(0):    1 | aa"));
  EXPECT_THAT(printed("Print", "x, HEADROOM true", packet), ElementsAre(::testing::StartsWith("x (h128 t")));
  const std::string zeros = "00000000 00000000 00000000 00000000 ";
  EXPECT_THAT(printed("Print", "x, PRINTANNO true", packet),
              ElementsAre("x:    1 | " + zeros + "07000000 00000000 00000000 00000000 " +
                          zeros.substr(0, zeros.size() - 1) + " | aa"));
}

TEST(Print, ActiveIsReadableAndWritable) {
  ElementTest test("Print", "ACTIVE false");
  test.push(0, TestPacket(hex("aa")));
  EXPECT_THAT(test.messages(), IsEmpty());
  EXPECT_EQ(test.write("active", "true"), "");
  EXPECT_EQ(test.read("active"), "true");
  test.push(0, TestPacket(hex("aa")));
  EXPECT_THAT(test.messages(), SizeIs(1));
}

std::vector<std::string> ip_printed(const std::string& keywords, const Bytes& packet) {
  return printed("IPPrint", "TIMESTAMP false" + (keywords.empty() ? "" : ", " + keywords), marked(packet));
}

TEST(IPPrint, PrintsLabelAndTime) {
  const TestPacket packet = at_one_and_a_half(marked(udp(53, 1024)));
  EXPECT_THAT(printed("IPPrint", "in", packet), ElementsAre("in: 1.500000000: 10.0.0.1.53 > 10.0.1.2.1024: udp 16"));
  EXPECT_THAT(printed("IPPrint", "", packet), ElementsAre("1.500000000: 10.0.0.1.53 > 10.0.1.2.1024: udp 16"));
}

TEST(IPPrint, PrintsTcp) {
  // tcp() makes sequence number 1, acknowledgement 2, window 4096.
  EXPECT_THAT(ip_printed("", tcp(80, 1234, kTcpAck)),
              ElementsAre("10.0.0.1.80 > 10.0.1.2.1234: . 1:9(8,48,48) ack 2 win 4096"));
  EXPECT_THAT(ip_printed("", tcp(80, 1234, kTcpSyn, {})),
              ElementsAre("10.0.0.1.80 > 10.0.1.2.1234: S 1:2(1,40,40) win 4096"));
  EXPECT_THAT(ip_printed("", tcp(80, 1234, 0x3f, {})),
              ElementsAre("10.0.0.1.80 > 10.0.1.2.1234: SFRP 1:3(2,40,40) ack 2 win 4096 urg 0"));
}

TEST(IPPrint, PrintsIcmpAndOthers) {
  EXPECT_THAT(ip_printed("", icmp(kIcmpEcho, 0, 0x00050102)), ElementsAre("10.0.0.1 > 10.0.1.2: icmp echo (5, 258)"));
  EXPECT_THAT(ip_printed("SWAP false", icmp(kIcmpEchoReply, 0, 0x00050102)),
              ElementsAre("10.0.0.1 > 10.0.1.2: icmp echo-reply (1280, 513)"));
  EXPECT_THAT(ip_printed("", icmp(kIcmpUnreachable, 1)), ElementsAre("10.0.0.1 > 10.0.1.2: icmp type 3 code 1"));
  EXPECT_THAT(ip_printed("", ipv4(47, counting(4))), ElementsAre("10.0.0.1 > 10.0.1.2: ip-proto-47"));
}

TEST(IPPrint, PrintsFragments) {
  EXPECT_THAT(ip_printed("", udp(1, 2, counting(8), {.identification = 77, .fragment = kMoreFragments})),
              ElementsAre("10.0.0.1.1 > 10.0.1.2.2: udp 16 (frag 77:16@0+)"));
  EXPECT_THAT(ip_printed("", ipv4(17, counting(24), {.identification = 77, .fragment = 2})),
              ElementsAre("10.0.0.1 > 10.0.1.2: ip-proto-17 (frag 77:24@16)"));
}

TEST(IPPrint, SaysMoreWhenAsked) {
  const Bytes packet = udp(1, 2, {}, {.ttl = 9, .tos = 16, .identification = 77});
  const std::string rest = "10.0.0.1.1 > 10.0.1.2.2: udp 8";
  EXPECT_THAT(ip_printed("ID true, TTL true, TOS true, LENGTH true", packet),
              ElementsAre("id 77 ttl 9 tos 16 length 28 " + rest));
  EXPECT_THAT(printed("IPPrint", "TIMESTAMP false, AGGREGATE true, PAINT true",
                      marked(packet).set<AggregateNumber>(12).set<PaintColor>(3)),
              ElementsAre("#12.3: " + rest));
  EXPECT_THAT(printed("IPPrint", "TIMESTAMP false, PAINT true", marked(packet).set<PaintColor>(3)),
              ElementsAre("paint 3: " + rest));
  EXPECT_THAT(printed("IPPrint", "TIMESTAMP false, ETHER true", TestPacket(ethernet(packet)).at(0, 14, 34)),
              ElementsAre("00-00-00-00-00-01 > 00-00-00-00-00-02: " + rest));
}

TEST(IPPrint, PrintsThePacketOrItsPayload) {
  const Bytes packet = udp(1, 2, counting(40), {.identification = 0});
  EXPECT_THAT(ip_printed("PAYLOAD HEX", packet),
              ElementsAre("10.0.0.1.1 > 10.0.1.2.2: udp 48"
                          "\n  00010203 04050607 08090a0b 0c0d0e0f 10111213 14151617 18191a1b 1c1d1e1f"
                          "\n  20212223 24252627"));
  EXPECT_THAT(ip_printed("CONTENTS HEX, MAXLENGTH 4", packet),
              ElementsAre("10.0.0.1.1 > 10.0.1.2.2: udp 48\n  45000044"));
  EXPECT_THAT(ip_printed("CONTENTS HEX, NBYTES 4", packet), ElementsAre(HasSubstr("\n  45000044")));
  EXPECT_THAT(ip_printed("PAYLOAD ASCII", tcp(1, 2, 0, hex("474554"))), ElementsAre(HasSubstr("\n  GET")));
  EXPECT_EQ(ElementTest("IPPrint", "CONTENTS HEX, PAYLOAD HEX").errors(),
            "specify at most one of CONTENTS and PAYLOAD\n");
}

TEST(IPPrint, WritesToAFile) {
  const ScratchFile file;
  EXPECT_THAT(ip_printed("OUTFILE " + file.path(), udp(1, 2, {})), IsEmpty());
  EXPECT_EQ(file.text(), "10.0.0.1.1 > 10.0.1.2.2: udp 8\n");
  EXPECT_EQ(ElementTest("IPPrint", "OUTFILE /no/such/directory/file").errors(),
            "/no/such/directory/file: cannot be written\n");
}

TEST(IPPrint, EveryTruncationAndEveryByteIsSafe) {
  for (const Bytes& whole : {tcp(1, 2), udp(1, 2), icmp(8, 0)}) {
    ElementTest test("IPPrint", "PAYLOAD HEX");
    for (std::size_t size = 0; size <= whole.size(); ++size)
      test.push(0, TestPacket(Bytes(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size))).at(-1, 0, 20));
    for (std::size_t i = 0; i < whole.size(); ++i) {
      Bytes wrong = whole;
      wrong[i] = 0xff;
      test.push(0, TestPacket(wrong).at(-1, 0, 20));
      wrong[i] = 0;
      test.push(0, TestPacket(wrong).at(-1, 0, 20));
    }
    EXPECT_THAT(test.output(), SizeIs(3 * whole.size() + 1));
    EXPECT_THAT(test.messages(), ::testing::Contains("0.000000000: truncated-ip"));
  }
}

TEST(IPPrint, PacketsWithoutANetworkHeaderPassUnseen) {
  EXPECT_THAT(printed("IPPrint", "", TestPacket(counting(40))), IsEmpty());
}

TEST(ARPPrint, PrintsRequestsRepliesAndOthers) {
  const auto line = [](std::uint16_t operation, const std::string& keywords) {
    return printed(
        "ARPPrint", keywords,
        at_one_and_a_half(
            TestPacket(arp(operation, "00:00:00:00:00:0a", "10.0.0.1", "00:00:00:00:00:0b", "10.0.0.2")).at(0, 14)));
  };
  EXPECT_THAT(line(kArpRequest, "in"), ElementsAre("in: 1.500000000: arp who-has 10.0.0.2 tell 10.0.0.1"));
  EXPECT_THAT(line(kArpReply, "TIMESTAMP false"), ElementsAre("arp reply 10.0.0.1 is-at 00-00-00-00-00-0A"));
  EXPECT_THAT(line(3, "TIMESTAMP false"), ElementsAre("arp operation 3"));
  EXPECT_THAT(line(kArpReply, "TIMESTAMP false, ETHER true"),
              ElementsAre("00-00-00-00-00-0A > 00-00-00-00-00-0B: arp reply 10.0.0.1 is-at 00-00-00-00-00-0A"));
  EXPECT_THAT(line(kArpReply, "ACTIVE false"), IsEmpty());
}

TEST(ARPPrint, ShortPacketsAreSaidToBeShort) {
  EXPECT_THAT(printed("ARPPrint", "TIMESTAMP false", TestPacket(counting(27)).at(-1, 0)), ElementsAre("truncated-arp"));
  EXPECT_THAT(printed("ARPPrint", "", TestPacket(counting(28))), IsEmpty());
}

TEST(ARPPrint, WritesToAFile) {
  const ScratchFile file;
  EXPECT_THAT(printed("ARPPrint", "TIMESTAMP false, OUTFILE " + file.path(), TestPacket(counting(27)).at(-1, 0)),
              IsEmpty());
  EXPECT_EQ(file.text(), "truncated-arp\n");
}

}  // namespace
}  // namespace packetmill::testing
