#include <map>
#include <random>

#include "graph/passes/pass_test.h"
#include "tests/support/element_test.h"
#include "tests/support/sanitized.h"

// Random graphs, as they are and as passes leave them, both interpreted: the same frames at the same outputs in the same
// order, the same counts, drops and messages.

namespace packetmill::testing {
namespace {

struct Choice {
  const char* text;
  int outputs = 1;
};
constexpr Choice kChoices[] = {
    // These oftener than the others: where they meet there is something to merge.
    {"Strip(2)"},
    {"Strip(4)"},
    {"Strip(14)"},
    {"Strip(14)"},
    {"Unstrip(2)"},
    {"Paint(1)"},
    {"EtherMirror"},
    {"Classifier(12/0800, -)", 2},
    {"Null"},
    {"Strip(0)"},
    {"Strip(2)"},
    {"Strip(14)"},
    {"Unstrip(2)"},
    {"Unstrip(14)"},
    {"Truncate(30)"},
    {"Paint(0)"},
    {"Paint(1)"},
    {"Paint(1, 17)"},
    {"SetTimestamp(5)"},
    {"SetIPAddress(10.0.0.1)"},
    {"GetIPAddress(4)"},
    {"SetVLANAnno(7)"},
    {"MarkIPHeader"},
    {"MarkMACHeader(0, 14)"},
    {"SetIPChecksum"},
    {"StripToNetworkHeader"},
    {"EtherMirror"},
    {"EtherEncap(0x800, 1:1:1:1:1:1, 2:2:2:2:2:2)"},
    {"VLANEncap(ANNO)"},
    {"DropBroadcasts"},
    {"DropBroadcasts", 2},
    {"CheckIPHeader(CHECKSUM false)"},
    {"CheckIPHeader(CHECKSUM false)", 2},
    {"HostEtherFilter(2:2:2:2:2:2)", 2},
    {"DecIPTTL", 2},
    {"Classifier(-)"},
    {"Classifier(12/0800)"},
    {"Classifier(12/0800, -)", 2},
    {"Classifier(12/0800, 12/4545)", 2},
    {"PaintSwitch", 2},
    {"PaintTee(1)", 2},
    {"Tee"},
    {"Tee", 2},
    {"RoundRobinSwitch", 2},
    {"HashSwitch(12, 4)", 2},
    {"Counter"},
    {"Print(p, 4)"},
    {"Print(p, 4, PRINTANNO true)"},
};

/// A graph without circles between `in0` and `out0`, `out1` and `lost`.
class RandomGraph {
 public:
  explicit RandomGraph(unsigned seed) : random_(seed) {}

  std::string script() {
    text_ = "in0 :: InfiniteSource; out0 :: ToDump(x); out1 :: ToDump(y); lost :: Discard;\n";
    text_ += "in0 -> " + element(7) + "; Idle -> out0; Idle -> out1; Idle -> lost;\n";
    return text_;
  }

 private:
  std::uint32_t below(std::size_t bound) { return static_cast<std::uint32_t>(random_() % bound); }

  /// An element, and all behind it.
  std::string element(int depth) {
    if (depth == 0 || below(12) == 0) return std::string(std::vector{"out0", "out1", "lost", "lost"}[below(4)]);
    if (!done_.empty() && below(6) == 0) return done_[below(done_.size())];
    const std::string name = "e" + std::to_string(number_++);
    if (below(15) == 0) {
      text_ += name + " :: Queue -> Unqueue -> " + element(depth - 1) + ";\n";
    } else if (below(15) == 0) {
      const std::string back = below(2) == 0 ? "Strip(2)" : "Unstrip(2)";
      text_ += name + " :: EtherMirror -> Strip(14) -> Paint(1) -> DropBroadcasts -> " + back + " -> " +
               element(depth - 1) + ";\n";
    } else {
      const Choice& choice = kChoices[below(std::size(kChoices))];
      std::string connections;
      for (int output = 0; output < choice.outputs; ++output)
        connections += name + " [" + std::to_string(output) + "] -> " + element(depth - 1) + ";\n";
      text_ += name + " :: " + choice.text + ";\n" + connections;
    }
    done_.push_back(name);
    return name;
  }

