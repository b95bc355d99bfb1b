#include "ports/pcap/FromDump.h"

#include <gmock/gmock.h>

#include <cstdlib>

#include "tests/support/packets.h"
#include "tests/support/scratch_file.h"

namespace packetmill::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

constexpr Shape kSource{.inputs = 0, .outputs = 1};
constexpr Shape kTwoOutputs{.inputs = 0, .outputs = 2};

/// The 24 bytes before the first record: magic number, version 2.4, two zero words, snap length 65535, link type.
Bytes file_header(std::uint8_t link_type = 1) {
  return hex("d4c3b2a1 0200 0400 00000000 00000000 ffff0000") + Bytes{link_type, 0, 0, 0};
}

/// A record of `data`, little-endian: seconds, micro- or nanoseconds, bytes here, bytes on the wire.
Bytes record(std::uint32_t seconds, std::uint32_t fraction, const Bytes& data, std::uint32_t missing = 0) {
  const auto size = static_cast<std::uint32_t>(data.size());
  Bytes bytes;
  for (const std::uint32_t word : {seconds, fraction, size, size + missing})
    for (int shift = 0; shift < 32; shift += 8) bytes.push_back(static_cast<std::uint8_t>(word >> shift));
  return bytes + data;
}

/// One frame of four bytes each second from 1000 on, the number of the frame in its first byte.
Bytes frames(int count) {
  Bytes bytes = file_header();
  for (int i = 0; i < count; ++i)
    bytes += record(1000 + static_cast<std::uint32_t>(i), 0, {static_cast<std::uint8_t>(i), 1, 2, 3});
  return bytes;
}

std::vector<int> numbers(const std::vector<TestPacket>& packets) {
  std::vector<int> first_bytes;
  for (const TestPacket& packet : packets) first_bytes.push_back(packet.bytes.at(0));
  return first_bytes;
}

