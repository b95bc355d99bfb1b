#include "ports/summary/ToIPSummaryDump.h"

#include <gmock/gmock.h>

#include "tests/support/packets.h"
#include "tests/support/scratch_file.h"

namespace packetmill::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::MatchesRegex;
using ::testing::SizeIs;
using ::testing::StartsWith;

constexpr Shape kSink{.inputs = 1, .outputs = 0};

/// What ToIPSummaryDump writes.
std::string dump(const std::string& keywords, const std::vector<TestPacket>& packets) {
  const ScratchFile file;
  {
    ElementTest test("ToIPSummaryDump", file.path() + ", " + keywords, kSink);
    EXPECT_EQ(test.errors(), "");
    test.push(0, packets);
  }
  return file.text();
}
/// The line about one packet.
std::string line(const std::string& fields, const TestPacket& packet) {
  std::string text = dump("HEADER false, FIELDS " + fields, {packet});
  EXPECT_TRUE(text.ends_with('\n'));
  text.pop_back();
  return text;
}

TEST(ToIPSummaryDump, WritesAddressesUnlessToldOtherwise) {
  EXPECT_EQ(dump("VERBOSE false", {marked(udp(1, 2)), marked(udp(3, 4))}),
            "!IPSummaryDump 1.3\n"
            "!data ip_src ip_dst\n"
            "10.0.0.1 10.0.1.2\n"
            "10.0.0.1 10.0.1.2\n");
}

TEST(ToIPSummaryDump, TheHeaderSaysMoreWhenAsked) {
  EXPECT_THAT(dump("VERBOSE true, BANNER \"a test\", FIELDS ip_src 'tcp seq'", {}),
              MatchesRegex("!IPSummaryDump 1.3\n!creator \"a test\"\n!host [^\n]+\n"
                           "!runtime 1000000000.[0-9]+ \\([^\n]+\\)\n!data ip_src tcp_seq\n"));
  EXPECT_THAT(dump("HEADER false, VERBOSE true", {}), IsEmpty());
}

TEST(ToIPSummaryDump, Ip) {
  const TestPacket packet =
      marked(udp(53, 1024, counting(8), {.ttl = 9, .tos = 0xb9, .identification = 77, .fragment = kDontFragment}));
  EXPECT_EQ(line("ip_len ip_proto ip_hl ip_id ip_tos ip_dscp ip_ecn ip_ttl ip_opt ip_capture_len", packet),
            "36 U 20 77 185 46 ect1 9 . 36");
  EXPECT_EQ(line("ip_frag ip_fragoff", packet), "! 0!");
  EXPECT_EQ(line("ip_proto", marked(ipv4(47, counting(4)))), "47");
  EXPECT_EQ(line("ip_proto ip_ecn", marked(tcp(1, 2))), "T no");
  EXPECT_EQ(line("ip_opt ip_hl", marked(ipv4(17, {}, {.options = hex("01010162 02000000")}))), "98 28");
  EXPECT_EQ(line("ip_sum", marked(hex("45000028 00000000 401177c3 01000001 02000002"))), "30659");  // 0x77c3
}

TEST(ToIPSummaryDump, Fragments) {
  EXPECT_EQ(line("ip_frag ip_fragoff sport", marked(udp(1, 2, {}, {.fragment = kMoreFragments}))), "F 0+ 1");
  EXPECT_EQ(line("ip_frag ip_fragoff sport", marked(udp(1, 2, {}, {.fragment = kMoreFragments | 185}))), "f 1480+ -");
  EXPECT_EQ(line("ip_frag ip_fragoff sport", marked(udp(1, 2, {}, {.fragment = 185}))), "f 1480 -");
  EXPECT_EQ(line("ip_frag ip_fragoff", marked(udp(1, 2))), ". 0");
}

TEST(ToIPSummaryDump, Tcp) {
  const TestPacket packet = marked(tcp(80, 1234, kTcpSyn | kTcpAck));
  EXPECT_EQ(line("sport dport tcp_seq tcp_ack tcp_off tcp_flags tcp_window tcp_urp payload_len", packet),
            "80 1234 1 2 20 SA 4096 0 8");
  EXPECT_EQ(line("tcp_opt tcp_ntopt tcp_sack udp_len icmp_type", packet), ". . . - -");
  EXPECT_EQ(line("tcp_flags", marked(tcp(1, 2, 0))), ".");
  EXPECT_EQ(line("tcp_flags", marked(tcp(1, 2, 0xff))), "FSRPAUEC");
  Bytes nonce = tcp(1, 2, 0);
  nonce[20 + 12] |= 1;
  EXPECT_EQ(line("tcp_flags", marked(nonce)), "N");
}

