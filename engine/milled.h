#pragma once

#include "engine/context.h"
#include "engine/registers.h"

/// What generated code is made of (docs/generated-code.md leads through an example). For each element of the
/// configuration there is a struct S that derives from Milled<S, ElementClass, ...> and says what the configuration says;
/// the functions here run the element's own source with it. Everything is static: nothing is looked up, and the compiler
/// sees through all of it.
namespace packetmill::engine {

/// Where an element of generated code stands: a Site of engine/context.h.
template <class S>
class MilledSite {
 public:
  using Element = typename S::Element;
  using Live = typename S::Live;

  explicit MilledSite(Core& core, int task = 0) : core_(core), task_(task) {}

  [[nodiscard]] Node& node() const { return *S::node; }
  [[nodiscard]] constexpr const ParametersOf<Element>& parameters() const { return S::parameters(); }
  [[nodiscard]] const ControlOf<Element>& control() const { return S::parts.control; }
  [[nodiscard]] Slot<Element>& slot() const { return S::slot(core_); }
  [[nodiscard]] Core& core() const { return core_; }
  [[nodiscard]] constexpr int cores() const { return S::kCores; }
  [[nodiscard]] int task() const { return task_; }
  [[nodiscard]] constexpr int inputs() const { return S::kInputs; }
  [[nodiscard]] constexpr int outputs() const { return S::kOutputs; }
  [[nodiscard]] constexpr bool connected(int output) const { return S::connected(output); }
  template <class Mine>
  void emit(int output, Mine packet) const {
    S::emit(core_, output, std::move(packet));
  }
  [[nodiscard]] Packet* pull(int input) const { return S::pull(core_, input); }

 private:
  Core& core_;
  int task_;
};

/// One element of generated code: where it lives. `S` adds kInputs, kOutputs, connected(), emit(), pull(), and
/// `kParameters` where the parameters are constants.
template <class S, class E, class P, int Cores>
struct Milled {
  using Element = E;
  using Live = P;
  static constexpr int kCores = Cores;

  static inline Node* node = nullptr;
  static inline Parts<E> parts{};
  static inline Slot<E> slots[Cores]{};

  static Slot<E>& slot([[maybe_unused]] Core& core) {
    if constexpr (Cores == 1)
      return slots[0];
    else
      return slots[core.index];
  }
  static constexpr const ParametersOf<E>& parameters() {
    if constexpr (requires { S::kParameters; })
      return S::kParameters;
    else
      return parts.parameters;
  }
};

/// A packet that somebody answers for, as the walk through the graph takes it: where it is, or loaded into registers.
template <class Live, class Mine>
[[gnu::always_inline]] inline decltype(auto) alive(Mine& packet) {
  if constexpr (std::is_same_v<std::remove_reference_t<decltype(*packet)>, Live> && !std::is_same_v<Live, Packet>)
    return *packet;
  else if constexpr (std::is_same_v<Live, Packet>)
    return *packet.release();
  else
    return Live::load(*packet.release());
}

/// The packet ends at an output to which nothing is connected.
template <class S>
void drop_unconnected(Core& core, auto& packet) {
  auto& slot = S::slot(core);
  ++slot.drops[std::remove_reference_t<decltype(slot)>::kUnconnected];
  ++slot.ledger.dropped;
  release(core.pool, packet);
}

/// One packet through one element.
template <class S, class P>
[[gnu::always_inline]] inline Output process(Core& core, int input, P& packet) {
  using E = typename S::Element;
  Context<MilledSite<S>> context{MilledSite<S>(core)};
  View<E, P> view(packet);
  const Output output = E::process(context, In{input}, view);
  if constexpr (requires(const StateOf<E, Packet>& state) { E::size(state); }) S::node->nonempty.notify();
  return output;
}

/// What became of a packet that does not go on.
template <class S>
[[gnu::always_inline]] inline void settle(Core& core, Output output, auto& packet) {
  auto& slot = S::slot(core);
  switch (output.port) {
    case Output::kept:
      return;
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
      return drop_unconnected<S>(core, packet);
  }
  release(core.pool, packet);
}

/// The packet that pull output `port` of the element gives now, or null.
template <class S>
Packet* pull(Core& core, int port) {
  using E = typename S::Element;
  Context<MilledSite<S>> context{MilledSite<S>(core)};
  if constexpr (requires { E::pull(context, port); }) {
    Packet* packet = E::pull(context, port).release();
    if constexpr (requires(const StateOf<E, Packet>& state) { E::size(state); }) S::node->nonfull.notify();
    return packet;
  } else {
    // An agnostic element on a pull path: what takes another output than the one that is pulled is pushed there.
    const int input = S::kInputs == 1 ? 0 : port;
    Packet* packet = S::pull(core, input);
    if (packet == nullptr) return nullptr;
    const Output output = process<S>(core, input, *packet);
    if (output.port == port) return packet;
    if (output.port >= 0)
      S::emit(core, output.port, Owned<Packet>(packet));
    else
      settle<S>(core, output, *packet);
    return nullptr;
  }
}

/// One turn of the element's task; true where it did some work.
template <class S>
[[gnu::always_inline]] inline bool take_turn(Core& core, int task) {
  using E = typename S::Element;
  Context<MilledSite<S>> context{MilledSite<S>(core, task)};
  if constexpr (requires { E::run(context); }) {
    return E::run(context);
  } else if constexpr (S::kInputs > 0) {
    // A sink on a pull path.
    int count = 0;
    for (; count < core.batch_size; ++count) {
      Packet* packet = S::pull(core, 0);
      if (packet == nullptr) break;
      settle<S>(core, process<S>(core, 0, *packet), *packet);
    }
    return count > 0;
  } else {
    return false;
  }
}

/// The element's timer has come.
template <class S>
void fire(Core& core) {
  using E = typename S::Element;
  Context<MilledSite<S>> context{MilledSite<S>(core)};
  if constexpr (requires { E::timer(context); }) E::timer(context);
}

/// A burst of packets has gone through, and may have passed the element.
template <class S>
[[gnu::always_inline]] inline void burst_end(Core& core) {
  using E = typename S::Element;
  Context<MilledSite<S>> context{MilledSite<S>(core)};
  E::burst_end(context);
}

}  // namespace packetmill::engine
