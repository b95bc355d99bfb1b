// Binary IP summary dumps: ToIPSummaryDump writes them, FromIPSummaryDump reads them.

#include "ports/summary/binary.h"

#include <gmock/gmock.h>

#include "engine/router.h"
#include "tests/support/packets.h"
#include "tests/support/scratch_file.h"

namespace packetmill::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

Bytes text(std::string_view characters) { return {characters.begin(), characters.end()}; }

/// What ToIPSummaryDump writes, after the header's lines.
Bytes records(const std::string& keywords, const std::vector<TestPacket>& packets) {
  const ScratchFile file;
  {
    ElementTest test("ToIPSummaryDump", file.path() + ", BINARY true, HEADER false, " + keywords,
                     {.inputs = 1, .outputs = 0});
    EXPECT_EQ(test.errors(), "");
    test.push(0, packets);
  }
  return file.bytes();
}

struct Read {
  std::vector<TestPacket> packets;
  std::vector<std::string> messages;  ///< without the names of the element and the file
};
/// What FromIPSummaryDump makes of a dump with the given fields.
Read read(const std::string& fields, const Bytes& records) {
  const ScratchFile file(text("!data " + fields + "\n!binary\n") + records);
  ElementTest test("FromIPSummaryDump", file.path(), {.inputs = 0, .outputs = 1});
  EXPECT_EQ(test.errors(), "");
  Read read{test.output(), {}};
  const std::string prefix = "element: " + file.path() + ": ";
  for (const std::string& message : test.messages()) read.messages.push_back(message.substr(prefix.size()));
  return read;
}
Bytes one(const std::string& fields, const Bytes& values) {
  Bytes record = hex("000000");
  record.push_back(static_cast<std::uint8_t>(4 + values.size()));
  const Read result = read(fields, record + values);
  EXPECT_THAT(result.packets, SizeIs(1)) << fields;
  EXPECT_THAT(result.messages, IsEmpty());
  return result.packets.empty() ? Bytes() : result.packets[0].bytes;
}

const char* const kFields = "utimestamp ip_src sport ip_dst dport ip_proto ip_len ip_fragoff ip_frag tcp_flags tcp_opt";
const Bytes kPacket =
    hex("4500002c 00004000 64060000 0a000001 0a000102"
        "0050 04d2 00000000 00000000 6012 0000 0000 0000 02040578");
const Bytes kRecord =
    hex("00000026 00000001 00000002 0a000001 0050 0a000102 04d2 06 0000002c 4000 21 12"
        "04 02040578");