TEST(ToIPSummaryDump, UdpAndIcmp) {
  EXPECT_EQ(line("sport dport udp_len payload_len tcp_seq", marked(udp(53, 1024))), "53 1024 16 8 -");
  const std::string icmp_fields = "icmp_type icmp_code icmp_type_name icmp_flowid icmp_seq icmp_nextmtu sport";
  EXPECT_EQ(line(icmp_fields, marked(icmp(8, 0, 0x00050102))), "8 0 echo 5 258 - -");
  EXPECT_EQ(line(icmp_fields, marked(icmp(3, 4, 1400))), "3 4 unreachable - - 1400 -");
  EXPECT_EQ(line("icmp_code_name", marked(icmp(3, 4))), "needfrag");
  EXPECT_EQ(line("icmp_code_name", marked(icmp(3, 9))), "9");
  EXPECT_EQ(line(icmp_fields, marked(icmp(200, 0))), "200 0 200 - - - -");
}

TEST(ToIPSummaryDump, PayloadIsAQuotedWord) {
  EXPECT_EQ(line("payload", marked(udp(1, 2, hex("47455420 22 5c 24 0d0a 41")))), R"("GET \"\\\$\<0d0a>A")");
  EXPECT_EQ(line("payload", marked(udp(1, 2, hex("ff")))), R"("\<ff>")");
  EXPECT_EQ(line("payload payload_len", marked(udp(1, 2, {}))), "\"\" 0");
}

