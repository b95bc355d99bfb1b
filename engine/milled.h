#pragma once

#include "engine/observe.h"
#include "engine/paths.h"
#include "engine/registers.h"

/// What generated code is made of. For each element of the configuration there is a struct S that derives from
/// Milled<S, Element, ...> and says what the configuration says; the functions here run the element's own source with
/// it. Everything is static: nothing is looked up, and the compiler sees through all of it.
namespace packetmill::engine {

/// In a fused loop, what an element gives out goes all its way at once. Whether it does so in line, the generated emit()
/// says, not what leads to it.
template <class S>
class AtOnce {
 public:
  explicit AtOnce(Core& core) : core_(core) {}
  template <class Mine>
  [[gnu::always_inline]] void append(int output, Mine packet) const {
    S::emit(core_, output, std::move(packet));
  }
  void flush() const {}

 private:
  Core& core_;
};

/// In a vector loop, where the outputs lead.
template <class S>
class MilledExit {
 public:
  using Batch = typename S::Batch;
  explicit MilledExit(Core& core) : core_(core) {}
  [[nodiscard]] int batch_size() const { return core_.batch_size; }
  void forward(int output, Batch& batch) const { S::forward(core_, output, batch); }

 private:
  Core& core_;
};

/// Where an element of generated code stands: a Site of engine/context.h.
template <class S>
class MilledSite {
 public:
  using Element = typename S::Element;
  using Live = typename S::Live;
  using Touched = typename S::How::Touched;
  using Code = S;
  static constexpr bool kOverlays = S::How::overlays && std::is_same_v<Live, Packet>;
  static constexpr bool kMayExchange = S::How::exchanges;
  static constexpr bool kAsksNic = S::How::asks_nic;
  static constexpr bool kTrustsNic = requires { S::kTrustsNic; };

  MilledSite(Core& core, typename S::Way& way, int task) : core_(core), way_(way), task_(task) {}

  [[nodiscard]] Node& node() const { return *S::node; }
  [[nodiscard]] constexpr const ParametersOf<Element>& parameters() const { return S::parameters(); }
  [[nodiscard]] const ControlOf<Element>& control() const { return S::parts().control; }
  [[nodiscard]] Slot<Element>& slot() const { return S::slot(core_); }
  [[nodiscard]] Core& core() const { return core_; }
  [[nodiscard]] constexpr int cores() const { return S::kCores; }
  [[nodiscard]] int task() const { return task_; }
  [[nodiscard]] constexpr int inputs() const { return S::kInputs; }
  [[nodiscard]] constexpr int outputs() const { return S::kOutputs; }
  [[nodiscard]] constexpr bool connected(int output) const { return S::connected(output); }
  template <class Mine>
  [[gnu::always_inline]] void emit(int output, Mine packet) const {
    way_.append(output, std::move(packet));
  }
  [[nodiscard]] int decide(const ir::DecisionGraph& graph, auto& bytes_from) const {
    if constexpr (requires { S::decide(bytes_from); })
      return S::decide(bytes_from);
    else
      return ir::evaluate(graph, bytes_from);
  }
  [[nodiscard]] Packet* pull(int input) const { return S::pull(core_, input); }

 private:
  Core& core_;
  typename S::Way& way_;
  int task_;
};

/// Keeps what the plan's `observe` asks for, of a batch or a packet that an element processes.
template <class S>
class Watched {
 public:
  static constexpr Observe kObserve = S::How::observe;

  Watched(const auto& stance, int packets) : core_(stance.core()) {
    if constexpr (kObserve != Observe::sampled) S::observed[core_.index].packets += static_cast<unsigned>(packets);
    if constexpr (kObserve == Observe::cycles) start_ = __builtin_readcyclecounter();
  }
  ~Watched() {
    if constexpr (kObserve == Observe::cycles) S::observed[core_.index].cycles += __builtin_readcyclecounter() - start_;
  }
  Watched(const Watched&) = delete;
  Watched& operator=(const Watched&) = delete;

  void step(const Packet* packet, Output output) const {
    if constexpr (kObserve == Observe::sampled)
      if (core_.trace.follows(packet)) [[unlikely]]
        core_.trace.step(*S::node, output);
  }

