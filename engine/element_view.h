#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "engine/interpreted.h"

namespace packetmill::engine {

template <class E>
class NodeOf;

/// An element as the control plane sees it: what handlers, `check`, `initialize` and `cleanup` get. No core is in a
/// burst meanwhile. There is no State yet when `check` is called.
template <class E>
class ElementView {
 public:
  using State = StateOf<E, Packet>;

  explicit ElementView(NodeOf<E>& node) : node_(node) {}

  [[nodiscard]] const ParametersOf<E>& parameters() const { return node_.place_.parts->parameters; }
  [[nodiscard]] ControlOf<E>& control() { return node_.place_.parts->control; }
  [[nodiscard]] const ControlOf<E>& control() const { return node_.place_.parts->control; }

  /// The one State of a shared or pinned element; the first core's of a per_core one.
  [[nodiscard]] State& state() const { return node_.place_.slots[0].state(); }
  /// Calls `function` with every State.
  template <class F>
  void for_each_state(F function) const {
    if constexpr (scope_of<E>() == Scope::per_core)
      for (int i = 0; i < node_.cores_; ++i) function(node_.place_.slots[i].state());
    else
      function(state());
  }
  /// The sum of a member over all States.
  template <class T, class S>
  [[nodiscard]] T sum(T S::* member) const {
    T total{};
    for_each_state([&](const State& state) { total += state.*member; });
    return total;
  }
  /// How many packets were dropped for `reason`, and for any.
  [[nodiscard]] std::uint64_t dropped(Reason reason) const { return node_.dropped(reason.index); }
  [[nodiscard]] std::uint64_t dropped() const {
    std::uint64_t total = 0;
    for (std::size_t i = 0; i < Slot<E>::kReasons + 2; ++i) total += node_.dropped(i);
    return total;
  }

  [[nodiscard]] std::string_view name() const { return node_.name; }
  /// The names that the configuration defines, as the element sees them: what handlers are given may use them too.
  [[nodiscard]] const Names& names() const { return *node_.names; }
  [[nodiscard]] const std::string& configuration() const { return node_.configuration; }
  [[nodiscard]] ControlPlane& control_plane() const { return *node_.control_plane; }
  [[nodiscard]] Timestamp now() const { return node_.control_plane->now(); }
  [[nodiscard]] int cores() const { return node_.cores_; }
  [[nodiscard]] int inputs() const { return static_cast<int>(node_.input_is_pull.size()); }
  [[nodiscard]] int outputs() const { return static_cast<int>(node_.output_is_pull.size()); }
  [[nodiscard]] bool output_is_pull(int port) const { return node_.output_is_pull[port]; }

  void drop(Owned<Packet> packet, Reason reason) { context().drop(std::move(packet), reason); }
  /// A context of the home core, for what a handler has in common with `process`.
  [[nodiscard]] auto context() {
    return Context<Interpreted<E>>({node_, *node_.place_.parts, node_.place_.slots[0], *node_.home, nullptr});
  }

  /// What this element shares with others under `name`; see ControlPlane::resource.
  template <class T>
  [[nodiscard]] T& resource(std::string_view name) {
    std::shared_ptr<void>& shared = node_.control_plane->resource(name);
    if (!shared) shared = std::make_shared<T>();
    return *static_cast<T*>(shared.get());
  }
  /// The element may hold `packets` more than `capacity` said when the run was prepared.
  void reserve(std::size_t packets) { node_.home->pool.reserve(packets); }

  void wake() { node_.wake(); }
  void sleep() {
    node_.starts_asleep = true;  // where `initialize` says it; without effect later
    for (auto& task : node_.tasks) task->sleep();
  }
  void set_timer(Timestamp time) { node_.timer->set(time); }
  void clear_timer() { node_.timer->clear(); }

  /// The nearest element of class `Other` that packets pass before they come here, or null. Its parts are reached
  /// through the view, as one's own.
  template <class Other>
  [[nodiscard]] std::optional<ElementView<Other>> find_upstream() const {
    if (auto* found = node_.template find_upstream<Other>()) return ElementView<Other>(*found);
    return std::nullopt;
  }

 private:
  NodeOf<E>& node_;
};

}  // namespace packetmill::engine
