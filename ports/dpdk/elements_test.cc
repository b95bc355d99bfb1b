#include <gmock/gmock.h>

#include <map>
#include <set>

#include "frontends/click/click.h"
#include "tests/support/packets.h"
#include "tests/support/router_test.h"
#include "tests/support/traces.h"

// FromDPDKDevice and ToDPDKDevice on DPDK's virtual devices: frames from file to file (net_pcap), from nowhere to
// nowhere (net_null), round in a circle (net_ring). net_af_packet has a test program of its own: it needs a network
// namespace.
namespace packetmill::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr auto kWhile = Duration::milliseconds(1);  ///< a thousand rounds of turns

/// Frames of 50 flows in turn; the payload says which one of its flow each frame is.
std::vector<Bytes> flows(int count) {
  std::vector<Bytes> frames;
  for (int i = 0; i < count; ++i)
    frames.push_back(ethernet(udp(static_cast<std::uint16_t>(1000 + i % 50), 53, {static_cast<std::uint8_t>(i / 50)})));
  return frames;
}

/// Frames by the UDP port they come from.
std::map<int, std::vector<Bytes>> by_flow(const std::vector<Bytes>& frames) {
  std::map<int, std::vector<Bytes>> result;
  for (const Bytes& frame : frames) result[frame[34] << 8 | frame[35]].push_back(frame);
  return result;
}

TEST(DPDKDevices, ForwardATraceFromFileToFile) {
  const ScratchDirectory scratch;
  const std::vector<Bytes> frames = {ethernet(udp(1, 2)), ethernet(tcp(3, 4)), Bytes(1500, 7), Bytes(14, 1)};
  write_trace(scratch.file("in"), frames);
  {
    RouterTest test("from :: FromDPDKDevice(\"net_pcap0,rx_pcap=" + scratch.file("in") +
                    "\") -> to :: ToDPDKDevice(\"net_pcap1,tx_pcap=" + scratch.file("out") + "\");");
    ASSERT_EQ(test.errors(), "");
    test.advance(kWhile);
    EXPECT_EQ(test.read("from.count"), "4");
    EXPECT_EQ(test.read("from.hw_count"), "4");
    EXPECT_EQ(test.read("from.driver"), "net_pcap");
    EXPECT_EQ(test.read("to.n_sent"), "4");
    EXPECT_EQ(test.read("to.hw_count"), "4");
    EXPECT_EQ(test.read("to.n_dropped"), "0");
    test.write("from.reset_counts");
    EXPECT_EQ(test.read("from.count"), "0");
  }
  EXPECT_EQ(read_trace(scratch.file("out")), frames);
}

TEST(DPDKDevices, ReceiveWhatASourceSentThroughARing) {
  RouterTest test(
      "s :: InfiniteSource(LIMIT 100, DATA hello) -> ToDPDKDevice(net_ring0);"
      "FromDPDKDevice(net_ring0, PROMISC false, BURST 8) -> out :: TestOutput;");
  ASSERT_EQ(test.errors(), "");
  test.advance(kWhile);
  const std::vector<TestPacket> received = test.output();
  ASSERT_EQ(received.size(), 100U);
  EXPECT_EQ(received[0].bytes, (Bytes{'h', 'e', 'l', 'l', 'o'}));
}

