#include <random>

#include "graph/passes/pass_test.h"
#include "mill/facts.h"
#include "tests/support/element_test.h"

// Elements do what they say of themselves (runtime/effects.h): the passes believe them. Each is given packets of all
// lengths with any bytes and metadata.

namespace packetmill::testing {
namespace {

struct Case {
  std::string class_name;
  std::string configuration;
  int outputs = 1;
};
void PrintTo(const Case& c, std::ostream* out) { *out << c.class_name << "(" << c.configuration << ")"; }

class Effect : public ::testing::TestWithParam<Case> {
 protected:
  std::uint32_t below(std::uint32_t bound) { return static_cast<std::uint32_t>(random_()) % bound; }
  Bytes frame() {
    Bytes bytes(below(3) == 0 ? below(24) : below(80));
    for (auto& byte : bytes) byte = static_cast<std::uint8_t>(random_());
    // Half of them have an IPv4 header, as far as elements look that do not check its checksum.
    const std::uint32_t ip = below(2) * 14;
    if (bytes.size() >= ip + 20 && below(2) == 0) {
      bytes[ip] = 0x45;
      bytes[ip + 2] = 0;
      bytes[ip + 3] = static_cast<std::uint8_t>(20 + below(static_cast<std::uint32_t>(bytes.size()) - ip - 19));
    }
    if (bytes.size() > 13 && below(2) == 0) bytes[12] = 8, bytes[13] = 0;
    return bytes;
  }
  TestPacket packet(Bytes bytes) {
    TestPacket result(std::move(bytes));
    for (int i = 0; i < kAnnotationBytes; ++i) result.metadata.annotations()[i] = static_cast<std::uint8_t>(random_());
    result.set<Kind>(static_cast<PacketKind>(below(4)));
    result.set<ReceiveTime>(Timestamp{static_cast<std::int64_t>(below(1000))});
    const int length = static_cast<int>(result.bytes.size());
    if (below(2) == 0) result.at(below(2) == 0 ? 0 : -1, length / 3, length / 2);
    return result;
  }

