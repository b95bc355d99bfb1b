#pragma once

#include <gtest/gtest.h>

#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "engine/factory_of.h"
#include "engine/router.h"

/// One element on the bench: packets in, packets out, handlers, and a clock that only the test moves.
///
///   ElementTest test("DecIPTTL", "MULTICAST false");
///   test.push(0, udp_packet({.ttl = 1}));
///   EXPECT_THAT(test.output(0), IsEmpty());
///   EXPECT_EQ(test.output(1).size(), 1);
///   EXPECT_EQ(test.read("drops"), "1");
///
/// Whatever a test does, at its end the ledger must balance: nothing is lost silently.
namespace packetmill::testing {

using Bytes = std::vector<std::uint8_t>;

/// A frame with the metadata that it carries.
struct TestPacket {
  TestPacket() = default;
  TestPacket(Bytes frame) : bytes(std::move(frame)) {}  // NOLINT: a frame without metadata is a packet

  template <class F>
  TestPacket& set(typename F::Type value) {
    metadata.set<F>(value);
    return *this;
  }
  template <class F>
  [[nodiscard]] typename F::Type get() const {
    return metadata.get<F>();
  }
  /// Header positions are offsets into `bytes`.
  TestPacket& at(int mac, int network, int transport = -1) {
    mac_offset = mac;
    network_offset = network;
    transport_offset = transport;
    return *this;
  }

  Bytes bytes;
  Packet metadata = [] {
    Packet packet;
    packet.clear_metadata();
    return packet;
  }();
  int mac_offset = -1;
  int network_offset = -1;
  int transport_offset = -1;

  bool operator==(const TestPacket& other) const { return bytes == other.bytes; }
};

/// Feeds what the test gives it.
struct TestInput {
  static constexpr ElementInfo info{.name = "TestInput", .ports = "0/1", .processing = "a/a", .flow = "/x"};
  struct State {
    std::deque<TestPacket> packets;
  };
  static constexpr Scope scope = Scope::pinned;
  static bool ready(const auto& element) { return !element.state().packets.empty(); }

  static auto next(auto& context) {
    auto& packets = context.state().packets;
    if (packets.empty()) return Owned<Packet>();
    const TestPacket& from = packets.front();
    auto packet = context.receive(static_cast<std::uint32_t>(from.bytes.size()));
    if (packet) {
      packet->copy_metadata(from.metadata);
      if (!from.bytes.empty()) std::memcpy(packet->data(), from.bytes.data(), from.bytes.size());
      const auto position = [&](int offset) {
        return offset < 0 ? 0U : packet->headroom() + static_cast<unsigned>(offset);
      };
      packet->template set<MacHeader>(position(from.mac_offset));
      packet->template set<NetworkHeader>(position(from.network_offset));
      packet->template set<TransportHeader>(position(from.transport_offset));
    }
    packets.pop_front();
    return packet;
  }
  static auto pull(auto& context, int) { return next(context); }
  static bool run(auto& context) {
    while (auto packet = next(context)) context.emit(0, std::move(packet));
    context.sleep();
    return true;
  }
};

/// Keeps what comes out.
struct TestOutput {
  static constexpr ElementInfo info{.name = "TestOutput", .ports = "1/0", .processing = "a/a", .flow = "x/"};
  struct State {
    std::vector<TestPacket> packets;
  };
  static constexpr Scope scope = Scope::pinned;

  static Output process(auto& context, In, auto& packet) {
    TestPacket out(Bytes(packet.data(), packet.data() + packet.length()));
    const Packet& from = packet.underlying();
    out.metadata.copy_metadata(from);
    const auto offset = [&](std::uint32_t position) {
      return position == 0 ? -1 : static_cast<int>(position) - static_cast<int>(from.headroom());
    };
    out.mac_offset = offset(from.get<MacHeader>());
    out.network_offset = offset(from.get<NetworkHeader>());
    out.transport_offset = offset(from.get<TransportHeader>());
    context.state().packets.push_back(std::move(out));
    return sent();
  }
};

/// All element classes, with TestInput and TestOutput, and what a test adds.
engine::Registry& test_registry();
/// Queues packets at the TestInput of that name and runs until they have moved.
void feed(engine::Router& router, const std::string& input, const std::vector<TestPacket>& packets);
/// What has come to the TestOutput of that name since the last call.
[[nodiscard]] std::vector<TestPacket> collect(engine::Router& router, const std::string& output);

/// How an element is connected, and how it runs.
struct Shape {
  int inputs = 1;
  int outputs = -1;  ///< -1: as many as the class has at most, 1 where that is no number
  int batch_size = 32;
  std::uint64_t seed = 1;
};

/// A whole configuration in the Click language, for elements that only work together: `element` is the one that the
/// test asks about, `in0 :: TestInput`, ... and `out0 :: TestOutput`, ... are its ends.
struct Script {
  std::string text;
};

class ElementTest {
 public:
  explicit ElementTest(const std::string& class_name, const std::string& configuration = {}, const Shape& shape = {});
  explicit ElementTest(const Script& script, const Shape& shape = {});
  ~ElementTest();
  ElementTest(const ElementTest&) = delete;
  ElementTest& operator=(const ElementTest&) = delete;

  /// What was wrong with the configuration, one diagnostic a line; empty where it was built.
  [[nodiscard]] const std::string& errors() const { return errors_; }

  /// Queues packets at an input and runs until nothing is left to do at the present time.
  void push(int input, const TestPacket& packet) { push(input, std::vector<TestPacket>{packet}); }
  void push(int input, const std::vector<TestPacket>& packets);
  /// Moves the clock, running whatever falls due.
  void advance(Duration span) { router_->run_for(span); }
  /// Runs what can run at the present time.
  void settle() { router_->run_for(Duration{}); }

  /// What has come out of an output since the test asked last.
  [[nodiscard]] std::vector<TestPacket> output(int port = 0);

  [[nodiscard]] std::string read(const std::string& handler, const std::string& parameter = {});
  /// Empty where the write was accepted, otherwise what the handler said.
  std::string write(const std::string& handler, const std::string& value = {});
  [[nodiscard]] std::uint64_t drops(const std::string& reason);
  [[nodiscard]] Ledger ledger() { return router_->ledger(); }
  [[nodiscard]] const std::vector<std::string>& messages() const { return messages_; }
  [[nodiscard]] engine::Router& router() { return *router_; }

 private:
  void build(const Graph& graph, const Shape& shape);

  std::unique_ptr<engine::Router> router_;
  std::vector<std::string> messages_;
  std::string errors_;
};

}  // namespace packetmill::testing
