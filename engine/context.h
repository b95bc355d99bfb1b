#pragma once

#include <string_view>

#include "engine/live.h"
#include "engine/node.h"
#include "engine/slot.h"
#include "ir/decision_graph.h"
#include "runtime/element.h"

namespace packetmill::engine {

template <class E>
constexpr bool stores = requires(const StateOf<E, Packet>& state) { E::size(state); };

/// What an element's functions may use: the context of the contract (runtime/element.h). It lives for one call.
///
/// `Site` is where the element stands, and the only thing that differs between the interpreter (engine/interpreted.h:
/// everything is found through pointers) and generated code (engine/milled.h: constants and static addresses):
///   Element, Code, Live (the type of packets that `process` sees), Touched (fields that somebody looks at), kOverlays (they lie beside their buffers), kMayExchange, kAsksNic, kTrustsNic, node(), parameters(), control(), slot(), core(), task(),
///   inputs(), outputs(), connected(output), emit(output, packet), pull(input), decide(graph, bytes_from)
template <class Site>
class Context {
 public:
  using E = typename Site::Element;
  using P = Packet;
  using Live = typename Site::Live;
  /// Whether the plan lets ports exchange buffers with their drivers (ports/dpdk/arrivals.h).
  static constexpr bool may_exchange = Site::kMayExchange;
  /// Whether the plan wants to know what the NIC has found (CheckedHeader), and whether it may be believed here: nobody has
  /// changed a byte of the frame since it came in (mill/untouched.h).
  static constexpr bool asks_nic = Site::kAsksNic;
  static constexpr bool trusts_nic = Site::kTrustsNic;
  using Code = typename Site::Code;  ///< members that the element's hook has written (mill/hooks.h); none elsewhere

  explicit Context(Site site) : site_(site) {}

  [[nodiscard]] constexpr const ParametersOf<E>& parameters() const { return site_.parameters(); }
  [[nodiscard]] const ControlOf<E>& control() const { return site_.control(); }
  [[nodiscard]] StateOf<E, P>& state() const { return site_.slot().state(); }

  /// Taken once per burst.
  [[nodiscard]] Timestamp now() const { return site_.core().scheduler.now(); }
  [[nodiscard]] int core() const { return site_.core().index; }
  [[nodiscard]] constexpr int cores() const { return site_.cores(); }
  /// Which of the element's tasks runs (a device has one per queue).
  [[nodiscard]] int task() const { return site_.task(); }
  [[nodiscard]] Random& random() const { return site_.slot().random; }
  [[nodiscard]] constexpr int inputs() const { return site_.inputs(); }
  [[nodiscard]] constexpr int outputs() const { return site_.outputs(); }
  [[nodiscard]] constexpr bool connected(int output) const { return site_.connected(output); }

  /// The packet that one has charge of, as `process` would see it.
  template <class Mine>
  [[nodiscard]] auto view(Mine& packet) const {
    return View<E, std::remove_reference_t<decltype(*packet)>>(*packet);
  }

  /// Gives `packet` to the rest of the graph behind `port`.
  template <class Mine>
  [[gnu::always_inline]] void emit(int port, Mine packet) const {
    site_.emit(port, std::move(packet));
  }

  /// Takes charge of the packet that is being processed; `process` then returns held().
  template <class Q>
  [[gnu::always_inline]] [[nodiscard]] Owned<P> hold(View<E, Q>& packet) const {
    static_assert(stores<E>, "an element that holds packets says how many it has, and can have: size, capacity");
    return Owned<P>(materialise(site_.core().pool, packet.underlying()));
  }

  /// A copy of frame and metadata. Null where the reserve is empty, which is counted as a drop ("no_buffer").
  template <class Q>
  [[gnu::always_inline]] [[nodiscard]] Owned<P> clone(const View<E, Q>& packet) const {
    const Q& from = packet.underlying();
    Owned<P> copy = allocate(from.length(), from.headroom());
    ++site_.slot().ledger.cloned;
    if (!copy) return no_buffer();
    std::memcpy(copy->data(), from.data(), from.length());
    // What was stripped stays readable, as in a clone of Click's.
    std::memcpy(copy->buffer(), from.buffer(), from.headroom());
    copy_metadata(*copy, from);
    return copy;
  }
  /// A new packet of `length` bytes of unspecified content. Null as above.
  [[nodiscard]] Owned<P> generate(std::uint32_t length, std::uint32_t headroom = kHeadroom) const {
    Owned<P> packet = allocate(length, headroom);
    ++site_.slot().ledger.generated;
    if (!packet) return no_buffer();
    return packet;
  }
  /// The same with the metadata of `packet`; its header positions are the other buffer's, and to be set anew.
  template <class Q>
  [[gnu::always_inline]] [[nodiscard]] Owned<P> generate_like(const View<E, Q>& packet, std::uint32_t length,
                                                              std::uint32_t headroom = kHeadroom) const {
    Owned<P> generated = generate(length, headroom);
    if (generated) copy_metadata(*generated, packet.underlying());
    return generated;
  }
  /// A packet that comes in: to be filled by the port. Null as above.
  [[nodiscard]] Owned<P> receive(std::uint32_t length) const {
    Owned<P> packet = allocate(length, kHeadroom);
    ++site_.slot().ledger.received;
    if (!packet) return no_buffer();
    return packet;
  }
  /// A packet that comes in, in the driver's own buffer, which `release(owner)` frees. `room`: right in front of
  /// the buffer there is room for a Packet, which the plan may use. Null as above; the buffer is then freed.
  [[nodiscard]] auto adopt(std::uint8_t* buffer, std::uint32_t capacity, std::uint32_t headroom, std::uint32_t length,
                           void* owner, Packet::Release release, [[maybe_unused]] bool room) const {
    ++site_.slot().ledger.received;
    if constexpr (Site::kOverlays)
      if (room) return overlay(buffer, capacity, headroom, length, owner, release);
    using engine::adopt;
    auto packet = adopt(std::type_identity<Live>(), site_.core().pool, buffer, capacity, headroom, length, owner,
                        release, typename Site::Touched());
    if (!packet) [[unlikely]] {
      release(owner);
      (void)no_buffer();
    }
    return packet;
  }

