#pragma once

#include <gmock/gmock.h>

#include <string>
#include <variant>
#include <vector>

#include "tests/equality/hand_milled.h"
#include "tests/support/packets.h"

/// Equality (DESIGN): an oracle input is a sequence of packets, clock values and control operations, each applied at
/// the same packet index. The same bytes must come out of the same ports in the same order, with the same ledger.
namespace packetmill::testing {

struct PacketIn {
  int port;
  TestPacket packet;
};
struct ClockStep {
  Duration span;
};
struct ControlWrite {
  std::string handler;
  std::string value;
};
using Step = std::variant<PacketIn, ClockStep, ControlWrite>;
using Steps = std::vector<Step>;

using Outputs = std::vector<std::vector<Bytes>>;  ///< per port

/// The interpreter at a batch of one: the oracle of fused code.
inline Outputs interpret(const std::string& class_name, const std::string& configuration, Shape shape,
                         const Steps& steps) {
  shape.batch_size = 1;
  ElementTest test(class_name, configuration, shape);
  EXPECT_EQ(test.errors(), "");
  for (const Step& step : steps) {
    if (const auto* in = std::get_if<PacketIn>(&step))
      test.push(in->port, in->packet);
    else if (const auto* clock = std::get_if<ClockStep>(&step))
      test.advance(clock->span);
    else
      test.write(std::get<ControlWrite>(step).handler, std::get<ControlWrite>(step).value);
  }
  Outputs outputs(static_cast<std::size_t>(shape.outputs));
  for (int port = 0; port < shape.outputs; ++port)
    for (TestPacket& packet : test.output(port))
      outputs[static_cast<std::size_t>(port)].push_back(std::move(packet.bytes));
  return outputs;
}

/// Sets a field where the milled packet has it; one that no element of the graph declares does not exist there.
template <class F, class P>
void set_if(P& packet, typename F::Type value) {
  if constexpr (P::template has<F>) packet.template set<F>(value);
}

/// The same steps through a milled element.
template <class Milled>
Outputs mill(int outputs_count, const Steps& steps) {
  using P = typename Milled::P;
  milled::run = {};
  Milled::initialize();
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
      Milled::push(In{in->port}, packet);
    } else if (const auto* clock = std::get_if<ClockStep>(&step)) {
      // Timers fire at their times, one after the other, on the way to the new time.
      const Timestamp end = milled::run.now + clock->span;
      while (Milled::timer && *Milled::timer <= end) {
        milled::run.now = std::max(milled::run.now, *Milled::timer);
        Milled::fire();
      }
      milled::run.now = end;
    } else {
      (void)Milled::write(std::get<ControlWrite>(step).handler, std::get<ControlWrite>(step).value);
    }
  }
  Outputs outputs(static_cast<std::size_t>(outputs_count));
  for (auto& [port, bytes] : milled::run.out) outputs[static_cast<std::size_t>(port)].push_back(bytes);
  return outputs;
}

}  // namespace packetmill::testing
