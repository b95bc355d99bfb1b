#include "ports/dpdk/port.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <pcap/pcap.h>

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "ports/dpdk/burst.h"
#include "ports/dpdk/eal.h"

namespace packetmill::dpdk {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;
using Frame = std::vector<std::uint8_t>;

/// An Ethernet frame with a UDP packet from 10.0.0.`host`, port `port`, to 10.0.1.1, port 53; or the other way round.
Frame udp(std::uint8_t host, std::uint16_t port, bool reply = false) {
  const Frame a{10, 0, 0, host}, b{10, 0, 1, 1};
  const Frame p{static_cast<std::uint8_t>(port >> 8), static_cast<std::uint8_t>(port)}, q{0, 53};
  Frame frame(12, 2);
  const auto add = [&](const Frame& bytes) { frame.insert(frame.end(), bytes.begin(), bytes.end()); };
  add({0x08, 0x00, 0x45, 0, 0, 46, 0, 0, 0, 0, 64, 17, 0, 0});
  for (const Frame& part : reply ? std::vector{b, a, q, p} : std::vector{a, b, p, q}) add(part);
  frame.resize(60);
  return frame;
}

class DpdkPort : public ::testing::Test {
 protected:
  void SetUp() override {
    ASSERT_EQ(start_eal({}), std::nullopt);
    std::filesystem::create_directory(directory);
  }
  void TearDown() override { std::filesystem::remove_all(directory); }

  std::string file(const std::string& name) const { return directory / name; }

  void write_pcap(const std::string& name, const std::vector<Frame>& frames) const {
    pcap_t* const pcap = pcap_open_dead(DLT_EN10MB, 65535);
    pcap_dumper_t* const dumper = pcap_dump_open(pcap, file(name).c_str());
    for (const Frame& frame : frames) {
      pcap_pkthdr header{};
      header.caplen = header.len = static_cast<bpf_u_int32>(frame.size());
      pcap_dump(reinterpret_cast<u_char*>(dumper), &header, frame.data());
    }
    pcap_dump_close(dumper);
    pcap_close(pcap);
  }

  std::vector<Frame> read_pcap(const std::string& name) const {
    char error[PCAP_ERRBUF_SIZE];
    pcap_t* const pcap = pcap_open_offline(file(name).c_str(), error);
    std::vector<Frame> frames;
    if (!pcap) return frames;
    pcap_pkthdr* header;
    for (const u_char* data; pcap_next_ex(pcap, &header, &data) == 1;) frames.emplace_back(data, data + header->caplen);
    pcap_close(pcap);
    return frames;
  }

  Port& open(const std::string& device, const PortConfiguration& configuration = {}) {
    std::string error;
    Port* const port = ports.open(device, error);
    if (!port) throw std::runtime_error(error);
    if (const auto failed = port->start(configuration)) throw std::runtime_error(*failed);
    return *port;
  }

  /// The contents of every frame that waits on a queue.
  static std::vector<Frame> receive_all(Port& port, unsigned queue = 0) {
    std::vector<Frame> contents;
    rte_mbuf* frames[32];
    while (const unsigned count = receive(port, queue, frames, 32)) {
      for (rte_mbuf* frame : std::span(frames, count)) contents.emplace_back(bytes(frame).begin(), bytes(frame).end());
      release(frames, count);
    }
    return contents;
  }

  static void send(Port& port, const Frame& contents, unsigned queue = 0) {
    rte_mbuf* frame = allocate(port.pool(), static_cast<std::uint16_t>(contents.size()));
    ASSERT_NE(frame, nullptr);
    std::copy(contents.begin(), contents.end(), bytes(frame).begin());
    ASSERT_EQ(transmit(port, queue, &frame, 1), 1U);
  }