 private:
  Core& core_;
  std::uint64_t start_ = 0;
};

/// See engine/paths.h.
template <class S>
struct MilledStance {
  using Element = typename S::Element;
  using Batch = typename S::Batch;
  using Watch = std::conditional_t<S::How::observe == Observe::none, Unwatched, Watched<S>>;
  static constexpr int kStage = S::How::stage;
  Core& on;

  [[nodiscard]] Core& core() const { return on; }
  [[nodiscard]] Node& node() const { return *S::node; }
  [[nodiscard]] Slot<Element>& slot() const { return S::slot(on); }
  [[nodiscard]] MilledExit<S> exit() const { return MilledExit<S>(on); }
  [[nodiscard]] auto way() const {
    if constexpr (S::kFused)
      return AtOnce<S>(on);
    else
      return Emission<MilledExit<S>>(exit());
  }
  [[nodiscard]] auto context(typename S::Way& way, int task) const {
    return Context<MilledSite<S>>(MilledSite<S>(on, way, task));
  }
  [[nodiscard]] constexpr int inputs() const { return S::kInputs; }
  [[nodiscard]] Packet* pull(int input) const { return S::pull(on, input); }
};

enum class Loop { vector, fused };
/// Where an element lives: with its node, as in the interpreter, or at an address that the linker knows.
enum class Home { node, program };

/// One element of generated code: where it lives, and what is the same for all. `H` says how the whole program does its
/// work:
///   Live, Batch                            packets, and how they come together in a vector loop
///   Touched                                fields that elements look at
///   loop, stage, overlays, exchanges, asks_nic, home, cores, observe
/// and `S` adds
///   kInputs, kOutputs, connected(output)   how it is connected
///   kParameters                            where the parameters are constants
///   emit(core, output, packet)             in a fused loop: the way of a packet that it gives out
///   forward(core, output, batch)           in a vector loop: the same for a batch
///   pull(core, input)                      where pull inputs take their packets
///   decide(bytes_from)                     where a decision graph has become code
///   kTrustsNic                             where frames are still as the NIC has received them (mill/untouched.h)
template <class S, class E, class H>
struct Milled {
  using Element = E;
  using How = H;
  using Live = typename H::Live;
  using Batch = typename H::Batch;
  static constexpr int kCores = H::cores;
  static constexpr bool kFused = H::loop == Loop::fused;
  using Way = std::conditional_t<kFused, AtOnce<S>, Emission<MilledExit<S>>>;

  static constexpr bool processes =
      requires(Context<MilledSite<S>>& context, View<E, Packet>& view) { E::process(context, In{}, view); };

  static inline Node* node = nullptr;

  static Parts<E>& parts() {
    if constexpr (H::home == Home::program)
      return own_parts;
    else
      return *static_cast<Parts<E>*>(parts_found);
  }
  static Slot<E>& slot([[maybe_unused]] Core& core) {
    Slot<E>* slots = nullptr;
    if constexpr (H::home == Home::program)
      slots = own_slots;
    else
      slots = static_cast<Slot<E>*>(slots_found);
    if constexpr (kCores == 1)
      return slots[0];
    else
      return slots[core.index];
  }
  static constexpr const ParametersOf<E>& parameters() {
    if constexpr (requires { S::kParameters; })
      return S::kParameters;
    else
      return parts().parameters;
  }
  /// What the element's node is told.
  static MilledElement element(bool (*run)(Core&, int), void (*fire)(Core&)) {
    MilledElement result{
        .node = &node, .parts_found = &parts_found, .slots_found = &slots_found, .run = run, .fire = fire};
    if constexpr (H::observe != Observe::none) result.observed = observed;
    if constexpr (H::home == Home::program) {
      result.parts = &own_parts;
      result.slots = own_slots;
    }
    if constexpr (!kFused && S::kInputs > 0 && processes)
      result.push = [](Core& core, int port, engine::Batch& packets) {
        if constexpr (std::is_same_v<Batch, engine::Batch>) {
          S::push(core, port, packets);
        } else {
          Batch batch;
          packets.sift([&](Packet* packet) {
            batch.add(packet);
            return false;
          });
          S::push(core, port, batch);
        }
      };
    return result;
  }
  /// The way of a batch in a fused loop: packet by packet.
  static void forward(Core& core, int output, Batch& batch) {
    batch.sift([&](Packet* packet) {
      S::emit(core, output, Owned<Packet>(packet));
      return false;
    });
  }
  static void push(Core& core, int port, Batch& batch) { push_batch(MilledStance<S>{core}, port, batch); }

