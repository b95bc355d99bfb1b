#pragma once

#include <string_view>

#include "engine/emission.h"
#include "engine/slot.h"
#include "runtime/element.h"

namespace packetmill::engine {

/// What an element's functions may use: the interpreter's answer to the context of the contract (runtime/element.h). It
/// lives for one call; everything in it is a reference.
template <class E>
class Context {
 public:
  using P = Packet;
  using PacketView = View<E, P>;

  Context(Node& node, const Parts<E>& parts, Slot<E>& slot, Core& core, Emission* emission, int task = 0)
      : node_(node), parts_(parts), slot_(slot), core_(core), emission_(emission), task_(task) {}

  [[nodiscard]] const ParametersOf<E>& parameters() const { return parts_.parameters; }
  [[nodiscard]] const ControlOf<E>& control() const { return parts_.control; }
  [[nodiscard]] StateOf<E, P>& state() const { return *slot_.state; }

  /// Taken once per burst.
  [[nodiscard]] Timestamp now() const { return core_.scheduler.now(); }
  [[nodiscard]] int core() const { return core_.index; }
  [[nodiscard]] int cores() const { return core_.cores; }
  /// Which of the element's tasks runs (a device has one per queue).
  [[nodiscard]] int task() const { return task_; }
  [[nodiscard]] Random& random() const { return slot_.random; }
  [[nodiscard]] int inputs() const { return static_cast<int>(node_.input_is_pull.size()); }
  [[nodiscard]] int outputs() const { return static_cast<int>(node_.output_is_pull.size()); }
  [[nodiscard]] bool connected(int output) const {
    return output < outputs() && (node_.output_is_pull[output] || node_.outputs[output].node != nullptr);
  }

  [[nodiscard]] PacketView view(Owned<P>& packet) const { return PacketView(*packet); }

  /// Gives `packet` to the rest of the graph behind `port`.
  void emit(int port, Owned<P> packet) const { emission_->append(port, packet.release()); }

  /// Takes charge of the packet that is being processed; `process` then returns held().
  [[nodiscard]] Owned<P> hold(PacketView& packet) const { return Owned<P>(&packet.underlying()); }

  /// A copy of frame and metadata. Null where the reserve is empty, which is counted as a drop ("no_buffer").
  [[nodiscard]] Owned<P> clone(const PacketView& packet) const {
    const P& from = packet.underlying();
    Owned<P> copy = allocate(from.length(), from.headroom());
    ++slot_.ledger.cloned;
    if (!copy) return no_buffer();
    std::memcpy(copy->data(), from.data(), from.length());
    // What was stripped stays readable, as in a clone of Click's.
    std::memcpy(copy->buffer(), from.buffer(), from.headroom());
    copy->copy_metadata(from);
    return copy;
  }
  /// A new packet of `length` bytes of unspecified content. Null as above.
  [[nodiscard]] Owned<P> generate(std::uint32_t length, std::uint32_t headroom = kHeadroom) const {
    Owned<P> packet = allocate(length, headroom);
    ++slot_.ledger.generated;
    if (!packet) return no_buffer();
    return packet;
  }
  /// The same with the metadata of `packet`; its header positions are the other buffer's, and to be set anew.
  [[nodiscard]] Owned<P> generate_like(const PacketView& packet, std::uint32_t length,
                                       std::uint32_t headroom = kHeadroom) const {
    Owned<P> generated = generate(length, headroom);
    if (generated) generated->copy_metadata(packet.underlying());
    return generated;
  }
  /// A packet that comes in: to be filled by the port. Null as above.
  [[nodiscard]] Owned<P> receive(std::uint32_t length) const {
    Owned<P> packet = allocate(length, kHeadroom);
    ++slot_.ledger.received;
    if (!packet) return no_buffer();
    return packet;
  }
  /// A packet that comes in, in the driver's own buffer, which `release(owner)` frees. Null as above; the buffer is
  /// then freed.
  [[nodiscard]] Owned<P> adopt(std::uint8_t* buffer, std::uint32_t capacity, std::uint32_t headroom,
                               std::uint32_t length, void* owner, Packet::Release release) const {
    ++slot_.ledger.received;
    Owned<P> packet(core_.pool.adopt(buffer, capacity, headroom, length, owner, release));
    if (packet) [[likely]]
      return packet;
    release(owner);
    return no_buffer();
  }