  std::filesystem::path directory =
      std::filesystem::path(testing::TempDir()) / ("packetmill_port_test_" + std::to_string(getpid()));
  Ports ports;
};

// --- devices ---------------------------------------------------------------------------------------------------------

TEST_F(DpdkPort, NullDeviceGivesFramesAndTakesThem) {
  Port& port = open("net_null0,size=100");
  EXPECT_EQ(port.capabilities().driver, "net_null");
  rte_mbuf* frames[32];
  ASSERT_EQ(receive(port, 0, frames, 32), 32U);
  EXPECT_EQ(bytes(frames[0]).size(), 100U);
  EXPECT_EQ(transmit(port, 0, frames, 32), 32U);
  EXPECT_EQ(port.statistics().received, 32U);
  EXPECT_EQ(port.statistics().sent, 32U);
}

TEST_F(DpdkPort, RingDeviceGivesBackWhatItIsSent) {
  Port& port = open("net_ring0");
  send(port, udp(1, 1000));
  send(port, udp(2, 2000));
  EXPECT_THAT(receive_all(port), ElementsAre(udp(1, 1000), udp(2, 2000)));
}

TEST_F(DpdkPort, PcapDeviceForwardsFromFileToFile) {
  const std::vector<Frame> trace{udp(1, 1), udp(2, 2), Frame(1518, 7)};
  write_pcap("in", trace);
  {
    Ports own;
    std::string error;
    Port* const port = own.open("net_pcap0,rx_pcap=" + file("in") + ",tx_pcap=" + file("out"), error);
    ASSERT_NE(port, nullptr) << error;
    ASSERT_EQ(port->start({}), std::nullopt);
    rte_mbuf* frames[32];
    const unsigned count = receive(*port, 0, frames, 32);
    EXPECT_EQ(transmit(*port, 0, frames, count), 3U);
    EXPECT_EQ(port->statistics().sent, 3U);
    EXPECT_EQ(port->statistics().sent_bytes, 60U + 60U + 1518U);
  }
  EXPECT_EQ(read_pcap("out"), trace);
}

TEST_F(DpdkPort, ADeviceCanBeMadeAgainOnceItsPortsAreGone) {
  for (std::uint8_t i = 1; i <= 3; ++i) {
    write_pcap("in", {udp(i, i)});
    Ports own;
    std::string error;
    Port* const port = own.open("net_pcap0,rx_pcap=" + file("in"), error);
    ASSERT_NE(port, nullptr) << error;
    ASSERT_EQ(port->start({.transmit_queues = 0}), std::nullopt);
    EXPECT_THAT(receive_all(*port), ElementsAre(udp(i, i)));
  }
}

TEST_F(DpdkPort, DeviceArgumentsMayBeLong) {
  const std::string name(120, 'x');
  write_pcap(name, {udp(1, 1)});
  EXPECT_THAT(receive_all(open("net_pcap0,rx_pcap=" + file(name), {.transmit_queues = 0})), ElementsAre(udp(1, 1)));
}

TEST_F(DpdkPort, FramesLeftInADeviceAreNoTroubleAtTheEnd) {
  Port& ring = open("net_ring0");
  Port& null = open("net_null0");
  rte_mbuf* frames[32];
  ASSERT_EQ(receive(null, 0, frames, 32), 32U);
  EXPECT_EQ(transmit(ring, 0, frames, 32), 32U);  // buffers of the one port's pool in the other port's ring
}

// --- frames ----------------------------------------------------------------------------------------------------------

TEST_F(DpdkPort, LongFramesAreDroppedAndCounted) {
  write_pcap("in", {udp(1, 1), Frame(1519, 1), Frame(5000, 2), udp(2, 2)});
  Port& port = open("net_pcap0,rx_pcap=" + file("in"), {.transmit_queues = 0, .max_frame = 1518});
  EXPECT_THAT(receive_all(port), ElementsAre(udp(1, 1), udp(2, 2)));
  EXPECT_EQ(port.statistics().too_long, 2U);
}

TEST_F(DpdkPort, FramesAsLongAsTheMaximumComeInOnePiece) {
  write_pcap("in", {Frame(9018, 5)});
  Port& port = open("net_pcap0,rx_pcap=" + file("in"), {.transmit_queues = 0, .max_frame = 9018});
  EXPECT_THAT(receive_all(port), ElementsAre(Frame(9018, 5)));
}

TEST_F(DpdkPort, FramesInSeveralBuffersAreCopiedIntoOne) {
  Port& port = open("net_ring0");
  rte_mbuf* first = allocate(port.pool(), 60);
  rte_mbuf* second = allocate(port.pool(), 40);
  std::fill_n(bytes(first).begin(), 60, std::uint8_t{1});
  std::fill_n(bytes(second).begin(), 40, std::uint8_t{2});
  ASSERT_EQ(rte_pktmbuf_chain(first, second), 0);
  ASSERT_EQ(transmit(port, 0, &first, 1), 1U);

  Frame expected(60, 1);
  expected.resize(100, 2);
  EXPECT_THAT(receive_all(port), ElementsAre(expected));
  EXPECT_EQ(port.statistics().linearised, 1U);
}

// --- queues ----------------------------------------------------------------------------------------------------------

TEST_F(DpdkPort, ADeviceWithoutRssIsSpreadByHash) {
  std::vector<Frame> trace;
  for (std::uint16_t port = 1; port <= 64; ++port) trace.push_back(udp(1, port));
  write_pcap("in", trace);
  Port& port = open("net_pcap0,rx_pcap=" + file("in"), {.receive_queues = 4, .transmit_queues = 0});

  const Toeplitz toeplitz(kDefaultRssKey);
  std::size_t total = 0;
  rte_mbuf* frames[64];
  for (int round = 0; round < 4; ++round)
    for (unsigned queue = 0; queue < 4; ++queue) {
      const unsigned count = receive(port, queue, frames, 64);
      for (rte_mbuf* frame : std::span(frames, count)) {
        EXPECT_EQ(frame->hash.rss, toeplitz.hash_frame(bytes(frame)));
        EXPECT_EQ(frame->hash.rss % 128 % 4, queue);
      }
      release(frames, count);
      total += count;
    }
  EXPECT_EQ(total, trace.size());
}

TEST_F(DpdkPort, SymmetricSpreadingKeepsBothDirectionsTogether) {
  std::vector<Frame> trace;
  for (std::uint8_t host = 1; host <= 32; ++host)
    for (const bool reply : {false, true}) trace.push_back(udp(host, 1000, reply));
  write_pcap("in", trace);
  Port& port =
      open("net_pcap0,rx_pcap=" + file("in"), {.receive_queues = 4, .transmit_queues = 0, .symmetric_rss = true});

  std::map<int, std::vector<unsigned>> queues_of_host;
  for (unsigned pass = 0; pass < 2; ++pass)
    for (unsigned queue = 0; queue < 4; ++queue)
      for (const Frame& frame : receive_all(port, queue)) {
        const bool reply = frame[28] == 1;  // 10.0.1.1 is the source
        queues_of_host[reply ? frame[33] : frame[29]].push_back(queue);
      }
  EXPECT_EQ(queues_of_host.size(), 32U);
  for (const auto& [host, queues] : queues_of_host) {
    ASSERT_EQ(queues.size(), 2U) << "host " << host;
    EXPECT_EQ(queues[0], queues[1]) << "host " << host;
  }
}

TEST_F(DpdkPort, FramesBeyondAFullSoftwareQueueAreCounted) {
  const std::vector<Frame> trace(1000, udp(1, 1));
  write_pcap("in", trace);
  Port& port = open("net_pcap0,rx_pcap=" + file("in"), {.receive_queues = 2, .transmit_queues = 0, .buffers = 512});
  const unsigned other = 1 - Toeplitz(kDefaultRssKey).hash_frame(udp(1, 1)) % 128 % 2;
  for (int i = 0; i < 40; ++i) EXPECT_THAT(receive_all(port, other), testing::IsEmpty());  // polls for its neighbour
  EXPECT_EQ(port.statistics().rss_ring_full, 1000U - 256U);
  EXPECT_EQ(receive_all(port, 1 - other).size(), 256U);
}

TEST_F(DpdkPort, MoreTransmitQueuesThanTheDeviceHasAreShared) {
  Port& port = open("net_ring0", {.transmit_queues = 3});
  for (unsigned queue = 0; queue < 3; ++queue) send(port, udp(1, static_cast<std::uint16_t>(queue)), queue);
  EXPECT_THAT(receive_all(port), ElementsAre(udp(1, 0), udp(1, 1), udp(1, 2)));
}

// --- what is asked for, and is not there -----------------------------------------------------------------------------

TEST_F(DpdkPort, TheSameDeviceIsTheSamePort) {
  std::string error;
  Port* const port = ports.open("net_null0,size=60", error);
  ASSERT_NE(port, nullptr);
  EXPECT_EQ(ports.open("net_null0,size=60", error), port);
  EXPECT_EQ(ports.open("net_null0", error), port);
  EXPECT_EQ(ports.open(std::to_string(port->number()), error), port);
  EXPECT_EQ(ports.open("net_null0,size=61", error), nullptr);
  EXPECT_EQ(error, "DPDK device 'net_null0' is already there as 'net_null0,size=60'");
}

TEST_F(DpdkPort, UnknownPortsAreNamedBesideTheKnown) {
  std::string error;
  EXPECT_EQ(ports.open("7", error), nullptr);
  EXPECT_THAT(error, StartsWith("no DPDK port 7; there is none; "));
  open("net_null0");
  EXPECT_EQ(ports.open("7", error), nullptr);
  EXPECT_THAT(error, HasSubstr("(net_null0)"));
  EXPECT_EQ(ports.open("net_nonsense0,x=y", error), nullptr);
  EXPECT_THAT(error, HasSubstr("no DPDK device 'net_nonsense0,x=y'"));
  EXPECT_EQ(ports.open("net_pcap0,rx_pcap=/no/such/file", error), nullptr);
  EXPECT_THAT(error, HasSubstr("/no/such/file"));
}

TEST_F(DpdkPort, WhatADeviceCannotDoIsSaid) {
  write_pcap("in", {udp(1, 1)});
  std::string error;
  Port* const pcap = ports.open("net_pcap0,rx_pcap=" + file("in") + ",rx_pcap=" + file("in"), error);
  ASSERT_NE(pcap, nullptr) << error;
  EXPECT_EQ(pcap->start({.receive_queues = 4, .transmit_queues = 0}), "port net_pcap0 has only 2 receive queues");
  Port* const null = ports.open("net_null0", error);
  ASSERT_NE(null, nullptr) << error;
  EXPECT_EQ(null->start({.receive_offloads = RTE_ETH_RX_OFFLOAD_IPV4_CKSUM}),
            "port net_null0 has no receive offload IPV4_CKSUM");
  EXPECT_EQ(null->start({}), std::nullopt);
  EXPECT_EQ(null->start({}), "port net_null0 is already started");
}

TEST_F(DpdkPort, TellsAddressLinkAndStatistics) {
  Port& port = open("net_ring0");
  EXPECT_TRUE(port.link().up);
  EXPECT_EQ(port.link().megabits, 10'000U);
  EXPECT_EQ(port.mac().size(), 6U);
  send(port, udp(1, 1));
  receive_all(port);
  EXPECT_THAT(port.extended_statistics(), testing::Contains(testing::Pair("rx_good_packets", 1U)));
}

}  // namespace
}  // namespace packetmill::dpdk