  void drop(Owned<P> packet, Reason reason) const {
    ++site_.slot().drops[reason.index];
    ++site_.slot().ledger.dropped;
    site_.core().pool.free(packet.release());
  }
  /// Counts `count` frames that were lost before they became packets (a full ring, a truncated record).
  void drop_unreceived(std::uint64_t count, Reason reason) const {
    site_.slot().drops[reason.index] += count;
    site_.slot().ledger.received += count;
    site_.slot().ledger.dropped += count;
  }
  void consume(Owned<P> packet) const {
    ++site_.slot().ledger.consumed;
    site_.core().pool.free(packet.release());
  }
  void sent(Owned<P> packet) const {
    ++site_.slot().ledger.sent;
    site_.core().pool.free(packet.release());
  }
  /// Lets go of the packet that is being processed but keeps its buffer: a driver's, which the element has put into a
  /// queue of its own and counts in size(). Later it says what became of such buffers; `process` returns held().
  template <class Q>
  [[gnu::always_inline]] void detach(const View<E, Q>& packet) const {
    forget(site_.core().pool, packet.underlying());
  }
  /// The same for a packet whose frame the element has copied: its buffer goes back too.
  template <class Q>
  [[gnu::always_inline]] void free(const View<E, Q>& packet) const {
    release(site_.core().pool, packet.underlying());
  }
  void sent_detached(std::uint64_t count) const { site_.slot().ledger.sent += count; }
  void drop_detached(std::uint64_t count, Reason reason) const {
    site_.slot().drops[reason.index] += count;
    site_.slot().ledger.dropped += count;
  }

  /// Whether the run is to end: for who waits.
  [[nodiscard]] bool stopping() const { return site_.core().scheduler.stopped(); }

  /// The next packet of pull input `input`; null where there is none now.
  [[nodiscard]] Owned<P> pull(int input) const { return Owned<P>(site_.pull(input)); }

  /// Gives the element's tasks on this core their turns again; all of its tasks, where it has none here.
  void wake() const {
    bool here = false;
    for (std::size_t i = 0; i < site_.node().tasks.size(); ++i) {
      if (site_.node().task_homes[i] != &site_.core()) continue;
      site_.node().tasks[i]->wake();
      here = true;
    }
    if (!here) site_.node().wake();
  }
  /// The same at `time`; for an element with a task on this core.
  void wake_at(Timestamp time) const {
    for (std::size_t i = 0; i < site_.node().tasks.size(); ++i)
      if (site_.node().task_homes[i] == &site_.core()) site_.node().alarms[i]->set(time);
  }
  /// The task that runs gets no more turns until somebody wakes it.
  void sleep() const { site_.node().tasks[task()]->sleep(); }
  void sleep_until(Timestamp time) const {
    sleep();
    site_.node().alarms[task()]->set(time);
  }
  /// Calls `timer` at `time`; an earlier setting is forgotten. The timer runs on the element's home core; for tasks and
  /// timers, and for `process` of an element whose State is not per_core under one core.
  void set_timer(Timestamp time) const { site_.node().timer->set(time); }
  void clear_timer() const { site_.node().timer->clear(); }
  [[nodiscard]] bool timer_set() const { return site_.node().timer->scheduled(); }

  /// The outcome of a decision graph that is one of the element's parameters (ir/decision_graph.h): evaluated here, code
  /// in a milled program.
  template <class Bytes>
  [[nodiscard]] int decide(const ir::DecisionGraph& graph, Bytes&& bytes_from) const {
    return site_.decide(graph, bytes_from);
  }

  /// One line to the user (standard error).
  void message(std::string_view line) const { site_.core().control_plane.message(line); }
  [[nodiscard]] ControlPlane& control_plane() const { return site_.core().control_plane; }
  [[nodiscard]] std::string_view name() const { return site_.node().name; }

 private:
  [[nodiscard]] Owned<P> allocate(std::uint32_t length, std::uint32_t headroom) const {
    return Owned<P>(site_.core().pool.allocate(length, headroom));
  }
  [[nodiscard]] Owned<P> no_buffer() const {
    ++site_.slot().drops[Slot<E>::kNoBuffer];
    ++site_.slot().ledger.dropped;
    return {};
  }

  Site site_;
};

}  // namespace packetmill::engine
