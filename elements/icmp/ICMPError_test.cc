#include <gmock/gmock.h>

#include "tests/support/packets.h"

namespace packetmill::testing {
namespace {

using ::testing::IsEmpty;
using ::testing::SizeIs;
using Packets = std::vector<TestPacket>;

/// An error message of ours that quotes `quote`, to `destination`.
Bytes error_message(std::uint8_t type, std::uint8_t code, std::uint32_t rest, const Bytes& quote,
                    const IPv4Options& options = {}) {
  IPv4Options filled = options;
  filled.source = "10.0.0.9";
  if (options.destination == IPv4Options{}.destination) filled.destination = "10.0.0.1";
  filled.ttl = 200;
  filled.identification = 0;
  return icmp(type, code, rest, quote, filled);
}
Bytes head(const Bytes& bytes, std::size_t count) {
  return {bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(count)};
}

const Bytes kCause = udp(1, 2, counting(8));

TEST(ICMPError, TellsTheSenderAndQuotesThePacket) {
  ElementTest test("ICMPError", "10.0.0.9, timeexceeded");
  // Time exceeded, RFC 792. By hand: IP sum 4500+0040+c801+0a00+0009+0a00+0001 = 1214b, folded 214c, complement deb3;
  // the quote's header sums to 0xffff, so of the message 0b00+0001+0002+0010 = 0b13 remain.
  const Bytes cause = hex("4500 0024 0001 0000 40 11 65c6 0a000001 0a000102 0001 0002 0010 0000 0000000000000000");
  test.push(0, marked(cause));
  const Packets out = test.output();
  ASSERT_THAT(out, SizeIs(1));
  EXPECT_EQ(out[0],
            Bytes(hex("4500 0040 0000 0000 c8 01 deb3 0a000009 0a000001 0b00 f4ec 00000000"
                      "4500 0024 0001 0000 40 11 65c6 0a000001 0a000102 0001 0002 0010 0000 0000000000000000")));
}

TEST(ICMPError, SetsAnnotationsAsANewPacketHasThem) {
  for (const bool fix : {true, false}) {
    ElementTest test("ICMPError", std::string("10.0.0.9, 11, 0, SET_FIX_ANNO ") + (fix ? "true" : "false"));
    test.push(0, marked(kCause).set<PaintColor>(3).set<DestinationAddress>(ip("7.7.7.7")));
    const TestPacket out = test.output().at(0);
    EXPECT_EQ(out.get<DestinationAddress>(), ip("10.0.0.1"));
    EXPECT_EQ(out.get<FixIpSource>(), fix ? 1 : 0);
    EXPECT_EQ(out.get<PaintColor>(), 0);
    EXPECT_EQ(out.network_offset, 0);
    EXPECT_EQ(out.transport_offset, 20);
    EXPECT_EQ(out.mac_offset, -1);
  }
}

TEST(ICMPError, TypesAndCodesHaveNames) {
  struct {
    const char* names;
    std::uint8_t type, code;
  } const cases[] = {{"unreachable, net", 3, 0},
                     {"unreachable, host", 3, 1},
                     {"unreachable, protocol", 3, 2},
                     {"unreachable, port", 3, 3},
                     {"unreachable, needfrag", 3, 4},
                     {"sourcequench", 4, 0},
                     {"redirect, net", 5, 0},
                     {"redirect, host", 5, 1},
                     {"timeexceeded, transit", 11, 0},
                     {"timeexceeded, reassembly", 11, 1},
                     {"parameterproblem, erroratptr", 12, 0},
                     {"parameterproblem, missingopt", 12, 1},
                     {"parameterproblem, length", 12, 2},
                     {"TYPE 3, CODE 13", 3, 13}};
  for (const auto& [names, type, code] : cases) {
    ElementTest test("ICMPError", std::string("10.0.0.9, ") + names);
    test.push(0, marked(kCause));
    EXPECT_EQ(test.output(), Packets{error_message(type, code, 0, kCause)}) << names;
  }
  EXPECT_EQ(ElementTest("ICMPError", "10.0.0.9, timeexceeded, needfrag").errors(), "CODE: invalid ICMP code\n");
  EXPECT_EQ(ElementTest("ICMPError", "10.0.0.9, 8").errors(), "TYPE: ICMP type 8 is not an error type\n");
  EXPECT_EQ(ElementTest("ICMPError", "10.0.0.9, nonsense").errors(), "TYPE: invalid ICMP type\n");
}

TEST(ICMPError, RestOfTheHeaderSaysWhatTheTypeNeeds) {
  ElementTest redirect("ICMPError", "10.0.0.9, redirect, host");
  redirect.push(0, marked(kCause).set<DestinationAddress>(ip("10.0.0.7")));
  EXPECT_EQ(redirect.output(), Packets{error_message(5, 1, 0x0a000007, kCause)});

  ElementTest parameter("ICMPError", "10.0.0.9, parameterproblem, erroratptr");
  parameter.push(0, marked(kCause).set<IcmpParameterProblem>(21));
  EXPECT_EQ(parameter.output(), Packets{error_message(12, 0, 21U << 24U, kCause)});

  ElementTest too_big("ICMPError", "10.0.0.9, unreachable, needfrag, PMTU 1400");  // RFC 1191, section 4
  too_big.push(0, marked(kCause));
  EXPECT_EQ(too_big.output(), Packets{error_message(3, 4, 1400, kCause)});
}

TEST(ICMPError, MessagesAreNoLongerThanMtu) {
  const Bytes cause = udp(1, 2, counting(1000));
  ElementTest test("ICMPError", "10.0.0.9, 11");
  test.push(0, marked(cause));
  EXPECT_EQ(test.output(), Packets{error_message(11, 0, 0, head(cause, 548))});
  ElementTest small("ICMPError", "10.0.0.9, 11, MTU 100");
  small.push(0, marked(cause));
  EXPECT_EQ(small.output(), Packets{error_message(11, 0, 0, head(cause, 72))});
  EXPECT_EQ(ElementTest("ICMPError", "10.0.0.9, 11, MTU 67").errors(), "MTU must be at least 68\n");
}

TEST(ICMPError, QuotesNeitherPaddingNorWhatLiesInFront) {
  Bytes padded = ethernet(kCause);
  padded.resize(60);
  ElementTest test("ICMPError", "10.0.0.9, 11");
  test.push(0, TestPacket(padded).at(0, 14, 34));
  EXPECT_EQ(test.output(), Packets{error_message(11, 0, 0, kCause)});
}

TEST(ICMPError, Rfc1812ForbidsSomeAnswers) {
  const auto dropped = [](const TestPacket& packet, const char* reason, const char* configuration = "10.0.0.9, 11") {
    ElementTest test("ICMPError", configuration);
    test.push(0, packet);
    EXPECT_THAT(test.output(), IsEmpty());
    return test.drops(reason);
  };
  for (const std::uint8_t type : {3, 4, 5, 11, 12}) EXPECT_EQ(dropped(marked(icmp(type, 0)), "icmp_error"), 1);
  EXPECT_EQ(dropped(marked(ipv4(1, {})), "icmp_error"), 1);
  EXPECT_EQ(dropped(marked(ipv4(17, counting(8), {.fragment = 1})), "later_fragment"), 1);
  for (const char* destination : {"224.0.0.1", "255.255.255.255"})
    EXPECT_EQ(dropped(marked(udp(1, 2, {}, {.destination = destination})), "not_unicast"), 1);
  for (const PacketKind kind : {PacketKind::broadcast, PacketKind::multicast})
    EXPECT_EQ(dropped(marked(kCause).set<Kind>(kind), "link_broadcast"), 1);
  for (const char* source : {"0.0.0.0", "127.0.0.1", "224.0.0.1", "240.0.0.1", "255.255.255.255"})
    EXPECT_EQ(dropped(marked(udp(1, 2, {}, {.source = source})), "bad_source"), 1);
  const char* bad = "10.0.0.9, 11, BADADDRS 10.0.0.255 10.0.0.1";
  EXPECT_EQ(dropped(marked(kCause), "bad_address", bad), 1);
  EXPECT_EQ(dropped(marked(udp(1, 2, {}, {.source = "10.0.0.3", .destination = "10.0.0.255"})), "bad_address", bad), 1);
}

TEST(ICMPError, QuestionsAndFirstFragmentsAreAnswered) {
  ElementTest test("ICMPError", "10.0.0.9, 11");
  test.push(0, {marked(icmp(kIcmpEcho, 0)), marked(udp(1, 2, counting(8), {.fragment = kMoreFragments}))});
  EXPECT_THAT(test.output(), SizeIs(2));
}

TEST(ICMPError, SourceRoutesAreReversed) {
  // RFC 791: loose source route, 11 bytes, pointer 12: both routers 1.1.1.1 and 2.2.2.2 have been passed.
  const Bytes passed = hex("83 0b 0c 01010101 02020202 00");
  const Bytes back = hex("83 0b 04 01010101 0a000001 00");
  ElementTest test("ICMPError", "10.0.0.9, 11");
  const Bytes cause = udp(1, 2, counting(8), {.options = passed});
  test.push(0, marked(cause));
  const Packets out = test.output();
  EXPECT_EQ(out, Packets{error_message(11, 0, 0, cause, {.destination = "2.2.2.2", .options = back})});
  EXPECT_EQ(out.at(0).get<DestinationAddress>(), ip("2.2.2.2"));

  const Bytes fresh = udp(1, 2, counting(8), {.options = hex("01 83 07 04 01010101")});
  test.push(0, marked(fresh));
  EXPECT_EQ(test.output(), Packets{error_message(11, 0, 0, fresh)});

  ElementTest redirect("ICMPError", "10.0.0.9, redirect, host");  // RFC 1812, 5.2.7.2
  redirect.push(0, marked(cause));
  EXPECT_EQ(redirect.drops("source_routed"), 1);
}

TEST(ICMPError, AnyOptionsAndLengthsAreSafe) {
  ElementTest test("ICMPError", "10.0.0.9, 11");
  for (unsigned first = 0; first < 256; ++first)
    for (const std::uint8_t second : {0, 1, 2, 3, 4, 7, 8, 9, 255})
      for (const std::uint8_t pointer : {0, 3, 4, 5, 8, 9, 12, 255})
        test.push(
            0, marked(ipv4(59, {}, {.options = {static_cast<std::uint8_t>(first), second, pointer, 1, 2, 3, 4, 5}})));
  Bytes wrong = kCause;
  for (unsigned byte = 0; byte < 256; ++byte) {
    wrong[0] = static_cast<std::uint8_t>(byte);
    test.push(0, TestPacket(wrong).at(-1, 0));
  }
  for (std::size_t length = 0; length < kCause.size(); ++length)
    test.push(0, TestPacket(head(kCause, length)).at(-1, 0));
  for (const TestPacket& packet : test.output()) EXPECT_TRUE(checksums_right(packet.bytes));
}

TEST(ICMPPingResponder, AnswersEchoRequests) {
  ElementTest test("ICMPPingResponder");
  test.push(0, marked(icmp(kIcmpEcho, 0, 0x12345678, counting(9))).set<PaintColor>(5));
  const Packets out = test.output(0);
  EXPECT_EQ(out, Packets{icmp(kIcmpEchoReply, 0, 0x12345678, counting(9),
                              {.source = "10.0.1.2", .destination = "10.0.0.1", .ttl = 255})});
  EXPECT_EQ(out.at(0).get<DestinationAddress>(), ip("10.0.0.1"));
  EXPECT_EQ(out.at(0).get<PaintColor>(), 0);
}

TEST(ICMPPingResponder, AWrongChecksumStaysWrong) {
  ElementTest test("ICMPPingResponder");
  Bytes request = icmp(kIcmpEcho, 0);
  request[30] ^= 1;
  test.push(0, marked(request));
  EXPECT_FALSE(checksums_right(test.output(0).at(0).bytes));
}

TEST(ICMPPingResponder, EverythingElseTakesTheSecondOutput) {
  ElementTest test("ICMPPingResponder");
  const Packets others{marked(udp(1, 2)),
                       marked(icmp(kIcmpEchoReply, 0)),
                       marked(ipv4(1, hex("0800"))),
                       marked(icmp(kIcmpEcho, 0, 0, {}, {.fragment = kMoreFragments})),
                       marked(icmp(kIcmpEcho, 0, 0, {}, {.fragment = 1})),
                       marked(icmp(kIcmpEcho, 0, 0, {}, {.destination = "224.0.0.1"}))};
  test.push(0, others);
  EXPECT_EQ(test.output(1), others);
  test.push(0, TestPacket(counting(20)));
  EXPECT_EQ(test.drops("no_ip_header"), 1);
}

}  // namespace
}  // namespace packetmill::testing
