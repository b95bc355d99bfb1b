#include <fmt/format.h>
#include <gmock/gmock.h>

#include "tests/nf/example_run.h"

// Every example runs over its trace, in the trace's own time, and every frame that leaves must be the one that
// examples/oracle/*.py computed with Scapy, in the same order at a batch size of one.
namespace packetmill::testing {
namespace {

/// As a mismatch shows it.
std::string hexadecimal(const Bytes& frame) {
  std::string text;
  for (const std::uint8_t byte : frame) text += fmt::format("{:02x}", byte);
  return text;
}

struct Wire {
  std::string variable;  ///< of the configuration: where frames go
  std::string expected;  ///< the trace that the oracle computed
};
struct Example {
  std::string file;
  std::vector<Wire> wires;
};
void PrintTo(const Example& example, std::ostream* out) { *out << example.file; }

class Examples : public ::testing::TestWithParam<Example> {};

TEST_P(Examples, SendWhatTheOracleComputed) {
  const Example& example = GetParam();
  std::map<std::string, std::string> variables{{"TIMING", "true"}};
  const ScratchDirectory scratch;
  for (const Wire& wire : example.wires) variables[wire.variable] = scratch.file(wire.variable + ".pcap");

  for (const int batch_size : {1, 32}) {
    {
      const auto router = make_example(example.file, variables, batch_size);
      ASSERT_NE(router, nullptr);
      router->run();
      EXPECT_TRUE(router->ledger().balanced()) << router->read("ledger").text << router->read("drops").text;
    }
    for (const Wire& wire : example.wires) {
      std::vector<Bytes> sent = read_trace(variables[wire.variable]);
      std::vector<Bytes> expected = read_trace("examples/traces/" + wire.expected);
      if (batch_size > 1) {
        // A vector plan keeps no order among paths that part and meet again.
        std::sort(sent.begin(), sent.end());
        std::sort(expected.begin(), expected.end());
      }
      const std::size_t common = std::min(sent.size(), expected.size());
      for (std::size_t i = 0; i < common; ++i)
        ASSERT_EQ(hexadecimal(sent[i]), hexadecimal(expected[i]))
            << "frame " << i + 1 << " of " << wire.expected << ", batch size " << batch_size;
      EXPECT_EQ(sent.size(), expected.size()) << wire.expected << ", batch size " << batch_size;
    }
  }
}

/// tshark understands what the router sent: every header, every checksum's field, every length.
TEST(RouterExample, NotOnePacketThatItSendsIsMalformed) {
  const ScratchDirectory scratch;
  {
    const auto router = make_example("router.click", {{"OUT0", scratch.file("0")}, {"OUT1", scratch.file("1")}}, 32);
    ASSERT_NE(router, nullptr);
    router->run();
  }
  for (const char* out : {"0", "1"}) {
    const std::string tshark = "tshark -n -r " + scratch.file(out) + " -T fields -e frame.number -Y ";
    EXPECT_EQ(std::system((tshark + "frame > " + scratch.file("all") + " 2>/dev/null").c_str()), 0)
        << "is tshark there?";
    EXPECT_EQ(std::system((tshark + "_ws.malformed > " + scratch.file("bad") + " 2>/dev/null").c_str()), 0);
    EXPECT_GT(std::filesystem::file_size(scratch.file("all")), 800U);
    EXPECT_EQ(std::filesystem::file_size(scratch.file("bad")), 0U);
  }
}

INSTANTIATE_TEST_SUITE_P(
    , Examples,
    ::testing::Values(
        Example{"forwarder.click", {{"OUT", "forwarder.expected.pcap"}}},
        Example{"workpackage.click", {{"OUT", "workpackage.expected.pcap"}}},
        Example{"router.click", {{"OUT0", "router-eth0.expected.pcap"}, {"OUT1", "router-eth1.expected.pcap"}}},
        Example{"ids-router.click", {{"OUT", "ids-router.expected.pcap"}}},
        Example{"nat.click", {{"TO_INSIDE", "nat-inside.expected.pcap"}, {"TO_OUTSIDE", "nat-outside.expected.pcap"}}},
        Example{"nat-flow.click", {{"TO_OUTSIDE", "nat-flow.expected.pcap"}}}),
    [](const auto& info) {
      std::string name = info.param.file.substr(0, info.param.file.find('.'));
      std::erase(name, '-');
      return name;
    });

}  // namespace
}  // namespace packetmill::testing