  std::mt19937_64 random_{1};
};

std::string annotations(const TestPacket& packet) {
  return {reinterpret_cast<const char*>(packet.metadata.annotations()), kAnnotationBytes};
}
/// Whether a header position, told as an offset into a frame with -1 for "none", is the same after `front` bytes have
/// gone from the front.
bool same_position(int before, int after, std::int64_t front) {
  return after == -1 ? before == -1 || before == front - 1 : before != -1 && after == before - front;
}

TEST_P(Effect, IsWhatTheElementSays) {
  const Case& c = GetParam();
  ElementTest test(c.class_name, c.configuration, {.outputs = c.outputs});
  ASSERT_EQ(test.errors(), "");
  mill::NodeFacts all(test.router());
  const Graph& graph = test.router().graph();
  const Facts facts = all.of(graph.elements[static_cast<std::size_t>(graph.find("element"))]);
  ASSERT_TRUE(facts.known);
  const auto handlers = [&] {
    std::string text;
    for (const HandlerInfo& handler : test.router().handlers("element"))
      if (handler.readable) text += handler.name + "=" + test.read(handler.name) + "\n";
    return text;
  };
  const std::string before = handlers();
  int passed = 0;
  for (int round = 0; round < 2000; ++round) {
    const TestPacket in = packet(frame());
    test.push(0, in);
    int came_out = 0;
    for (int port = 0; port < c.outputs; ++port) {
      for (const TestPacket& out : test.output(port)) {
        ++came_out;
        ++passed;
        const auto least = facts.least[static_cast<std::size_t>(port)];
        EXPECT_GE(out.bytes.size(), least);
        if (!facts.writes[kFramePart]) EXPECT_EQ(out.bytes, in.bytes);
        const std::int64_t length = static_cast<std::int64_t>(in.bytes.size());
        const std::int64_t front = facts.front >= 0 ? std::min(facts.front, length) : facts.front;
        if (facts.front > 0) EXPECT_EQ(out.bytes, Bytes(in.bytes.begin() + front, in.bytes.end()));
        if (facts.front < 0) EXPECT_EQ(Bytes(out.bytes.begin() - front, out.bytes.end()), in.bytes);
        if (facts.front != 0 || facts.writes.none()) {
          EXPECT_EQ(annotations(out), annotations(in));
          EXPECT_EQ(out.get<Kind>(), in.get<Kind>());
          EXPECT_EQ(out.get<ReceiveTime>(), in.get<ReceiveTime>());
          EXPECT_TRUE(same_position(in.mac_offset, out.mac_offset, front));
          EXPECT_TRUE(same_position(in.network_offset, out.network_offset, front));
          EXPECT_TRUE(same_position(in.transport_offset, out.transport_offset, front));
        }
        for (std::size_t byte = 0; byte < kAnnotationBytes; ++byte)
          if (!facts.writes[1 + byte]) EXPECT_EQ(annotations(out)[byte], annotations(in)[byte]);
        // What it sets does not come from what was there; and where it does not read the frame, nothing does.
        TestPacket other = packet(facts.reads[kFramePart] ? in.bytes : frame());
        if (facts.reads.none() || facts.sets.any()) {
          other.set<Kind>(in.get<Kind>()).at(in.mac_offset, in.network_offset, in.transport_offset);
          test.push(0, other);
          for (int again = 0; again < c.outputs; ++again)
            for (const TestPacket& twin : test.output(again)) {
              if (again != 0 || port != 0) continue;
              for (std::size_t byte = 0; byte < kAnnotationBytes; ++byte)
                if (facts.sets[1 + byte]) EXPECT_EQ(annotations(twin)[byte], annotations(out)[byte]);
            }
        }
      }
    }
    EXPECT_TRUE(came_out == 1 || (came_out == 0 && facts.drops));
  }
  if (!facts.output_is_pull.empty()) EXPECT_GT(passed, 0);
  if (!facts.observable && !facts.drops) EXPECT_EQ(handlers(), before);
  if (!facts.observable) EXPECT_TRUE(test.messages().empty());
  EXPECT_EQ(test.ledger().cloned + test.ledger().generated + test.ledger().consumed + test.ledger().held, 0U);
}

INSTANTIATE_TEST_SUITE_P(, Effect,
                         ::testing::ValuesIn(std::vector<Case>{
                             {"Null", ""},
                             {"PushNull", ""},
                             {"Tee", ""},
                             {"RoundRobinSwitch", ""},
                             {"Paint", "7"},
                             {"Paint", "7, 5"},
                             {"Discard", "", 0},
                             {"Idle", "", 0},
                             {"Strip", "0"},
                             {"Strip", "14"},
                             {"Unstrip", "0"},
                             {"Unstrip", "4"},
                             {"SetIPAddress", "10.0.0.1"},
                             {"SetIPAddress", "10.0.0.1, 8"},
                             {"GetIPAddress", "16"},
                             {"GetIPAddress", "IP src"},
                             {"MarkIPHeader", "0"},
                             {"MarkIPHeader", "14"},
                             {"Truncate", "20"},
                             {"SetIPChecksum", ""},
                             {"DropBroadcasts", ""},
                             {"DropBroadcasts", "", 2},
                             {"DecIPTTL", "", 2},
                             {"CheckIPHeader", "CHECKSUM false, DETAILS true", 2},
                             {"CheckIPHeader", "14, CHECKSUM false, DETAILS true"},
                             {"MarkMACHeader", "4, 14"},
                             {"SetVLANAnno", "5"},
                             {"EtherMirror", ""},
                             {"EtherRewrite", "1:1:1:1:1:1, 2:2:2:2:2:2"},
                             {"EtherEncap", "0x800, 1:1:1:1:1:1, 2:2:2:2:2:2"},
                             {"EtherEncap", "0x800, 1:1:1:1:1:1, 2:2:2:2:2:2, REPLACE 14"},
                             {"HostEtherFilter", "1:1:1:1:1:1", 2},
                             {"Counter", ""},
                             {"SetTimestamp", "1"},
                             {"SetTimestamp", "1, FIRST true"},
                             {"Classifier", "12/0800, -", 2},
                             {"Classifier", "12/0800, 0/45%ff 8/00%80", 2},
                             {"Classifier", "!12/0800"},
                         }),
                         [](const auto& info) { return info.param.class_name + std::to_string(info.index); });

}  // namespace
}  // namespace packetmill::testing