TEST(FromDump, ReadsAFileWrittenByHand) {
  const ScratchFile file(
      hex("d4c3b2a1 0200 0400 00000000 00000000 ffff0000 01000000"  // little-endian, microseconds
          "15cd5b07 40e20100 04000000 3c000000 deadbeef"));         // 123456789.123456 s, 4 of 60
  ElementTest test("FromDump", file.path(), kSource);
  const std::vector<TestPacket> packets = test.output();
  ASSERT_THAT(packets, SizeIs(1));
  EXPECT_EQ(packets[0].bytes, hex("deadbeef"));
  EXPECT_EQ(packets[0].get<ReceiveTime>(), Timestamp{123'456'789'123'456'000});
  EXPECT_EQ(packets[0].get<ExtraLength>(), 56);
  EXPECT_EQ(packets[0].mac_offset, 0);
  EXPECT_EQ(packets[0].network_offset, -1);
}

TEST(FromDump, ReadsNanosecondsAndTheOtherByteOrder) {
  const ScratchFile little(
      hex("4d3cb2a1 0200 0400 00000000 00000000 ffff0000 01000000"
          "15cd5b07 15cd5b07 01000000 01000000 aa"));
  const ScratchFile big(
      hex("a1b23c4d 0002 0004 00000000 00000000 0000ffff 00000001"
          "075bcd15 075bcd15 00000001 00000001 aa"));
  for (const ScratchFile* file : {&little, &big}) {
    ElementTest test("FromDump", file->path(), kSource);
    const std::vector<TestPacket> packets = test.output();
    ASSERT_THAT(packets, SizeIs(1));
    EXPECT_EQ(packets[0].get<ReceiveTime>(), Timestamp{123'456'789'123'456'789});
  }
}

TEST(FromDump, KeepsTheOrderOfTheFile) {
  for (const int batch_size : {1, 32}) {
    const ScratchFile file(frames(100));
    ElementTest test("FromDump", file.path(), {.inputs = 0, .outputs = 1, .batch_size = batch_size});
    EXPECT_TRUE(std::ranges::is_sorted(numbers(test.output())));
    EXPECT_EQ(test.read("count"), "100");
  }
}

TEST(FromDump, ReadsThroughZcatAndBzcat) {
  for (const char* compressor : {"gzip", "bzip2"}) {
    const ScratchFile plain(frames(100));
    const ScratchFile packed(Bytes{});
    const std::string command = std::string(compressor) + " -c " + plain.path() + " > " + packed.path();
    ASSERT_EQ(std::system(command.c_str()), 0);
    ElementTest test("FromDump", packed.path(), kSource);
    EXPECT_THAT(test.output(), SizeIs(100));
  }
}

/// A sink that can only pull.
struct Puller {
  static constexpr ElementInfo info{.name = "Puller", .ports = "1/0", .processing = "l/", .flow = "x/"};
  struct State {
    std::uint64_t count = 0;
  };
  static constexpr auto handlers = describe(packetmill::read("count", &State::count));
  static Output process(auto& context, In, auto&) {
    ++context.state().count;
    return sent();
  }
};

TEST(FromDump, GivesPacketsWherePulledAndWakesThePullerWhenOneIsDue) {
  const ScratchFile file(frames(3));
  engine::Registry registry = engine::Registry::instance();
  registry.add(engine::factory_of<Puller>());
  Graph graph;
  const Location here{"test", 1, 1};
  graph.elements.push_back({"from", "FromDump", file.path() + ", TIMING true, STOP true", here, here});
  graph.elements.push_back({"to", "Puller", "", here, here});
  graph.connections.push_back({{0, 0}, {1, 0}, here});
  engine::Options options;
  options.simulated_time = Timestamp{};
  Diagnostics diagnostics;
  const auto router = engine::Router::make(graph, options, diagnostics, registry);
  ASSERT_NE(router, nullptr);
  router->run_for(Duration::milliseconds(500));
  EXPECT_EQ(router->read("to.count").text, "1");
  EXPECT_EQ(router->read("to.scheduled").text, "false");
  router->run_for(Duration::seconds(1));
  EXPECT_EQ(router->read("to.count").text, "2");
  router->run_for(Duration::seconds(1));
  EXPECT_EQ(router->read("to.count").text, "3");
  EXPECT_TRUE(router->take_stop_request());
  EXPECT_TRUE(router->ledger().balanced());
}

TEST(FromDump, StopAsksTheDriverToStop) {
  const ScratchFile file(frames(3));
  ElementTest test("FromDump", file.path() + ", STOP true", kSource);
  EXPECT_THAT(test.output(), SizeIs(3));
  EXPECT_TRUE(test.router().take_stop_request());
  EXPECT_FALSE(test.router().take_stop_request());
}

TEST(FromDump, TimingKeepsTheIntervals) {
  const ScratchFile file(frames(3));
  ElementTest test("FromDump", file.path() + ", TIMING true", kSource);
  EXPECT_THAT(numbers(test.output()), ElementsAre(0));
  test.advance(Duration::milliseconds(999));
  EXPECT_THAT(test.output(), IsEmpty());
  test.advance(Duration::milliseconds(1));
  EXPECT_THAT(numbers(test.output()), ElementsAre(1));
  EXPECT_EQ(test.write("reset_timing"), "");
  EXPECT_THAT(numbers(test.output()), ElementsAre(2));
}

TEST(FromDump, StartAndEndSelectByTime) {
  const ScratchFile file(frames(10));
  const auto selected = [&](const std::string& keywords) {
    ElementTest test("FromDump", file.path() + ", " + keywords, kSource);
    return numbers(test.output());
  };
  EXPECT_THAT(selected("START 1008"), ElementsAre(8, 9));
  EXPECT_THAT(selected("START_AFTER 8.5s"), ElementsAre(9));
  EXPECT_THAT(selected("END 1002"), ElementsAre(0, 1));
  EXPECT_THAT(selected("END_AFTER 2"), ElementsAre(0, 1));
  EXPECT_THAT(selected("START 1004, INTERVAL 2"), ElementsAre(4, 5));
  EXPECT_THAT(selected("START_AFTER 4, END_AFTER 6"), ElementsAre(4, 5));
}

TEST(FromDump, TimesThatContradictEachOtherAreErrors) {
  const ScratchFile file(frames(1));
  const auto errors = [&](const std::string& keywords) {
    return ElementTest("FromDump", file.path() + ", " + keywords, kSource).errors();
  };
  EXPECT_EQ(errors("START 1, START_AFTER 1"), "START and START_AFTER are mutually exclusive\n");
  EXPECT_EQ(errors("END 1, INTERVAL 1"), "END, END_AFTER, and INTERVAL are mutually exclusive\n");
  EXPECT_EQ(errors("STOP true, END_CALL stop"), "END_CALL and STOP are mutually exclusive\n");
  EXPECT_EQ(errors("SAMPLE 1.5"), "SAMPLE: must be between 0 and 1\n");
}

TEST(FromDump, EndCallRunsWhenAllPacketsHaveGone) {
  const ScratchFile file(frames(3));
  ElementTest test("FromDump", file.path() + ", END_CALL element.reset_counts", kSource);
  EXPECT_THAT(test.output(), SizeIs(3));
  EXPECT_EQ(test.read("count"), "0");
  EXPECT_EQ(test.read("active"), "false");
}

TEST(FromDump, AnEndCallThatFailsIsTold) {
  const ScratchFile file(frames(1));
  ElementTest test("FromDump", file.path() + ", END_CALL element.active perhaps", kSource);
  EXPECT_THAT(test.messages(), ElementsAre("element: END_CALL: element.active: invalid boolean"));
}

TEST(FromDump, ExtendIntervalGoesOnWhereItEnded) {
  const ScratchFile file(frames(10));
  ElementTest test("FromDump", file.path() + ", INTERVAL 2", kSource);
  EXPECT_THAT(numbers(test.output()), ElementsAre(0, 1));
  EXPECT_EQ(test.read("active"), "false");
  EXPECT_EQ(test.write("extend_interval", "3"), "");
  EXPECT_THAT(numbers(test.output()), ElementsAre(2, 3, 4));
}

TEST(FromDump, SampleLeavesPacketsOut) {
  const ScratchFile file(frames(200));
  ElementTest test("FromDump", file.path() + ", SAMPLE 0.25", kSource);
  const std::size_t count = test.output().size();
  EXPECT_GT(count, 20);
  EXPECT_LT(count, 80);
  EXPECT_EQ(test.read("sampling_prob"), "0.25");
  ElementTest none("FromDump", file.path() + ", SAMPLE 0", kSource);
  EXPECT_THAT(none.output(), IsEmpty());
}

TEST(FromDump, TheStopHandlerEndsTheRun) {
  const ScratchFile file(frames(2));
  ElementTest test("FromDump", file.path() + ", ACTIVE false", kSource);
  EXPECT_EQ(test.write("stop"), "");
  EXPECT_EQ(test.write("active", "true"), "");
  EXPECT_THAT(test.output(), IsEmpty()) << "the driver has stopped";
}

TEST(FromDump, ActiveWaitsForTheHandler) {
  const ScratchFile file(frames(2));
  ElementTest test("FromDump", file.path() + ", ACTIVE false", kSource);
  EXPECT_THAT(test.output(), IsEmpty());
  EXPECT_EQ(test.write("active", "true"), "");
  EXPECT_THAT(test.output(), SizeIs(2));
}

TEST(FromDump, TellsItsPlaceInTheFileAndGoesToAnother) {
  const ScratchFile file(frames(3));  // records of 20 bytes at 24, 44 and 64
  ElementTest test("FromDump", file.path() + ", FILEPOS 44", kSource);
  EXPECT_THAT(numbers(test.output()), ElementsAre(1, 2));
  EXPECT_EQ(test.read("filesize"), "84");
  EXPECT_EQ(test.read("filepos"), "84");
  EXPECT_EQ(test.read("packet_filepos"), "64");
  EXPECT_EQ(test.write("filepos", "24"), "");
  EXPECT_EQ(test.write("active", "true"), "");
  EXPECT_THAT(numbers(test.output()), ElementsAre(0, 1, 2));
}

TEST(FromDump, KnowsItsPlaceBehindRecordsThatAreCutToTheSnapLength) {
  Bytes bytes = file_header();
  bytes[16] = 8, bytes[17] = 0;  // snap length 8; records at 24, 44 (36 bytes) and 80
  bytes += record(1000, 0, counting(4)) + record(1001, 0, counting(20)) + record(1002, 0, counting(4));
  const ScratchFile file(bytes);
  ElementTest test("FromDump", file.path(), kSource);
  const std::vector<TestPacket> packets = test.output();
  ASSERT_THAT(packets, SizeIs(3));
  EXPECT_THAT(packets[1].bytes, SizeIs(8));
  EXPECT_EQ(test.read("packet_filepos"), "80");
  EXPECT_EQ(test.read("filepos"), "100");
}

TEST(FromDump, ForceIpFindsTheHeaderBehindEveryLinkHeader) {
  const Bytes packet = udp(1, 2);
  const auto offset = [&](std::uint8_t link_type, const std::string& link_header) {
    const ScratchFile file(file_header(link_type) + record(1, 0, hex(link_header) + packet));
    ElementTest test("FromDump", file.path() + ", FORCE_IP true", kSource);
    const std::vector<TestPacket> packets = test.output();
    if (packets.size() != 1) return -1;
    EXPECT_EQ(packets[0].transport_offset, packets[0].network_offset + 20);
    return packets[0].network_offset;
  };
  EXPECT_EQ(offset(101, ""), 0);                                                   // raw
  EXPECT_EQ(offset(228, ""), 0);                                                   // raw IPv4
  EXPECT_EQ(offset(1, "000000000002 000000000001 0800"), 14);                      // Ethernet
  EXPECT_EQ(offset(1, "000000000002 000000000001 8100 0005 0800"), 18);            // ... with a tag
  EXPECT_EQ(offset(1, "000000000002 000000000001 88a8 0005 8100 0006 0800"), 22);  // ... with two
  EXPECT_EQ(offset(1, "000000000002 000000000001 86dd"), -1);                      // ... and IPv6
  EXPECT_EQ(offset(113, "0000 0001 0006 0000000000010000 0800"), 16);              // Linux "any"
  EXPECT_EQ(offset(0, "02000000"), 4);                                             // BSD loopback, little-endian
  EXPECT_EQ(offset(0, "00000002"), 4);                                             // ... big-endian
  EXPECT_EQ(offset(108, "00000002"), 4);                                           // OpenBSD loopback
  EXPECT_EQ(offset(104, "0f00 0800"), 4);                                          // Cisco HDLC
  EXPECT_EQ(offset(9, "ff03 0021"), 4);                                            // PPP
  EXPECT_EQ(offset(9, "0021"), 2);                                                 // ... without address
  EXPECT_EQ(offset(100, "aaaa03 000000 0800"), 8);                                 // LLC over ATM
  EXPECT_EQ(offset(10, "50 000000000002 000000000001 aaaa03 000000 0800"), 21);    // FDDI
  EXPECT_EQ(offset(105, ""), -1);                                                  // 802.11
}

TEST(FromDump, ForceLenMakesPacketsLongerOrShorter) {
  const ScratchFile file(file_header() + record(1, 0, Bytes(100, 7), 10));
  const auto packet = [&](const std::string& force_len) {
    return ElementTest("FromDump", file.path() + ", FORCE_LEN " + force_len, kSource).output().at(0);
  };
  EXPECT_EQ(packet("-1").bytes, Bytes(100, 7));
  EXPECT_EQ(packet("0").bytes, Bytes(100, 7) + Bytes(10, 0));
  EXPECT_EQ(packet("0").get<ExtraLength>(), 0);
  EXPECT_EQ(packet("200").bytes, Bytes(100, 7) + Bytes(100, 0));
  EXPECT_EQ(packet("64").bytes, Bytes(64, 7));
  EXPECT_EQ(packet("64").get<ExtraLength>(), 46);
  EXPECT_THAT(ElementTest("FromDump", file.path() + ", FORCE_LEN 63", kSource).errors(), HasSubstr("FORCE_LEN: must"));
}

TEST(FromDump, ForceIpSendsTheRestToTheSecondOutput) {
  Bytes short_header = udp(1, 2);
  short_header[0] = 0x44;
  Bytes short_length = udp(1, 2);
  short_length[2] = short_length[3] = 0;
  const ScratchFile file(file_header(101) + record(1, 0, udp(1, 2)) + record(2, 0, short_header) +
                         record(3, 0, short_length) + record(4, 0, Bytes(19, 0x45)) + record(5, 0, {}));
  ElementTest both("FromDump", file.path() + ", FORCE_IP true", kTwoOutputs);
  EXPECT_THAT(both.output(0), SizeIs(1));
  EXPECT_THAT(both.output(1), SizeIs(4));
  ElementTest one("FromDump", file.path() + ", FORCE_IP true", kSource);
  EXPECT_THAT(one.output(0), SizeIs(1));
  EXPECT_EQ(one.drops("output_not_connected"), 4);
}

TEST(FromDump, EncapNamesTheLinkType) {
  const auto encap = [](std::uint8_t link_type) {
    const ScratchFile file(file_header(link_type));
    return ElementTest("FromDump", file.path(), kSource).read("encap");
  };
  EXPECT_EQ(encap(1), "ETHER");
  EXPECT_EQ(encap(101), "IP");
  EXPECT_EQ(encap(113), "SLL");
  EXPECT_EQ(encap(147), "##147");  // DLT_USER0
}

TEST(FromDump, GivesUpAtEveryTruncationWithAMessage) {
  const Bytes whole = frames(3);
  for (std::size_t size = 0; size < whole.size(); ++size) {
    const ScratchFile file(Bytes(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size)));
    ElementTest test("FromDump", file.path() + ", STOP true", kSource);
    if (size < 24) {
      EXPECT_THAT(test.errors(), HasSubstr(file.path()));
      continue;
    }
    EXPECT_THAT(test.output(), SizeIs((size - 24) / 20));
    if ((size - 24) % 20 == 0)
      EXPECT_THAT(test.messages(), IsEmpty());
    else
      EXPECT_THAT(test.messages(), ElementsAre(HasSubstr("truncated")));
    EXPECT_TRUE(test.router().take_stop_request());
  }
}

TEST(FromDump, GivesUpAtALyingLength) {
  Bytes bytes = frames(3);
  bytes[24 + 20 + 8 + 3] = 0x7f;  // the second record's length here becomes 0x7f000004
  const ScratchFile file(bytes);
  ElementTest test("FromDump", file.path(), kSource);
  EXPECT_THAT(numbers(test.output()), ElementsAre(0));
  EXPECT_THAT(test.messages(), SizeIs(1));
}

TEST(FromDump, EveryByteOfTheFileMayBeWrong) {
  const Bytes right = file_header() + record(1, 0, ethernet(udp(1, 2))) + record(2, 0, ethernet(tcp(1, 2)));
  for (std::size_t i = 0; i < right.size(); ++i) {
    for (const std::uint8_t value : {0x00, 0x01, 0x7f, 0x80, 0xff}) {
      Bytes wrong = right;
      wrong[i] = value;
      const ScratchFile file(wrong);
      ElementTest test("FromDump", file.path() + ", FORCE_IP true", kTwoOutputs);  // its end balances the ledger
    }
  }
}

TEST(FromDump, DropsWhatIsLongerThanAFrameMayBe) {
  Bytes bytes = file_header();
  bytes[16 + 2] = 4;  // a snap length of 0x4ffff, as tcpdump -s 0 would write 0x40000
  const ScratchFile file(bytes + record(1, 0, Bytes(65535)) + record(2, 0, Bytes(65536)) + record(3, 0, Bytes(1)));
  ElementTest test("FromDump", file.path(), kSource);
  const std::vector<TestPacket> packets = test.output();
  ASSERT_THAT(packets, SizeIs(2));
  EXPECT_THAT(packets[0].bytes, SizeIs(65535));
  EXPECT_EQ(test.drops("too_long"), 1);
}

TEST(FromDump, WithoutAFileThereIsNoRouter) {
  EXPECT_THAT(ElementTest("FromDump", "/no/such/file", kSource).errors(), HasSubstr("No such file or directory"));
  EXPECT_THAT(ElementTest("FromDump", "", kSource).errors(), HasSubstr("FILENAME: required argument missing"));
}

}  // namespace
}  // namespace packetmill::testing
