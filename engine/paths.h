#pragma once

#include "engine/context.h"
#include "engine/emission.h"

/// How packets move through an element, one implementation for the interpreter and for generated code. `Stance` is how
/// the element stands in its graph:
///   Element, Way (what gathers the packets that it gives out: append, flush),
///   Batch, kStage (packets for which a staged loop prefetches; 0: none), Watch (what is kept of its running),
///   way(), context(way, task), node(), slot(), core(), inputs(), pull(input), exit()
namespace packetmill::engine {

template <class E>
constexpr bool emits = requires { requires E::emits; };

/// Nobody looks.
struct Unwatched {
  Unwatched(const auto&, int) {}
  void step(const Packet*, Output) const {}
};

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

/// A batch through the element; `goes_on(output, packet)` takes its survivors, and says which stay in the batch.
///
/// In a staged loop, an element that looks something up first asks for what it will need, for a few packets ahead:
/// Ticket, prefetch(context, packet), process(context, in, packet, ticket). A ticket depends on parameters, control and
/// the packet, and on nothing that `process` writes, so that it is the same whenever it is made.
template <class E, class Stance, class Way, class B, class GoesOn>
[[gnu::always_inline]] inline void process_batch(Stance stance, int port, B& batch, Way& way, GoesOn goes_on) {
  auto context = stance.context(way, 0);
  typename Stance::Watch watch(stance, batch.count);
  const auto end_up = [&](Output output, Packet* packet) {
    watch.step(packet, output);
    if (output.port >= 0) [[likely]]
      return goes_on(output.port, packet);
    settle(stance.slot(), stance.core().pool, output, *packet);
    return false;
  };
  // Inlined, what the context says stays in registers over the batch.
  if constexpr (Stance::kStage > 0 && requires { typename E::Ticket; }) {
    typename E::Ticket tickets[Stance::kStage];
    auto ahead = batch.begin();
    const int all = batch.count;
    int number = 0;
    batch.sift([&](Packet* packet) {
      if (number % Stance::kStage == 0)
        for (int i = 0; i < Stance::kStage && number + i < all; ++i)
          tickets[i] = E::prefetch(context, View<E, Packet>(*B::next(ahead)));
      View<E, Packet> view(*packet);
      Output output{};
      [[clang::always_inline]] output = E::process(context, In{port}, view, tickets[number % Stance::kStage]);
      ++number;
      bool stays = false;
      [[clang::always_inline]] stays = end_up(output, packet);
      return stays;
    });
  } else {
    batch.sift([&](Packet* packet) {
      View<E, Packet> view(*packet);
      Output output{};
      [[clang::always_inline]] output = E::process(context, In{port}, view);
      bool stays = false;
      [[clang::always_inline]] stays = end_up(output, packet);
      return stays;
    });
  }
  if constexpr (requires { E::batch_end(context); }) E::batch_end(context);
  if constexpr (requires { E::flush(context); }) E::flush(context);
}

/// A batch goes in at input `port`, and its survivors on their way.
template <class Stance, class B>
[[gnu::always_inline]] inline void push_batch(Stance stance, int port, B& batch) {
  using E = typename Stance::Element;
  if constexpr (emits<E>) {
    auto way = stance.way();
    process_batch<E>(stance, port, batch, way, [&](int output, Packet* packet) {
      way.append(output, Owned<Packet>(packet));
      return false;
    });
    way.flush();
  } else {
    // Survivors stay in the batch, which then goes on as it is where all of them take the same output.
    std::int16_t ports[kMaxBatch];
    int survivors = 0;
    int first = -1;
    bool mixed = false;
    auto way = stance.way();  // stays empty
    process_batch<E>(stance, port, batch, way, [&](int output, Packet*) {
      if (first < 0) first = output;
      mixed |= output != first;
      ports[survivors++] = static_cast<std::int16_t>(output);
      return true;
    });
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
    typename Stance::Batch batch;
    while (batch.count < stance.core().batch_size) {
      Packet* packet = stance.pull(0);
      if (packet == nullptr) break;
      batch.add(packet);
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