TEST(BinarySummary, ARecordHasItsLengthAndItsFieldsInTheirOrder) {
  EXPECT_EQ(records(std::string("FIELDS ") + kFields, {marked(kPacket).set<ReceiveTime>(Timestamp{1'000'002'003})}),
            kRecord);
}

TEST(BinarySummary, AndMakesThePacketAgain) {
  const Read result = read(kFields, kRecord);
  EXPECT_THAT(result.messages, IsEmpty());
  ASSERT_THAT(result.packets, SizeIs(1));
  EXPECT_EQ(result.packets[0].bytes, kPacket);
  EXPECT_EQ(result.packets[0].get<ReceiveTime>(), Timestamp{1'000'002'000});
}

TEST(BinarySummary, TheHeaderEndsWithTheLineBinary) {
  const ScratchFile file;
  {
    const ElementTest test("ToIPSummaryDump", file.path() + ", BINARY true", {.inputs = 1, .outputs = 0});
  }
  EXPECT_EQ(file.text(), "!IPSummaryDump 1.3\n!data ip_src ip_dst\n!binary\n");
}

TEST(BinarySummary, TimesHaveEightBytes) {
  const TestPacket packet =
      marked(kPacket).set<ReceiveTime>(Timestamp{1'500'000'007}).set<FirstTimestamp>(Timestamp{2'000'003'000});
  EXPECT_EQ(records("FIELDS timestamp ntimestamp ts_sec ts_usec ts_usec1 first_timestamp", {packet}),
            hex("0000002c 00000001 0007a120 00000001 1dcd6507 00000001 0007a120 000000000016e360 00000002 00000003"));
}

TEST(BinarySummary, HeaderFieldsAreAsWideAsTheManualSays) {
  const TestPacket packet =
      marked(hex("46b9 0020 0007 0000 09 11 77c3 01020304 05060708 07040400"
                 "0035 0400 000b 0000"));  // longer than what there is
  EXPECT_EQ(records("FIELDS ip_id ip_tos ip_ttl ip_opt udp_len payload_len ip_capture_len count", {packet}),
            hex("0000001d 0007 b9 09 04 07040400 0000000b 00000000 00000020 00000001"));
  EXPECT_EQ(records("FIELDS ip_hl ip_dscp ip_ecn ip_sum", {packet}), hex("00000009 18 2e 01 77c3"));
  EXPECT_EQ(records("FIELDS icmp_type_name icmp_code_name icmp_nextmtu", {marked(icmp(3, 4, 1400))}),
            hex("00000008 03 04 0578"));
}

TEST(BinarySummary, MetadataHasItsWidthsToo) {
  TestPacket packet(ethernet(udp(1, 2)));
  packet.at(0, 14, 34).set<PaintColor>(1).set<AggregateNumber>(973).set<ExtraPackets>(4);
  EXPECT_EQ(records("FIELDS count direction link aggregate eth_src eth_dst wire_len", {packet}),
            hex("0000001e 00000005 01 01 000003cd 000000000001 000000000002 00000032"));
}

TEST(BinarySummary, WhatAPacketHasNotIsZero) {
  EXPECT_EQ(records("FIELDS sport tcp_seq tcp_opt eth_src", {marked(icmp(8, 0))}),
            hex("00000011 0000 00000000 00 000000000000"));
}

TEST(BinarySummary, TcpOptionsThatAreNotWantedAreLeftOut) {
  const TestPacket packet =
      marked(hex("45000038 00000000 64060000 0a000001 0a000102 0050 04d2 00000000 00000000 9012 0000 0000 0000 0101 "
                 "080a 00000001 00000002 0402 0000"));
  EXPECT_EQ(records("FIELDS tcp_ntopt tcp_sack", {packet}), hex("0000000e 04 04020000 04 04020000"));
}

TEST(BinarySummary, BadPacketsAreRecordsOfText) {
  Bytes wrong = kPacket;
  wrong[0] = 0x65;
  EXPECT_EQ(records("FIELDS ip_src, BAD_PACKETS true", {marked(wrong)}),
            hex("80000018") + text("!bad bad IP version\n") + hex("00000008 00000000"));
}

TEST(BinarySummary, Md5OfThePayload) {
  // RFC 1321, A.5: the sum of "abc"; the characters are base64's, but for the last two.
  const TestPacket packet = marked(udp(1, 2, text("abc")));
  EXPECT_EQ(records("FIELDS payload_md5", {packet}), hex("00000014 900150983cd24fb0d6963f7d28e17f72"));
  EXPECT_EQ(records("FIELDS payload_md5_hex", {packet}), hex("00000014 900150983cd24fb0d6963f7d28e17f72"));
  const ScratchFile file;
  {
    ElementTest test("ToIPSummaryDump", file.path() + ", HEADER false, FIELDS payload_md5 payload_md5_hex",
                     {.inputs = 1, .outputs = 0});
    test.push(0, {packet, TestPacket(hex("45"))});
  }
  EXPECT_EQ(file.text(), "kAFQmDzST7DWlj99KOF@cg 900150983cd24fb0d6963f7d28e17f72\n- -\n");
}

TEST(BinarySummary, ThePayloadHasNoBinaryForm) {
  const ElementTest test("ToIPSummaryDump", "f, BINARY true, FIELDS ip_src payload", {.inputs = 1, .outputs = 0});
  EXPECT_EQ(test.errors(), "BINARY: 'payload' has no binary form\n");
}

TEST(BinarySummary, FieldsAreReadAsTheyAreWritten) {
  EXPECT_EQ(one("ip_proto ip_ecn ip_dscp ip_hl ip_fragoff", hex("2f 01 2e 18 2001")),
            hex("46b90018 00002001 642f0000 00000000 00000000 00000000"));
  EXPECT_EQ(one("ip_proto icmp_type_name icmp_code_name icmp_nextmtu", hex("01 03 04 0578")),
            hex("4500001c 00000000 64010000 00000000 00000000 03040000 00000578"));
  EXPECT_EQ(one("ip_proto icmp_type icmp_seq icmp_nextmtu", hex("01 08 0005 0000")),  // it has no next MTU
            hex("4500001c 00000000 64010000 00000000 00000000 08000000 00000005"));
  EXPECT_EQ(one("payload_md5 ip_frag ip_proto", Bytes(16, 0xff) + text("F") + hex("2f")),
            hex("45000014 00002000 642f0000 00000000 00000000"));
}

TEST(BinarySummary, ARecordMayEndBeforeItsFieldsDo) {
  EXPECT_EQ(one("ip_src ip_dst", hex("01020304")),
            hex("45000028 00000000 64060000 01020304 00000000") + hex("00000000 00000000 00000000 50000000 00000000"));
}

TEST(BinarySummary, RecordsOfTextHoldForWhatFollows) {
  const Read result = read("ip_src", hex("80000015") + text("!data ip_proto\n !") + hex("00000005 11"));
  EXPECT_THAT(result.messages, ElementsAre("record 1: unknown field '!'"));
  ASSERT_THAT(result.packets, SizeIs(1));
  EXPECT_EQ(result.packets[0].bytes[9], 17);
  EXPECT_THAT(read("ip_src", hex("80000010") + text("!bad header\n")).packets, IsEmpty());
}

TEST(BinarySummary, ADumpMayStandInTheConfiguration) {
  ElementTest test("FromIPSummaryDump", "DATA \"!data ip_src\\n!binary\\n\\<00000008 01020304>\"",
                   {.inputs = 0, .outputs = 1});
  ASSERT_THAT(test.output(), SizeIs(1));
}

TEST(BinarySummary, LengthsThatCannotBeEndTheDump) {
  const Bytes good = hex("00000008 01020304");
  const auto expect = [&](const Bytes& bad, const std::string& message) {
    const Read result = read("ip_src", good + bad);
    EXPECT_THAT(result.packets, SizeIs(1));
    EXPECT_THAT(result.messages, ElementsAre(message));
  };
  expect(hex("00000003 01020304"), "record 2: bad record length 3");
  expect(hex("00000000"), "record 2: bad record length 0");
  expect(hex("80000001"), "record 2: bad record length 1");
  expect(hex("7fffffff 01020304"), "record 2: truncated record");
  expect(hex("ffffffff 01020304"), "record 2: truncated record");
  expect(hex("00000009 01020304"), "record 2: truncated record");
  expect(hex("000000"), "record 2: truncated record");
}

TEST(BinarySummary, FieldsThatAreCutAreToldAndLeftOut) {
  const Read result = read("ip_proto ip_src", hex("00000008 11 010203 00000005 2f"));
  EXPECT_THAT(result.messages, ElementsAre("record 1: truncated ip_src"));
  EXPECT_THAT(result.packets, SizeIs(2));
  EXPECT_THAT(read("ip_opt", hex("00000006 0401")).messages, ElementsAre("record 1: truncated ip_opt"));
  EXPECT_THAT(read("ip_opt", hex("00000007 02 07ff")).messages, ElementsAre("record 1: bad ip_opt '?'"));
  EXPECT_THAT(read("payload ip_src", hex("00000008 01020304")).messages,
              ElementsAre("record 1: 'payload' has no binary form"));
}

TEST(BinarySummary, EveryTruncationAndEveryByteIsSafe) {
  for (std::size_t size = 0; size < kRecord.size(); ++size) {
    const Bytes cut(kRecord.begin(), kRecord.begin() + static_cast<std::ptrdiff_t>(size));
    EXPECT_THAT(read(kFields, cut).packets, IsEmpty());
  }
  for (std::size_t i = 0; i < kRecord.size(); ++i)
    for (const std::uint8_t value : {0x00, 0x01, 0x7f, 0x80, 0xff}) {
      Bytes wrong = kRecord;
      wrong[i] = value;
      for (const TestPacket& packet : read(kFields, wrong).packets) EXPECT_GE(packet.bytes.size(), 20);
    }
}

/// Has a dump read, and written again with the given keywords.
std::string copy(const std::string& dump, const std::string& keywords) {
  const ScratchFile from(dump);
  const ScratchFile to;
  const Location here{"test", 1, 1};
  Graph graph;
  graph.elements.push_back({"from", "FromIPSummaryDump", from.path() + ", STOP true", here, here});
  graph.elements.push_back({"to", "ToIPSummaryDump", to.path() + ", " + keywords, here, here});
  graph.connections.push_back({{0, 0}, {1, 0}, here});
  Diagnostics diagnostics;
  auto router = engine::Router::make(graph, {}, diagnostics);
  EXPECT_NE(router, nullptr);
  if (router) router->run();
  router.reset();
  return to.text();
}

TEST(BinarySummary, FromTextToBinaryAndBackIsTheSameDump) {
  const std::string fields =
      "ntimestamp ip_src sport ip_dst dport ip_proto ip_len ip_id ip_ttl ip_tos ip_fragoff ip_opt tcp_seq tcp_ack "
      "tcp_flags tcp_window tcp_urp tcp_opt icmp_type payload_len ip_capture_len count link eth_src";
  const std::string dump =
      "!IPSummaryDump 1.3\n!data " + fields +
      "\n"
      "1.000000002 1.2.3.4 80 5.6.7.8 1234 T 45 77 9 16 0! . 5 6 PA 7 0 . - 5 40 1 0 -\n"
      "2.000000000 1.2.3.4 53 5.6.7.8 1024 U 1500 77 9 16 0+ 98 - - - - - - - 1468 32 3 1 00-00-00-00-00-0A\n"
      "3.000000000 1.2.3.4 - 5.6.7.8 - I 28 77 9 16 0 . - - - - - - 8 8 28 1 2 -\n"
      "4.000000000 1.2.3.4 80 5.6.7.8 1234 T 60 0 64 0 0 . 5 6 S 7 0 mss1460;sackok;ts1:2;wscale7 - 0 60 1 0 -\n"
      "5.000000000 1.2.3.4 - 5.6.7.8 - 47 520 0 64 0 8000 . - - - - - - - 500 20 1 0 -\n";
  const std::string binary = copy(dump, "BINARY true, FIELDS " + fields);
  EXPECT_EQ(copy(binary, "BINARY true, FIELDS " + fields), binary);
  std::string again = copy(binary, "FIELDS " + fields);
  // Zeros for an Ethernet address that a packet has not are an address when they are read.
  for (std::size_t at; (at = again.find("00-00-00-00-00-00")) != std::string::npos;) again.replace(at, 17, "-");
  EXPECT_EQ(again, dump);
}

}  // namespace
}  // namespace packetmill::testing
