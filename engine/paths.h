#pragma once

#include "engine/context.h"
#include "engine/emission.h"

/// How packets move through an element, one implementation for the interpreter and for generated code. `Stance` is how
/// the element stands in its graph:
///   Element, Way (what gathers the packets that it gives out: append, flush),
///   way(), context(way, task), node(), slot(), core(), inputs(), pull(input), exit()
namespace packetmill::engine {

template <class E>
constexpr bool stores = requires(const StateOf<E, Packet>& state) { E::size(state); };
template <class E>
constexpr bool emits = requires { requires E::emits; };

/// Where a packet ends that goes to no output: its fate and, where it was dropped, the reason are counted.
template <class E>
[[gnu::always_inline]] inline void settle(Slot<E>& slot, PacketPool& pool, Output output, auto& packet) {
  switch (output.port) {
    case Output::dropped:
      ++slot.drops[output.reason];
      ++slot.ledger.dropped;
      break;
    case Output::used_up:
      ++slot.ledger.consumed;
      break;
    case Output::gone_out:
      ++slot.ledger.sent;
      break;
    default:
      return;  // held: the element has it
  }
  release(pool, packet);
}

/// The same for a packet at an output to which nothing is connected.
template <class E>
[[gnu::always_inline]] inline void drop_unconnected(Slot<E>& slot, PacketPool& pool, auto& packet) {
  ++slot.drops[Slot<E>::kUnconnected];
  ++slot.ledger.dropped;
  release(pool, packet);
}

template <class E, class Stance, class Way, class Survivor>
[[gnu::always_inline]] inline void process_batch(Stance stance, int port, Batch& batch, Way& way, Survivor survivor) {
  auto context = stance.context(way, 0);
  const int count = batch.count;
  for (int i = 0; i < count; ++i) {
    Packet* packet = batch.packets[i];
    View<E, Packet> view(*packet);
    // Inlined, what the context says stays in registers over the batch: the loop of every packet of a vector plan.
    Output output{};
    [[clang::always_inline]] output = E::process(context, In{port}, view);
    if (output.port >= 0) [[likely]]
      survivor(output.port, packet);
    else
      settle(stance.slot(), stance.core().pool, output, *packet);
  }
  if constexpr (requires { E::burst_end(context); }) E::burst_end(context);
}

/// A batch goes in at input `port`, and its survivors on their way.
template <class Stance>
[[gnu::always_inline]] inline void push_batch(Stance stance, int port, Batch& batch) {
  using E = typename Stance::Element;
  if constexpr (emits<E>) {
    auto way = stance.way();
    process_batch<E>(stance, port, batch, way,
                     [&](int output, Packet* packet) { way.append(output, Owned<Packet>(packet)); });
    way.flush();
  } else {
    // Survivors move up within the batch, which then goes on as it is where all of them take the same output.
    std::int16_t ports[kMaxBatch];
    int survivors = 0;
    int first = -1;
    bool mixed = false;
    auto way = stance.way();  // stays empty
    process_batch<E>(stance, port, batch, way, [&](int output, Packet* packet) {
      if (first < 0) first = output;
      mixed |= output != first;
      ports[survivors] = static_cast<std::int16_t>(output);
      batch.packets[survivors++] = packet;
    });
    batch.count = survivors;
    if (survivors > 0) distribute(stance.exit(), batch, ports, mixed);
  }
  if constexpr (stores<E>) stance.node().nonempty.notify();
}

/// The packet that pull output `port` gives now, or null.
template <class Stance>
Packet* pull_packet(Stance stance, int port) {
  using E = typename Stance::Element;
  auto way = stance.way();
  auto context = stance.context(way, 0);
  Packet* packet = nullptr;
  if constexpr (requires { E::pull(context, port); }) {
    packet = E::pull(context, port).release();
    way.flush();
    if constexpr (stores<E>) stance.node().nonfull.notify();
  } else if constexpr (requires(View<E, Packet>& view) { E::process(context, In{}, view); }) {
    // An agnostic element on a pull path: what takes another output than the one that is pulled is pushed there.
    const int input = stance.inputs() == 1 ? 0 : port;
    packet = stance.pull(input);
    if (packet == nullptr) return nullptr;
    View<E, Packet> view(*packet);
    const Output output = E::process(context, In{input}, view);
    if (output.port >= 0 && output.port != port) way.append(output.port, Owned<Packet>(packet));
    way.flush();
    if (output.port < 0) settle(stance.slot(), stance.core().pool, output, *packet);
    if (output.port != port) packet = nullptr;
  }
  return packet;
}

/// One turn of the element's task; true where it did some work.
template <class Stance>
[[gnu::always_inline]] inline bool take_turn(Stance stance, int task) {
  using E = typename Stance::Element;
  auto way = stance.way();
  auto context = stance.context(way, task);
  bool worked = false;
  if constexpr (requires { E::run(context); }) {
    worked = E::run(context);
  } else if constexpr (requires(View<E, Packet>& view) { E::process(context, In{}, view); }) {
    // A sink on a pull path.
    Batch batch;
    while (batch.count < stance.core().batch_size) {
      Packet* packet = stance.pull(0);
      if (packet == nullptr) break;
      batch.packets[batch.count++] = packet;
    }
    worked = batch.count > 0;
    if (worked) push_batch(stance, 0, batch);
  }
  way.flush();
  return worked;
}

/// The element's timer has come.
template <class Stance>
void fire(Stance stance) {
  using E = typename Stance::Element;
  auto way = stance.way();
  auto context = stance.context(way, 0);
  if constexpr (requires { E::timer(context); }) E::timer(context);
  way.flush();
}

}  // namespace packetmill::engine
