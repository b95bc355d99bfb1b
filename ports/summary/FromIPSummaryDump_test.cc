#include "ports/summary/FromIPSummaryDump.h"

#include <gmock/gmock.h>

#include "tests/support/packets.h"
#include "tests/support/scratch_file.h"

namespace packetmill::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

constexpr Shape kSource{.inputs = 0, .outputs = 1};

/// The packets of a dump.
std::vector<TestPacket> read(const std::string& dump, const std::string& keywords = "ZERO true") {
  const ScratchFile file(dump);
  ElementTest test("FromIPSummaryDump", file.path() + ", " + keywords, kSource);
  EXPECT_EQ(test.errors(), "");
  EXPECT_THAT(test.messages(), IsEmpty());
  return test.output();
}
/// The packet of a line with the given fields.
TestPacket one(const std::string& fields, const std::string& values, const std::string& keywords = "ZERO true") {
  const auto packets = read("!data " + fields + "\n" + values + "\n", keywords);
  EXPECT_THAT(packets, SizeIs(1));
  return packets.empty() ? TestPacket() : packets[0];
}

TEST(FromIPSummaryDump, MakesATcpPacketOfALine) {
  const TestPacket packet = one("timestamp ip_src sport ip_dst dport tcp_flags tcp_seq",
                                "996033261.451094 10.0.0.1 80 10.0.0.2 1234 SA 93167339");
  EXPECT_EQ(packet.bytes, hex("45000028 00000000 64060000 0a000001 0a000002"  // time-to-live 100
                              "0050 04d2 058d9eeb 00000000 5012 0000 0000 0000"));
  EXPECT_EQ(packet.get<ReceiveTime>(), Timestamp{996'033'261'451'094'000});
  EXPECT_EQ(packet.network_offset, 0);
  EXPECT_EQ(packet.transport_offset, 20);
  EXPECT_EQ(packet.get<ExtraLength>(), 0);
}

TEST(FromIPSummaryDump, EveryFieldHasItsPlace) {
  EXPECT_EQ(one("ip_src ip_dst ip_proto ip_tos ip_ttl ip_id ip_fragoff ip_sum ip_len ip_opt",
                "1.2.3.4 5.6.7.8 47 18 9 77 8+! 4660 1500 rr{}+1")
                .bytes,
            hex("471205dc 004d6001 092f1234 01020304 05060708 07070400 00000000"));
  EXPECT_EQ(one("ip_proto ip_dscp ip_ecn ip_hl", "47 46 ce 24").bytes,
            hex("46bb0018 00000000 642f0000 00000000 00000000 00000000"));
  EXPECT_EQ(one("tcp_flags tcp_ack tcp_window tcp_urp tcp_opt tcp_off", "FSRPAUECN 5 6 7 mss1400 28").bytes,
            hex("45000030 00000000 64060000 00000000 00000000"
                "00000000 00000000 00000005 71ff0006 00000007 02040578 00000000"));
  EXPECT_EQ(one("ip_proto sport dport payload", "U 53 1024 \"A\\<0d0a>\"").bytes,
            hex("4500001f 00000000 64110000 00000000 00000000 0035 0400 000b 0000 410d0a"));
  EXPECT_EQ(one("ip_proto udp_len", "U 9").bytes,
            hex("4500001c 00000000 64110000 00000000 00000000 0000 0000 0009 0000"));
  EXPECT_EQ(one("ip_proto icmp_type_name icmp_code icmp_flowid icmp_seq", "I echo 1 5 6").bytes,
            hex("4500001c 00000000 64010000 00000000 00000000 08010000 00050006"));
  EXPECT_EQ(one("ip_proto icmp_type_name icmp_code_name icmp_nextmtu", "I unreachable needfrag 1400").bytes,
            hex("4500001c 00000000 64010000 00000000 00000000 03040000 00000578"));
}

TEST(FromIPSummaryDump, FragmentsHaveNoTransportHeader) {
  EXPECT_EQ(one("ip_frag", "f").bytes, hex("45000014 00000064 64060000 00000000 00000000"));
  EXPECT_EQ(one("ip_frag ip_proto", "F 47").bytes, hex("45000014 00002000 642f0000 00000000 00000000"));
  EXPECT_EQ(one("ip_frag ip_proto", "! 47").bytes, hex("45000014 00004000 642f0000 00000000 00000000"));
}

TEST(FromIPSummaryDump, LengthsWithoutBytesAreExtraLength) {
  EXPECT_EQ(one("ip_proto ip_len", "U 1500").get<ExtraLength>(), 1500 - 28);
  EXPECT_EQ(one("ip_proto payload_len", "U 100").get<ExtraLength>(), 100);
  const TestPacket short_packet = one("ip_len ip_capture_len", "1500 30");
  EXPECT_THAT(short_packet.bytes, SizeIs(30));
  EXPECT_EQ(short_packet.get<ExtraLength>(), 1470);
}

TEST(FromIPSummaryDump, ChecksumMakesThemWhole) {
  for (const char* protocol : {"T", "U", "I", "47"}) {
    const TestPacket packet =
        one("ip_src ip_proto ip_len payload", std::string("1.2.3.4 ") + protocol + " 101 \"hello\"", "CHECKSUM true");
    EXPECT_THAT(packet.bytes, SizeIs(101));
    EXPECT_TRUE(checksums_right(packet.bytes)) << protocol;
    EXPECT_EQ(packet.get<ExtraLength>(), 0);
  }
}

TEST(FromIPSummaryDump, MetadataComesBack) {
  const TestPacket packet = one("ts_sec ts_usec first_timestamp count link eth_src eth_dst",
                                "5 7 4.5 3 2 00-00-00-00-00-0A 00-00-00-00-00-0B");
  EXPECT_EQ(packet.get<ReceiveTime>(), Timestamp{5'000'007'000});
  EXPECT_EQ(packet.get<FirstTimestamp>(), Timestamp{4'500'000'000});
  EXPECT_EQ(packet.get<PaintColor>(), 2);
  EXPECT_EQ(packet.mac_offset, -14);
  EXPECT_EQ(one("aggregate count", "973 3").get<ExtraPackets>(), 2);
  EXPECT_EQ(one("aggregate", "973").get<AggregateNumber>(), 973);
  EXPECT_EQ(one("direction", "R").get<PaintColor>(), 1);
  EXPECT_EQ(one("ts_usec1", "5000007").get<ReceiveTime>(), Timestamp{5'000'007'000});
}

TEST(FromIPSummaryDump, RemarksHoldForWhatFollows) {
  const auto packets = read(
      "!IPSummaryDump 1.0\n"
      "# a comment\n"
      "!creator \"somebody\"\n"
      "!data 'ip src' ip_fragoff\n"
      "!flowid 9.9.9.9 5 8.8.8.8 6 U\n"
      "1.1.1.1 0\n"
      "\n"
      "!proto 47\n"
      "!aggregate 12\n"
      "- 1\n"
      "!data ip_src\n"
      "2.2.2.2\n");
  ASSERT_THAT(packets, SizeIs(3));
  EXPECT_EQ(packets[0].bytes, hex("4500001c 00000000 64110000 01010101 08080808 0005 0006 0008 0000"));
  EXPECT_EQ(packets[1].bytes, hex("45000014 00000001 642f0000 09090909 08080808"));  // version 1.0: units of eight
  EXPECT_EQ(packets[1].get<AggregateNumber>(), 12);
  EXPECT_EQ(packets[2].bytes, hex("45000014 00000000 642f0000 02020202 08080808"));
}

TEST(FromIPSummaryDump, DefaultsComeFromTheConfiguration) {
  const auto packets = read("1.1.1.1 80\n2.2.2.2\n", "FIELDS ip_src sport, FLOWID 9.9.9.9 5 8.8.8.8 6, PROTO 17");
  ASSERT_THAT(packets, SizeIs(2));
  EXPECT_EQ(packets[0].bytes, hex("4500001c 00000000 64110000 01010101 08080808 0050 0006 0008 0000"));
  EXPECT_EQ(packets[1].bytes, hex("4500001c 00000000 64110000 02020202 08080808 0005 0006 0008 0000"));
  EXPECT_THAT(read("1.1.1.1\n", "DEFAULT_CONTENTS ip_src"), SizeIs(1));
}

TEST(FromIPSummaryDump, MultipacketMakesAsManyPackets) {
  const auto packets = read("!data count\n3\n", "MULTIPACKET true");
  ASSERT_THAT(packets, SizeIs(3));
  EXPECT_EQ(packets[0].get<ExtraPackets>(), 0);
}

TEST(FromIPSummaryDump, ReadsTheConfigurationsOwnData) {
  ElementTest test("FromIPSummaryDump", "DATA \"!data ip_src\n1.1.1.1\n2.2.2.2\", STOP true", kSource);
  EXPECT_THAT(test.output(), SizeIs(2));
  EXPECT_TRUE(test.router().take_stop_request());
  EXPECT_EQ(test.read("filesize"), "-");
  EXPECT_EQ(test.read("encap"), "IP");
  EXPECT_EQ(test.read("active"), "false");
}

TEST(FromIPSummaryDump, TimingSampleAndActiveAreFromDumps) {
  const ScratchFile file("!data timestamp\n5\n6\n");
  ElementTest timing("FromIPSummaryDump", file.path() + ", TIMING true", kSource);
  EXPECT_THAT(timing.output(), SizeIs(1));
  timing.advance(Duration::seconds(1));
  EXPECT_THAT(timing.output(), SizeIs(1));
  ElementTest sample("FromIPSummaryDump", file.path() + ", SAMPLE 0", kSource);
  EXPECT_THAT(sample.output(), IsEmpty());
  EXPECT_EQ(sample.read("sampling_prob"), "0");
  ElementTest active("FromIPSummaryDump", file.path() + ", ACTIVE false", kSource);
  EXPECT_THAT(active.output(), IsEmpty());
  EXPECT_EQ(active.write("active", "true"), "");
  EXPECT_THAT(active.output(), SizeIs(2));
  EXPECT_EQ(active.read("filesize"), "20");
  EXPECT_EQ(active.read("filepos"), "20");
  EXPECT_EQ(active.write("stop"), "");
  EXPECT_TRUE(active.router().take_stop_request());
}

TEST(FromIPSummaryDump, ABadValueIsToldOnceAndLeftOut) {
  const ScratchFile file("!data ip_src sport\n1.1.1 80\n1.1.1.1 eighty\n");
  ElementTest test("FromIPSummaryDump", file.path(), kSource);
  EXPECT_THAT(test.output(), SizeIs(2));
  EXPECT_THAT(test.messages(), ElementsAre("element: " + file.path() + ": line 2: bad ip_src '1.1.1'"));
}

TEST(FromIPSummaryDump, WhatItCannotReadIsTold) {
  const auto messages = [](const std::string& dump) {
    const ScratchFile file(dump);
    ElementTest test("FromIPSummaryDump", file.path(), kSource);
    EXPECT_THAT(test.messages(), SizeIs(1));
    return test.messages().empty() ? "" : test.messages()[0];
  };
  EXPECT_THAT(messages("!data ip_src beauty\n1.1.1.1 5\n"), HasSubstr("line 1: unknown field 'beauty'"));
  EXPECT_THAT(messages("!flowid 1\n"), HasSubstr("line 1: !flowid: expected SRC SPORT DST DPORT [PROTO]"));
  EXPECT_THAT(messages("1.1.1.1\n2.2.2.2\n"), HasSubstr("line 1: no '!data' line"));
}

TEST(FromIPSummaryDump, MissingAndEmptyFilesAreErrorsUnlessAllowed) {
  const auto errors = [](const std::string& configuration) {
    return ElementTest("FromIPSummaryDump", configuration, kSource).errors();
  };
  const ScratchFile empty;
  EXPECT_EQ(errors("/no/such/file"), "/no/such/file: No such file or directory\n");
  EXPECT_EQ(errors(empty.path()), empty.path() + ": empty file\n");
  EXPECT_EQ(errors("/no/such/file, ALLOW_NONEXISTENT true"), "");
  EXPECT_EQ(errors(empty.path() + ", ALLOW_NONEXISTENT true"), "");
  EXPECT_EQ(errors(""), "FILENAME: required argument missing\n");
  EXPECT_EQ(errors("f, FLOWID 1.1.1.1 5"), "FLOWID: expected SRC SPORT DST DPORT [PROTO]\n");
}

TEST(FromIPSummaryDump, ADumpOfADumpIsTheSameDump) {
  const std::string dump =
      "!IPSummaryDump 1.3\n"
      "!data ntimestamp ip_src sport ip_dst dport ip_proto ip_len ip_id ip_ttl ip_tos ip_fragoff ip_opt tcp_seq "
      "tcp_ack "
      "tcp_flags tcp_window tcp_urp tcp_opt icmp_type payload_len payload count link eth_src\n"
      "1.000000002 1.2.3.4 80 5.6.7.8 1234 T 45 77 9 16 0! . 5 6 PA 7 0 . - 5 \"he\\<00>lo\" 1 0 -\n"
      "2.000000000 1.2.3.4 53 5.6.7.8 1024 U 1500 77 9 16 0+ 98 - - - - - - - 1468 \"\" 3 1 00-00-00-00-00-0A\n"
      "3.000000000 1.2.3.4 - 5.6.7.8 - I 28 77 9 16 0 . - - - - - - 8 8 \"\\<0800000000000000>\" 1 2 -\n"
      "4.000000000 1.2.3.4 80 5.6.7.8 1234 T 60 0 64 0 0 . 5 6 S 7 0 mss1460;sackok;ts1:2;wscale7 - 0 \"\" 1 0 -\n"
      "5.000000000 1.2.3.4 - 5.6.7.8 - 47 520 0 64 0 8000 . - - - - - - - 500 \"\" 1 0 -\n";
  const ScratchFile from(dump);
  const ScratchFile to;
  Graph graph;
  const Location here{"test", 1, 1};
  const std::size_t fields = dump.find("!data ") + 6;
  const std::string names = dump.substr(fields, dump.find('\n', fields) - fields);
  graph.elements.push_back({"from", "FromIPSummaryDump", from.path() + ", STOP true", here, here});
  graph.elements.push_back({"to", "ToIPSummaryDump", to.path() + ", FIELDS " + names, here, here});
  graph.connections.push_back({{0, 0}, {1, 0}, here});
  Diagnostics diagnostics;
  auto router = engine::Router::make(graph, {}, diagnostics);
  ASSERT_NE(router, nullptr) << diagnostics.list().front().message;
  router->run();
  router.reset();
  EXPECT_EQ(to.text(), dump);
}

TEST(FromIPSummaryDump, EveryByteOfTheFileMayBeWrong) {
  const std::string right =
      "!data ip_src sport ip_proto tcp_opt ip_opt payload ip_len count\n"
      "1.2.3.4 80 T mss1400;sack1-2 ts{1}+2 \"a\\<00>\" 60 2\n";
  for (std::size_t i = 0; i < right.size(); ++i)
    for (const char value : {'\0', '"', '{', '\\', '9', '-', '\xff', '\n'}) {
      std::string wrong = right;
      wrong[i] = value;
      const ScratchFile file(wrong);
      ElementTest test("FromIPSummaryDump", file.path() + ", CHECKSUM true", kSource);
      for (const TestPacket& packet : test.output()) EXPECT_TRUE(packet.bytes.size() >= 20);
    }
}

}  // namespace
}  // namespace packetmill::testing