  struct Empty {};
  static inline std::conditional_t<H::observe == Observe::none, Empty, Observed> observed[kCores]{};

 private:
  static inline std::conditional_t<H::home == Home::program, Parts<E>, Empty> own_parts{};
  static inline std::conditional_t<H::home == Home::program, Slot<E>, Empty> own_slots[kCores]{};
  static inline void* parts_found = nullptr;
  static inline void* slots_found = nullptr;
};

/// A packet that somebody answers for, as the walk through the graph takes it: where it is, or loaded into registers.
template <class Live, class Mine>
[[gnu::always_inline]] inline decltype(auto) alive(Mine& packet) {
  if constexpr (std::is_same_v<Live, Packet>)
    return *packet.release();
  else if constexpr (std::is_same_v<std::remove_reference_t<decltype(*packet)>, Live>)
    return *packet;
  else
    return Live::load(*packet.release());
}

/// Which part of a fused walk a function holds: what a source has of its own, what many sources share, or the rest, where
/// few packets go. Types, because their names are seen in what `packetmill explain` reads.
struct Own {
  static constexpr bool hot = true;
};
struct Joined {
  static constexpr bool hot = true;
};
struct Rest {
  static constexpr bool hot = false;
};

/// In a fused loop one packet is on its way at a time: what a trace follows has no address.
inline constexpr const Packet* kFusedPacket = nullptr;

/// A packet sets out from element S: perhaps one whose way is kept.
template <class S>
class Sampled {
 public:
  Sampled(Core& core, const void* packet) : core_(core), taken_(core.trace.begin(packet)) {}
  ~Sampled() {
    if (taken_) [[unlikely]]
      core_.trace.end();
  }
  Sampled(const Sampled&) = delete;
  Sampled& operator=(const Sampled&) = delete;

 private:
  Core& core_;
  bool taken_;
};

/// One packet through one element of a fused loop. On the hot way everything is inlined: a packet whose metadata is in
/// registers would have to be in memory for a single call that takes it by reference.
template <class S, bool hot, class P>
[[gnu::always_inline]] inline Output process(Core& core, int input, P& packet) {
  using E = typename S::Element;
  AtOnce<S> way(core);
  auto context = MilledStance<S>{core}.context(way, 0);
  View<E, P> view(packet);
  Output output{};
  const typename MilledStance<S>::Watch watch(MilledStance<S>{core}, 1);
  if constexpr (hot) [[clang::always_inline]]
    output = E::process(context, In{input}, view);
  else
    output = E::process(context, In{input}, view);
  watch.step(kFusedPacket, output);
  // The batch is of one packet; `flush` waits for the end of the turn.
  if constexpr (requires { E::batch_end(context); }) E::batch_end(context);
  if constexpr (stores<E> && S::kOutputs > 0) S::node->nonempty.notify();  // whoever pulls from it
  return output;
}

/// What became of a packet that does not go on from there.
template <class S>
[[gnu::always_inline]] inline void end(Core& core, Output output, auto& packet) {
  if (output.port >= 0)
    drop_unconnected(S::slot(core), core.pool, packet);
  else
    settle(S::slot(core), core.pool, output, packet);
}

/// A batch at an output to which nothing is connected.
template <class S>
void drop_unconnected(Core& core, typename S::Batch& batch) {
  batch.sift([&](Packet* packet) {
    drop_unconnected(S::slot(core), core.pool, *packet);
    return false;
  });
}

/// A turn is over whose packets may have passed the element.
template <class S>
[[gnu::always_inline]] inline void flush(Core& core) {
  AtOnce<S> way(core);
  auto context = MilledStance<S>{core}.context(way, 0);
  S::Element::flush(context);
}

/// As click-devirtualize leaves no virtual call: here is one, for the plans that keep them.
template <class S>
void push_virtually(Core& core, int port, typename S::Batch& batch) {
  if constexpr (std::is_same_v<typename S::Batch, Batch>) {
    S::node->milled->push(core, port, batch);
  } else {
    Batch packets;
    batch.sift([&](Packet* packet) {
      packets.add(packet);
      return false;
    });
    S::node->milled->push(core, port, packets);
  }
}

}  // namespace packetmill::engine
