#include <random>

#include "tests/nf/example_run.h"
#include "tests/support/packets.h"

// Whatever comes in, nothing crashes (this test runs under ASan and UBSan too) and nothing is lost silently.
namespace packetmill::testing {
namespace {

/// Where each example takes its frames from.
struct Inputs {
  std::string file;
  std::vector<std::string> variables;
};
const std::vector<Inputs> kExamples = {{"forwarder.click", {"IN"}},          {"workpackage.click", {"IN"}},
                                       {"router.click", {"IN0", "IN1"}},     {"ids-router.click", {"IN"}},
                                       {"nat.click", {"INSIDE", "OUTSIDE"}}, {"nat-flow.click", {"INSIDE"}}};

/// Runs every example over the trace and holds its ledger against what was in the trace.
void survive(const std::vector<Bytes>& frames) {
  const ScratchDirectory scratch;
  write_trace(scratch.file("in.pcap"), frames);
  for (const Inputs& example : kExamples)
    for (const int batch_size : {1, 32}) {
      std::map<std::string, std::string> variables;
      for (const std::string& variable : example.variables) variables[variable] = scratch.file("in.pcap");
      const auto router = make_example(example.file, variables, batch_size);
      ASSERT_NE(router, nullptr);
      router->run();
      const Ledger ledger = router->ledger();
      EXPECT_TRUE(ledger.balanced()) << example.file << "\n"
                                     << router->read("ledger").text << router->read("drops").text;
      EXPECT_EQ(ledger.received, frames.size() * example.variables.size()) << example.file;
    }
}

TEST(BadInput, FramesOfEveryLength) {
  std::vector<Bytes> frames;
  const Bytes longest = ethernet(udp(1000, 53, counting(65535 - 28 - 14)));
  for (std::size_t length = 0; length <= 200; ++length) frames.emplace_back(longest.begin(), longest.begin() + length);
  for (std::size_t length = 201; length <= longest.size(); length += 997)
    frames.emplace_back(longest.begin(), longest.begin() + static_cast<std::ptrdiff_t>(length));
  frames.push_back(longest);
  survive(frames);
}

TEST(BadInput, EveryHeaderByteWrongInTurn) {
  std::vector<Bytes> frames;
  for (const Bytes& good :
       {ethernet(udp(1000, 53)), ethernet(tcp(1000, 80)), ethernet(icmp(8, 0)), ethernet(icmp(3, 1)),
        arp(kArpRequest, "0:0:0:0:0:9", "192.0.2.9", "0:0:0:0:0:0", "192.0.2.1"),
        arp(kArpReply, "0:0:0:0:0:9", "192.0.2.9", "0:0:0:0:0:1", "192.0.2.1")})
    for (std::size_t at = 0; at < good.size() && at < 64; ++at)
      for (const int value : {0x00, 0x01, 0x7f, 0x80, 0xff, static_cast<int>(good[at]) ^ 1}) {
        frames.push_back(good);
        frames.back()[at] = static_cast<std::uint8_t>(value);
      }
  survive(frames);
}

/// A good header checksum lets the rest of a wrong packet get further in.
TEST(BadInput, WrongFieldsBehindARightChecksum) {
  std::mt19937 random(7);
  std::vector<Bytes> frames;
  for (int i = 0; i < 3000; ++i) {
    Bytes options(random() % 11 * 4);
    for (auto& byte : options) byte = static_cast<std::uint8_t>(random() % (i % 2 == 0 ? 9 : 256));
    Bytes payload(random() % 64);
    for (auto& byte : payload) byte = static_cast<std::uint8_t>(random());
    const std::uint8_t protocols[] = {1, 6, 17, static_cast<std::uint8_t>(random())};
    frames.push_back(ethernet(ipv4(protocols[random() % 4], payload,
                                   {.source = i % 3 == 0 ? "10.0.0.5" : "192.0.2.9",
                                    .destination = i % 5 == 0 ? "192.0.2.1" : "203.0.113.4",
                                    .ttl = static_cast<std::uint8_t>(random()),
                                    .fragment = static_cast<std::uint16_t>(i % 4 == 0 ? random() : 0),
                                    .options = options})));
  }
  survive(frames);
}

TEST(BadInput, TruncatedAndMalformedTraces) {
  const ScratchDirectory scratch;
  const std::string path = scratch.file("in.pcap");
  write_trace(path, {ethernet(udp(1, 2)), ethernet(tcp(3, 4))});
  std::ifstream in(path, std::ios::binary);
  const std::string good((std::istreambuf_iterator<char>(in)), {});
  std::mt19937 random(8);
  for (std::size_t i = 0; i < 2 * good.size(); ++i) {
    std::string bad = i < good.size() ? good.substr(0, i) : good;
    if (i >= good.size()) bad[i - good.size()] = static_cast<char>(random());
    std::ofstream(path, std::ios::binary) << bad;
    Diagnostics diagnostics;
    const Graph graph = parse_click({{"config", "FromDump(" + path + ", STOP true) -> c :: Counter -> Discard"}}, {},
                                    engine::Registry::instance(), diagnostics);
    engine::Options options;
    options.simulated_time = Timestamp{};
    const auto router = engine::Router::make(graph, options, diagnostics);
    if (router == nullptr) {
      EXPECT_GT(diagnostics.errors(), 0) << "a trace was refused without a word";
      continue;
    }
    router->run();
    EXPECT_TRUE(router->ledger().balanced());
    EXPECT_LE(router->ledger().received, 3U);
  }
}

}  // namespace
}  // namespace packetmill::testing
