#pragma once

#include <gmock/gmock.h>

#include <algorithm>
#include <map>
#include <random>
#include <string>
#include <variant>
#include <vector>

#include "tests/equality/hand_milled.h"
#include "tests/support/packets.h"

/// Equality (DESIGN): an oracle input is a sequence of packets, clock values and control operations, each applied at
/// the same packet index. The same bytes must come out of the same ports in the same order, with the same answers of
/// handlers, drop counts and ledger.
///
/// Names of elements are those of the script (`element` for a single element), on both sides.
namespace packetmill::testing {

struct PacketIn {
  int port;
  TestPacket packet;
};
struct ClockStep {
  Duration span;
};
struct ControlWrite {
  std::string handler;  ///< "element.handler"
  std::string value;
};
struct ControlRead {
  std::string handler;
  std::string parameter;
};
using Step = std::variant<PacketIn, ClockStep, ControlWrite, ControlRead>;
using Steps = std::vector<Step>;

/// All that may be seen of a run.
struct Observed {
  std::vector<std::vector<Seen>> outputs;       ///< per port
  std::vector<std::string> answers;             ///< of every ControlWrite and ControlRead, in order
  std::map<std::string, std::uint64_t> drops;   ///< "element.reason" -> packets
  std::map<std::string, std::string> handlers;  ///< what every read handler says in the end
  Ledger ledger;
};

/// Compares piece by piece: a difference is shown at the first frame that differs, not as two dumps.
inline void expect_equal(const Observed& oracle, const Observed& milled) {
  ASSERT_EQ(oracle.outputs.size(), milled.outputs.size());
  for (std::size_t port = 0; port < oracle.outputs.size(); ++port) {
    const auto& expected = oracle.outputs[port];
    const auto& got = milled.outputs[port];
    EXPECT_EQ(expected.size(), got.size()) << "output " << port;
    for (std::size_t i = 0; i < std::min(expected.size(), got.size()); ++i)
      ASSERT_EQ(expected[i], got[i]) << "output " << port << ", frame " << i;
  }
  EXPECT_EQ(oracle.answers, milled.answers);
  EXPECT_EQ(oracle.drops, milled.drops);
  EXPECT_EQ(oracle.handlers, milled.handlers);
  EXPECT_EQ(oracle.ledger, milled.ledger);
  EXPECT_TRUE(oracle.ledger.balanced());
  EXPECT_TRUE(milled.ledger.balanced());
}

/// An element alone, behind as many inputs and in front of as many outputs as `shape` says.
inline Script script_of(const std::string& declaration, const Shape& shape) {
  std::string text = "element :: " + declaration + ";\n";
  for (int i = 0; i < shape.inputs; ++i)
    text += "in" + std::to_string(i) + " :: TestInput -> [" + std::to_string(i) + "]element;\n";
  for (int i = 0; i < shape.outputs; ++i)
    text += "element[" + std::to_string(i) + "] -> out" + std::to_string(i) + " :: TestOutput;\n";
  return {text};
}

/// What a packet of the interpreter shows.
inline Seen see(const TestPacket& packet) {
  const auto position = [](int offset) { return offset == -1 ? Seen::kUnset : offset; };
  return {packet.bytes, position(packet.mac_offset), position(packet.network_offset), position(packet.transport_offset),
          packet.get<DestinationAddress>()};
}

/// What an interpreted run of `script` shows of `elements`. At a batch of one it is the oracle of fused code; at a
/// greater one, packets for the same input that follow each other without a control operation between come in together.
inline Observed interpret(const Script& script, const Shape& shape, const std::vector<std::string>& elements,
                          const Steps& steps) {
  ElementTest test(script, shape);
  Observed observed;
  EXPECT_EQ(test.errors(), "");
  if (!test.errors().empty()) return observed;
  std::vector<TestPacket> burst;
  int burst_port = 0;
  const auto push = [&] {
    if (!burst.empty()) test.push(burst_port, std::exchange(burst, {}));
  };
  for (const Step& step : steps) {
    const auto* in = std::get_if<PacketIn>(&step);
    if (in == nullptr || in->port != burst_port || std::cmp_greater_equal(burst.size(), shape.batch_size)) push();
    if (in != nullptr) {
      burst_port = in->port;
      burst.push_back(in->packet);
    } else if (const auto* clock = std::get_if<ClockStep>(&step)) {
      test.advance(clock->span);
    } else if (const auto* write = std::get_if<ControlWrite>(&step)) {
      observed.answers.push_back(test.router().write(write->handler, write->value).text);
      test.settle();
    } else if (const auto* read = std::get_if<ControlRead>(&step)) {
      observed.answers.push_back(test.router().read(read->handler, read->parameter).text);
    }
  }
  push();
  observed.outputs.resize(static_cast<std::size_t>(shape.outputs));
  for (int port = 0; port < shape.outputs; ++port)
    for (const TestPacket& packet : test.output(port))
      observed.outputs[static_cast<std::size_t>(port)].push_back(see(packet));
  for (const std::string& name : elements) {
    engine::Node* node = test.router().find(name);
    for (const engine::DropCount& drop : node->drops())
      observed.drops[name + "." + std::string(drop.reason)] = drop.count;
    for (const engine::Handler& handler : node->handlers())
      if (handler.read) observed.handlers[name + "." + handler.name] = handler.read({}).text;
  }
  observed.ledger = test.ledger();
  return observed;
}

/// Sets a field where the milled packet has it; one that no element of the graph declares does not exist there.
template <class F, class P>
void set_if(P& packet, typename F::Type value) {
  if constexpr (P::template has<F>) packet.template set<F>(value);
}

/// The same steps through a milled graph (a milled::Graph).
template <class Milled>
Observed mill(int outputs, const Steps& steps) {
  using P = typename Milled::P;
  Milled::initialize();
  Observed observed;
  milled::Handlers handlers = Milled::handlers();
  Milled::settle(milled::run.now);
  for (const Step& step : steps) {
    if (const auto* in = std::get_if<PacketIn>(&step)) {
      const TestPacket& from = in->packet;
      P* packet = milled::Packets<P>::make(static_cast<std::uint32_t>(from.bytes.size()), kHeadroom);
      std::copy(from.bytes.begin(), from.bytes.end(), packet->data());
      const auto position = [&](int offset) {
        return offset < 0 ? 0U : packet->headroom() + static_cast<unsigned>(offset);
      };
      set_if<MacHeader>(*packet, position(from.mac_offset));
      set_if<NetworkHeader>(*packet, position(from.network_offset));
      set_if<TransportHeader>(*packet, position(from.transport_offset));
      set_if<DestinationAddress>(*packet, from.get<DestinationAddress>());
      set_if<PaintColor>(*packet, from.get<PaintColor>());
      ++milled::run.ledger.received;
      Milled::push(in->port, packet);
      Milled::settle(milled::run.now);
    } else if (const auto* clock = std::get_if<ClockStep>(&step)) {
      Milled::settle(milled::run.now + clock->span);
    } else if (const auto* write = std::get_if<ControlWrite>(&step)) {
      observed.answers.push_back(handlers.at(write->handler).write(write->value).text);
      Milled::settle(milled::run.now);
    } else if (const auto* read = std::get_if<ControlRead>(&step)) {
      observed.answers.push_back(handlers.at(read->handler).read(read->parameter).text);
    }
  }
  observed.outputs.resize(static_cast<std::size_t>(outputs));
  for (auto& [port, seen] : milled::run.out) observed.outputs[static_cast<std::size_t>(port)].push_back(seen);
  observed.drops = Milled::drops();
  for (const auto& [name, handler] : handlers)
    if (handler.read) observed.handlers[name] = handler.read({}).text;
  observed.ledger = Milled::ledger();
  Milled::cleanup();
  return observed;
}

/// The milled graph does what the interpreter does at a batch of one; so does the interpreter at a batch of 32.
template <class Milled>
void expect_same(const Script& script, Shape shape, const Steps& steps) {
  shape.batch_size = 1;
  const Observed oracle = interpret(script, shape, Milled::names(), steps);
  {
    SCOPED_TRACE("milled");
    expect_equal(oracle, mill<Milled>(shape.outputs, steps));
  }
  SCOPED_TRACE("at a batch of 32");
  shape.batch_size = 32;
  expect_equal(oracle, interpret(script, shape, Milled::names(), steps));
}

/// Random numbers of a test: the same in every run.
class Dice {
 public:
  explicit Dice(unsigned seed) : engine_(seed) {}
  /// 0 .. bound - 1.
  unsigned below(unsigned bound) { return static_cast<unsigned>(engine_()) % bound; }
  bool one_in(unsigned n) { return below(n) == 0; }
  template <class T>
  const T& of(const std::vector<T>& choices) {
    return choices[below(static_cast<unsigned>(choices.size()))];
  }
  /// Cuts `frame` short, or changes one of its bytes.
  void spoil(Bytes& frame) {
    if (frame.empty()) return;
    const auto at = below(static_cast<unsigned>(frame.size()));
    if (one_in(2))
      frame.resize(at);
    else
      frame[at] ^= static_cast<std::uint8_t>(1 + below(255));
  }

 private:
  std::mt19937 engine_;
};

}  // namespace packetmill::testing