  std::mt19937 random_;
  std::string text_;
  std::vector<std::string> done_;
  int number_ = 0;
};

/// The graph with ends that a test can reach.
std::string on_the_bench(Graph graph) {
  for (Graph::Element& element : graph.elements) {
    if (element.name == "in0") element.class_name = "TestInput";
    if (element.class_name == "ToDump") element.class_name = "TestOutput", element.configuration = "";
  }
  std::string text = flatten(graph);
  for (const std::string output : {"out0", "out1", "lost"}) {
    if (graph.find(output) < 0)
      text += output + " :: TestOutput;\n";  // where a pass has found that no packet comes to it
    text.append("no_").append(output).append(" :: Idle -> ").append(output).append(";\n");
  }
  return text;
}

std::vector<TestPacket> frames(unsigned seed) {
  std::mt19937 random(seed);
  std::vector<TestPacket> packets;
  for (int i = 0; i < 100; ++i) {
    Bytes bytes(random() % 3 == 0 ? random() % 20 : random() % 90);
    for (auto& byte : bytes) byte = static_cast<std::uint8_t>(random());
    const std::size_t ip = random() % 2 * 14;
    if (ip > 0 && bytes.size() >= 14) bytes[12] = 8, bytes[13] = 0;
    if (bytes.size() >= ip + 20) bytes[ip] = 0x45, bytes[ip + 2] = 0, bytes[ip + 3] = 20;
    packets.push_back(TestPacket(bytes).set<Kind>(static_cast<PacketKind>(random() % 4)));
  }
  return packets;
}

/// What can be seen of a run; of elements, only those in `of`.
std::string seen(const std::string& script, const Graph& of, int batch, unsigned seed) {
  ElementTest test(Script{script}, {.batch_size = batch});
  EXPECT_EQ(test.errors(), "") << script;
  if (!test.errors().empty()) return {};
  test.push(0, frames(seed));
  std::string result;
  for (const char* output : {"out0", "out1"})
    for (const TestPacket& packet : collect(test.router(), output)) {
      result += std::string(output) + " " + to_string(packet.get<ReceiveTime>()) + " ";
      for (const std::uint8_t byte : packet.bytes) result += std::to_string(byte) + ".";
      result += "\n";
    }
  for (const Graph::Element& element : of.elements)
    for (const char* handler : {".count", ".byte_count", ".drops", ".drop_reasons", ".highwater_length"})
      if (const auto answer = test.router().read(element.name + handler); answer.ok)
        result += element.name + handler + " " + answer.text + "\n";
  for (const auto& drop : test.router().drops())
    result += drop.element + " " + drop.reason + " " + std::to_string(drop.count) + "\n";
  for (const std::string& message : test.messages()) result += message + "\n";
  return result;
}

class RandomGraphs : public ::testing::TestWithParam<int> {};

TEST_P(RandomGraphs, StayTheSameUnderPasses) {
  std::map<std::string_view, int> changed;
  for (unsigned seed = 0; seed < (kSanitized ? 30 : 300); ++seed) {
    const std::string script = RandomGraph(seed).script();
    Diagnostics diagnostics;
    const auto outline = engine::Router::outline(parsed(script), diagnostics);
    ASSERT_NE(outline, nullptr) << script << diagnostics.list().front().message;
    Plan plan;
    std::vector<std::vector<std::string_view>> sets{preset("all")->passes};
    for (const Pass& pass : passes()) sets.push_back({pass.name});
    for (const auto& set : sets) {
      plan.passes = set;
      const Graph reduced = mill::reduced(*outline, plan);
      if (flatten(reduced) == flatten(outline->graph())) continue;
      ++changed[set.size() == 1 ? set.front() : "all"];
      EXPECT_EQ(seen(on_the_bench(outline->graph()), reduced, GetParam(), seed),
                seen(on_the_bench(reduced), reduced, GetParam(), seed))
          << set.front() << "\n"
          << script << "\nreduced to\n"
          << flatten(reduced);
      if (HasFailure()) return;
    }
  }
  if (kSanitized) return;  // too few graphs for every pass to find something
  for (const Pass& pass : passes()) EXPECT_GT(changed[pass.name], 10) << pass.name;
}

INSTANTIATE_TEST_SUITE_P(AtABatchOf, RandomGraphs, ::testing::Values(1, 7, 32),
                         [](const auto& info) { return std::to_string(info.param); });

}  // namespace
}  // namespace packetmill::testing