TEST(DPDKDevices, TakeFramesFromTheNullDeviceForEver) {
  RouterTest test(
      "FromDPDKDevice(\"net_null0,size=100\") -> to :: ToDPDKDevice(net_null1);"
      "idle :: FromDPDKDevice(net_null2, ACTIVE false) -> to;");
  ASSERT_EQ(test.errors(), "");
  test.advance(kWhile);
  EXPECT_GE(std::stoull(test.read("to.n_sent")), 32'000U);
  EXPECT_EQ(test.read("idle.count"), "0");
}

// infinite_rx=1 keeps every frame in a buffer.
TEST(DPDKDevices, ATraceThatIsLongerThanThePoolNeedsMoreBuffers) {
  const ScratchDirectory scratch;
  constexpr int kFrames = 10000;
  write_trace(scratch.file("in"), flows(kFrames));
  const std::string forward =
      "from :: FromDPDKDevice(\"net_pcap0,rx_pcap=" + scratch.file("in") + ",infinite_rx=1\", NDESC 512) -> Discard;";
  EXPECT_THAT(RouterTest(forward).errors(), HasSubstr("net_pcap0"));
  RouterTest test(forward + "DPDKInfo(NB_SOCKET_MBUF 16384);");
  ASSERT_EQ(test.errors(), "");
  test.advance(kWhile);
  EXPECT_GT(std::stoull(test.read("from.count")), static_cast<unsigned>(kFrames));
}

TEST(DPDKDevices, StopAndGoByTheActiveHandler) {
  RouterTest test("from :: FromDPDKDevice(net_null0) -> Discard;");
  ASSERT_EQ(test.errors(), "");
  EXPECT_EQ(test.write("from.active", "false"), "");
  const std::string before = test.read("from.count");
  test.advance(kWhile);
  EXPECT_EQ(test.read("from.count"), before);
  EXPECT_EQ(test.write("from.active", "true"), "");
  test.advance(kWhile);
  EXPECT_NE(test.read("from.count"), before);
}

TEST(DPDKDevices, FramesLongerThanTheMTUAreTheDevicesDrops) {
  const ScratchDirectory scratch;
  write_trace(scratch.file("in"), {Bytes(1518, 1), Bytes(1519, 2), Bytes(60, 3)});
  RouterTest test("from :: FromDPDKDevice(\"net_pcap0,rx_pcap=" + scratch.file("in") +
                  "\", MTU 1500) -> out :: TestOutput;");
  ASSERT_EQ(test.errors(), "");
  test.advance(kWhile);
  EXPECT_THAT(test.output(), ElementsAre(TestPacket(Bytes(1518, 1)), TestPacket(Bytes(60, 3))));
  EXPECT_EQ(test.read("from.hw_dropped"), "1");
}

TEST(DPDKDevices, AFullInternalQueueDropsWithoutBlocking) {
  // The ring takes 1023 frames, the internal queue ten more.
  RouterTest test("InfiniteSource(LIMIT 2000) -> to :: ToDPDKDevice(net_ring0, IQUEUE 10, BLOCKING false);");
  ASSERT_EQ(test.errors(), "");
  test.advance(kWhile);
  const int sent = std::stoi(test.read("to.n_sent"));
  EXPECT_GT(sent, 0);
  EXPECT_LT(sent, 2000);
  EXPECT_EQ(std::stoi(test.read("to.n_dropped")), 2000 - sent - 10);
  EXPECT_THAT(test.read("drops"), HasSubstr("queue_full"));
}

TEST(DPDKDevices, ARingThatWasOnlySentToIsEmptyForTheNextRun) {
  {
    RouterTest fills("InfiniteSource(LIMIT 2000) -> ToDPDKDevice(net_ring0, BLOCKING false);");
    fills.advance(kWhile);
  }
  RouterTest test("from :: FromDPDKDevice(net_ring0) -> Discard;");
  test.advance(kWhile);
  EXPECT_EQ(test.read("from.count"), "0");
}

TEST(DPDKDevices, FewerThanABurstWaitForTheTimeout) {
  RouterTest test("in :: TestInput -> to :: ToDPDKDevice(net_ring0, BURST 4, TIMEOUT 2);");
  ASSERT_EQ(test.errors(), "");
  test.push("in", packets({1, 2, 3}));
  EXPECT_EQ(test.read("to.n_sent"), "0");
  test.advance(Duration::microseconds(1999));
  EXPECT_EQ(test.read("to.n_sent"), "0");
  test.advance(Duration::microseconds(2));
  EXPECT_EQ(test.read("to.n_sent"), "3");
  test.push("in", packets({4, 5, 6, 7}));
  EXPECT_EQ(test.read("to.n_sent"), "7") << "a whole burst does not wait";
}

TEST(DPDKDevices, ANegativeTimeoutWaitsForAWholeBurst) {
  RouterTest test("in :: TestInput -> to :: ToDPDKDevice(net_ring0, BURST 4, TIMEOUT -1);");
  ASSERT_EQ(test.errors(), "");
  test.push("in", packets({1, 2, 3}));
  test.advance(Duration::seconds(60));
  EXPECT_EQ(test.read("to.n_sent"), "0");
  test.push("in", packets({4}));
  EXPECT_EQ(test.read("to.n_sent"), "4");
}

TEST(DPDKDevices, APortThatDoesNotExistMayBeAllowed) {
  RouterTest test(
      "from :: FromDPDKDevice(net_nonsense0, ALLOW_NONEXISTENT true) -> c :: Counter -> Discard;"
      "in :: TestInput -> to :: ToDPDKDevice(net_nonsense0, ALLOW_NONEXISTENT true);");
  ASSERT_EQ(test.errors(), "");
  test.push("in", packets({1, 2}));
  test.advance(kWhile);
  EXPECT_EQ(test.read("from.count") + " " + test.read("from.hw_count") + " " + test.read("to.n_sent"), "0 0 0");
  EXPECT_EQ(test.read("from.carrier") + test.read("from.xstats") + test.read("from.driver"), "false");
  EXPECT_EQ(test.read("to.n_dropped"), "2");
}

TEST(DPDKDevices, MinusOneQueueOrThreadIsTheDefaultOfTheManual) {
  RouterTest test("from :: FromDPDKDevice(net_null0, 0, -1, MAXTHREADS -1) -> ToDPDKDevice(net_null1, N_QUEUES -1);");
  ASSERT_EQ(test.errors(), "");
  EXPECT_EQ(test.read("from.nb_rx_queues"), "1");
}

TEST(DPDKDevices, SeveralQueuesOnTwoCoresKeepEachFlowTogether) {
  const ScratchDirectory scratch;
  write_trace(scratch.file("in"), flows(500));
  Diagnostics diagnostics;
  const Graph graph = parse_click({{"test", "from :: FromDPDKDevice(\"net_pcap0,rx_pcap=" + scratch.file("in") +
                                                "\", N_QUEUES 2) -> c :: Counter(COUNT_CALL 500 stop)"
                                                " -> to :: ToDPDKDevice(\"net_pcap1,tx_pcap=" +
                                                scratch.file("out") + "\");"}},
                                  {}, test_registry(), diagnostics);
  engine::Options options;
  options.cores = 2;
  {
    const auto router = engine::Router::make(graph, options, diagnostics, test_registry());
    ASSERT_NE(router, nullptr) << (diagnostics.list().empty() ? "" : diagnostics.list().front().message);
    EXPECT_EQ(router->read("from.nb_rx_queues").text, "2");
    router->run();
    EXPECT_EQ(router->read("from.count").text, "500");
    EXPECT_TRUE(router->ledger().balanced()) << router->read("ledger").text;
  }
  // Flows pass one another; the frames of one do not.
  EXPECT_EQ(by_flow(read_trace(scratch.file("out"))), by_flow(flows(500)));
}

TEST(DPDKDevices, HashAndQueueBecomeAnnotations) {
  const ScratchDirectory scratch;
  write_trace(scratch.file("in"), flows(50));
  RouterTest test("from :: FromDPDKDevice(\"net_pcap0,rx_pcap=" + scratch.file("in") +
                  "\", N_QUEUES 2, RSS_AGGREGATE true, PAINT_QUEUE true)"
                  " -> out :: TestOutput;");
  ASSERT_EQ(test.errors(), "");
  test.advance(kWhile);
  const std::vector<TestPacket> packets = test.output();
  ASSERT_EQ(packets.size(), 50U);
  std::set<int> queues;
  for (const TestPacket& packet : packets) {
    EXPECT_EQ(packet.get<AggregateNumber>(), packet.get<RssHash>());
    EXPECT_NE(packet.get<RssHash>(), 0U);
    queues.insert(packet.get<PaintColor>());
  }
  EXPECT_THAT(queues, ElementsAre(0, 1));
}

TEST(DPDKDevices, ThePortsAddressCanBeGiven) {
  RouterTest test("from :: FromDPDKDevice(net_null0, MAC 02:00:00:00:00:07) -> Discard;");
  ASSERT_EQ(test.errors(), "");
  EXPECT_EQ(test.read("from.mac"), "02-00-00-00-00-07");
}

TEST(DPDKDevices, ThreadOffsetsSayWhereTheFirstQueueIsRead) {
  Diagnostics diagnostics;
  const Graph graph =
      parse_click({{"test", "from :: FromDPDKDevice(net_null0, N_QUEUES 1, THREADOFFSET 1) -> Discard;"}}, {},
                  test_registry(), diagnostics);
  engine::Options options;
  options.cores = 2;
  const auto router = engine::Router::make(graph, options, diagnostics, test_registry());
  ASSERT_NE(router, nullptr);
  EXPECT_EQ(router->find("from")->task_homes.at(0)->index, 1);
}

TEST(DPDKDevices, UnknownPortsAndBadNumbersAreErrorsOfTheConfiguration) {
  EXPECT_THAT(RouterTest("FromDPDKDevice(net_nonsense0) -> Discard;").errors(), HasSubstr("net_nonsense0"));
  EXPECT_THAT(RouterTest("FromDPDKDevice(net_null0, BURST 0) -> Discard;").errors(), HasSubstr("BURST must be 1 to"));
  EXPECT_THAT(RouterTest("Idle -> ToDPDKDevice(net_null0, IQUEUE 0);").errors(),
              HasSubstr("IQUEUE and BURST must be at least 1"));
  EXPECT_THAT(RouterTest("FromDPDKDevice() -> Discard;").errors(), HasSubstr("PORT"));
}

}  // namespace
}  // namespace packetmill::testing