TEST(ToIPSummaryDump, Metadata) {
  TestPacket packet(ethernet(udp(1, 2)));
  packet.at(0, 14, 34).set<ReceiveTime>(Timestamp{996'033'261'451'094'007}).set<PaintColor>(1);
  packet.set<AggregateNumber>(973).set<ExtraPackets>(4).set<ExtraLength>(100);
  EXPECT_EQ(line("timestamp utimestamp ntimestamp ts_sec ts_usec ts_usec1", packet),
            "996033261.451094007 996033261.451094 996033261.451094007 996033261 451094 996033261451094");
  EXPECT_EQ(line("count direction link paint aggregate wire_len", packet), "5 < 1 1 973 150");
  EXPECT_EQ(line("eth_src eth_dst", packet), "00-00-00-00-00-01 00-00-00-00-00-02");
  EXPECT_EQ(line("direction", marked(udp(1, 2))), ">");
  EXPECT_EQ(line("direction eth_src", marked(udp(1, 2)).set<PaintColor>(7)), "7 -");
  TestPacket first = marked(udp(1, 2));
  EXPECT_EQ(line("first_timestamp", first.set<FirstTimestamp>(Timestamp{1'000'000'001})), "1.000000001");
  EXPECT_EQ(dump("HEADER false, EXTRA_LENGTH false, CONTENTS wire_len", {packet}), "50\n");
}

TEST(ToIPSummaryDump, MultipacketWritesALineForEach) {
  const TestPacket packet = marked(udp(1, 2)).set<ExtraPackets>(2);
  EXPECT_EQ(dump("HEADER false, MULTIPACKET true, FIELDS sport", {packet}), "1\n1\n1\n");
  EXPECT_EQ(dump("HEADER false, MULTIPACKET true, FIELDS sport count", {packet}), "1 3\n");
  EXPECT_EQ(dump("HEADER false, FIELDS sport", {packet}), "1\n");
}

TEST(ToIPSummaryDump, BadPacketsAreSaidToBeBad) {
  const auto bad = [](Bytes packet, const std::string& more = "") {
    return dump("HEADER false, BAD_PACKETS true, FIELDS ip_src sport" + more,
                {TestPacket(std::move(packet)).at(-1, 0)});
  };
  const auto changed = [](std::size_t at, std::uint8_t value) {
    Bytes packet = tcp(1, 2);
    packet[at] = value;
    return packet;
  };
  EXPECT_EQ(bad(tcp(1, 2)), "10.0.0.1 1\n");
  EXPECT_EQ(bad(changed(0, 0x65)), "!bad bad IP version\n- -\n");
  EXPECT_EQ(bad(changed(0, 0x44)), "!bad bad IP header length\n- -\n");
  EXPECT_EQ(bad(changed(3, 19)), "!bad bad IP length\n- -\n");
  EXPECT_EQ(bad(changed(32, 0x40)), "!bad bad TCP header length\n10.0.0.1 1\n");
  EXPECT_EQ(bad(Bytes(19, 0x45)), "!bad truncated IP header\n- -\n");
  EXPECT_EQ(bad(changed(3, 49)), "!bad truncated IP length\n10.0.0.1 1\n");
  EXPECT_EQ(bad(changed(3, 49), ", CAREFUL_TRUNC false"), "10.0.0.1 1\n");
  Bytes cut = tcp(1, 2);
  cut.resize(24);
  EXPECT_EQ(bad(cut), "!bad truncated TCP header\n10.0.0.1 1\n");
  EXPECT_EQ(dump("HEADER false, BAD_PACKETS true", {TestPacket(tcp(1, 2))}), "!bad no IP header\n- -\n");
}

TEST(ToIPSummaryDump, EveryTruncationAndEveryByteIsSafe) {
  const std::string all =
      "ip_src ip_frag ip_fragoff ip_len ip_proto ip_hl ip_opt ip_capture_len sport dport tcp_seq tcp_off tcp_flags "
      "tcp_opt tcp_ntopt tcp_sack tcp_window udp_len icmp_type icmp_type_name icmp_flowid icmp_nextmtu payload "
      "payload_len eth_src wire_len";
  const Bytes options = hex("02040578 0402 0101");
  for (const Bytes& whole : {tcp(1, 2, 0, options, {.options = hex("0707040a00000100")}), udp(1, 2), icmp(3, 4)}) {
    std::vector<TestPacket> packets;
    for (std::size_t size = 0; size <= whole.size(); ++size)
      packets.push_back(TestPacket(Bytes(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size))).at(0, 0));
    for (std::size_t i = 0; i < whole.size(); ++i)
      for (const std::uint8_t value : {0x00, 0x0f, 0x4f, 0x80, 0xff}) {
        Bytes wrong = whole;
        wrong[i] = value;
        packets.push_back(TestPacket(std::move(wrong)).at(0, 0));
      }
    const std::string text = dump("HEADER false, BAD_PACKETS false, FIELDS " + all, packets);
    EXPECT_EQ(std::ranges::count(text, '\n'), static_cast<std::ptrdiff_t>(packets.size()));
  }
}

TEST(ToIPSummaryDump, GivesPacketsOnWhereItHasAnOutput) {
  const ScratchFile file;
  ElementTest test("ToIPSummaryDump", file.path() + ", HEADER false");
  test.push(0, marked(udp(1, 2)));
  EXPECT_EQ(test.output(), std::vector<TestPacket>{udp(1, 2)});
  EXPECT_EQ(test.write("flush"), "");
  EXPECT_EQ(file.text(), "10.0.0.1 10.0.1.2\n");
  EXPECT_EQ(test.read("count"), "1");
}

TEST(ToIPSummaryDump, BadArgumentsAreErrors) {
  const auto errors = [](const std::string& configuration) {
    return ElementTest("ToIPSummaryDump", configuration, kSink).errors();
  };
  EXPECT_EQ(errors("f, FIELDS ip_src ip_sorce"), "FIELDS: unknown field 'ip_sorce'; did you mean 'ip_src'?\n");
  EXPECT_EQ(errors(""), "FILENAME: required argument missing\n");
  EXPECT_EQ(errors("/no/such/directory/file"), "/no/such/directory/file: No such file or directory\n");
}

TEST(ToIPSummaryDump, AFullDiskIsToldOnceAndDropsPackets) {
  ElementTest test("ToIPSummaryDump", "/dev/full", kSink);
  test.push(0, std::vector<TestPacket>(30000, marked(udp(1, 2))));  // more than what waits for the disk
  EXPECT_EQ(test.messages(), std::vector<std::string>{"element: /dev/full: cannot write"});
  EXPECT_GT(test.drops("write_failed"), 0);
}

}  // namespace
}  // namespace packetmill::testing