  void drop(Owned<P> packet, Reason reason) const {
    ++slot_.drops[reason.index];
    ++slot_.ledger.dropped;
    core_.pool.free(packet.release());
  }
  /// Counts `count` frames that were lost before they became packets (a full ring, a truncated record).
  void drop_unreceived(std::uint64_t count, Reason reason) const {
    slot_.drops[reason.index] += count;
    slot_.ledger.received += count;
    slot_.ledger.dropped += count;
  }
  void consume(Owned<P> packet) const {
    ++slot_.ledger.consumed;
    core_.pool.free(packet.release());
  }
  void sent(Owned<P> packet) const {
    ++slot_.ledger.sent;
    core_.pool.free(packet.release());
  }
  /// Lets go of the packet but keeps its buffer: a driver's, which the element has put into a queue of its own and
  /// counts in size(). Later it says what became of such buffers.
  void detach(Owned<P> packet) const { core_.pool.free_metadata(packet.release()); }
  /// The same for a packet whose frame the element has copied: its buffer goes back too.
  void free(const PacketView& packet) const { core_.pool.free(&packet.underlying()); }
  void sent_detached(std::uint64_t count) const { slot_.ledger.sent += count; }
  void drop_detached(std::uint64_t count, Reason reason) const {
    slot_.drops[reason.index] += count;
    slot_.ledger.dropped += count;
  }

  /// The next packet of pull input `input`; null where there is none now.
  [[nodiscard]] Owned<P> pull(int input) const {
    const Target& from = node_.inputs[input];
    return Owned<P>(from.node->pull(core_, from.port));
  }

  /// Gives the element's tasks on this core their turns again; all of its tasks, where it has none here.
  void wake() const {
    bool here = false;
    for (std::size_t i = 0; i < node_.tasks.size(); ++i) {
      if (node_.task_homes[i] != &core_) continue;
      node_.tasks[i]->wake();
      here = true;
    }
    if (!here) node_.wake();
  }
  /// The same at `time`; for an element with a task on this core.
  void wake_at(Timestamp time) const {
    for (std::size_t i = 0; i < node_.tasks.size(); ++i)
      if (node_.task_homes[i] == &core_) node_.alarms[i]->set(time);
  }
  /// The task that runs gets no more turns until somebody wakes it.
  void sleep() const { node_.tasks[task_]->sleep(); }
  void sleep_until(Timestamp time) const {
    sleep();
    node_.alarms[task_]->set(time);
  }
  /// Calls `timer` at `time`; an earlier setting is forgotten. The timer runs on the element's home core; for tasks and
  /// timers, and for `process` of an element whose State is not per_core under one core.
  void set_timer(Timestamp time) const { node_.timer->set(time); }
  void clear_timer() const { node_.timer->clear(); }
  [[nodiscard]] bool timer_set() const { return node_.timer->scheduled(); }

  /// One line to the user (standard error).
  void message(std::string_view line) const { core_.control_plane.message(line); }
  [[nodiscard]] ControlPlane& control_plane() const { return core_.control_plane; }
  [[nodiscard]] std::string_view name() const { return node_.name; }

 private:
  [[nodiscard]] Owned<P> allocate(std::uint32_t length, std::uint32_t headroom) const {
    return Owned<P>(core_.pool.allocate(length, headroom));
  }
  [[nodiscard]] Owned<P> no_buffer() const {
    ++slot_.drops[Slot<E>::kNoBuffer];
    ++slot_.ledger.dropped;
    return {};
  }

  Node& node_;
  const Parts<E>& parts_;
  Slot<E>& slot_;
  Core& core_;
  Emission* emission_;
  int task_;
};

}  // namespace packetmill::engine
