#pragma once

#include <algorithm>
#include <deque>
#include <unordered_set>

#include "engine/context.h"
#include "engine/element_view.h"
#include "engine/handler_of.h"
#include "engine/node.h"
#include "engine/registry.h"
#include "ir/literal.h"

namespace packetmill::engine {

/// The interpreter's node of element E: parameters in memory, one virtual call per batch, and inside it a loop over the
/// packets around the element's own `process`.
template <class E>
class NodeOf final : public Node {
  /// See engine/paths.h.
  struct Stance {
    using Element = E;
    using Batch = engine::Batch;
    using Watch = Unwatched;
    static constexpr int kStage = 0;
    NodeOf& self;
    Core& on;

    [[nodiscard]] Core& core() const { return on; }
    [[nodiscard]] Node& node() const { return self; }
    [[nodiscard]] Slot<E>& slot() const { return self.place_.slots[on.index]; }
    [[nodiscard]] NodeExit exit() const { return {on, self}; }
    [[nodiscard]] Emission<NodeExit> way() const { return Emission<NodeExit>(exit()); }
    [[nodiscard]] auto context(Emission<NodeExit>& way, int task) const {
      return Context<Interpreted<E>>({self, *self.place_.parts, slot(), on, &way, task});
    }
    [[nodiscard]] int inputs() const { return static_cast<int>(self.inputs.size()); }
    [[nodiscard]] Packet* pull(int input) const { return self.inputs[input].node->pull(on, self.inputs[input].port); }
  };

  using View = packetmill::View<E, Packet>;
  using Ctx = Context<Interpreted<E>>;
  static constexpr bool kProcesses = requires(Ctx& context, View& view) { E::process(context, In{}, view); };
  static constexpr bool kPulls = requires(Ctx& context) { E::pull(context, 0); };
  static constexpr bool kRuns = requires(Ctx& context) { E::run(context); };
  static constexpr bool kFires = requires(Ctx& context) { E::timer(context); };
  static constexpr bool kFlushes = requires(Ctx& context) { E::flush(context); };
  static constexpr bool kStores = stores<E>;
  static constexpr bool kTellsReady = requires(const ElementView<E>& element) { E::ready(element); };

 public:
  /// Fills in what the class says of how it runs.
  static void describe(Factory& factory) {
    factory.emits = emits<E>;
    factory.runs = kRuns;
    factory.fires = kFires;
    factory.flushes = kFlushes;
    // Click's library keeps a second output that may be left away for what is wrong with a packet.
    if constexpr (requires { E::rare_from; })
      factory.rare_from = E::rare_from;
    else if (E::info.ports.ends_with("/1-2"))
      factory.rare_from = 1;
  }

  void push(Core& core, int port, Batch& batch) override {
    if constexpr (kProcesses) push_batch(Stance{*this, core}, port, batch);
  }
  Packet* pull(Core& core, int port) override { return pull_packet(Stance{*this, core}, port); }
  bool run(Core& core, int task) override {
    if (sleep_if_full(task)) return false;
    const bool worked = milled != nullptr ? milled->run(core, task) : take_turn(Stance{*this, core}, task);
    if (!worked) sleep_if_empty(task);
    return worked;
  }
  void fire(Core& core) override {
    if (milled != nullptr)
      milled->fire(core);
    else
      engine::fire(Stance{*this, core});
  }

  void be_milled(const MilledElement& element) override {
    milled = &element;
    place_ = {static_cast<Parts<E>*>(element.parts), static_cast<Slot<E>*>(element.slots)};
    *element.node = this;
  }

  [[nodiscard]] std::optional<ParametersText> parameters_text() const override {
    if constexpr (ir::has_literal<ParametersOf<E>>()) {
      ir::LiteralWriter writer;
      std::string text = writer.write(place_.parts->parameters);
      return ParametersText{writer.arrays(), std::move(text)};
    } else {
      return std::nullopt;
    }
  }

  [[nodiscard]] const void* parameters() const override { return &place_.parts->parameters; }
  [[nodiscard]] std::vector<FieldInfo> fields() const override {
    std::vector<FieldInfo> result;
    add_fields(result, typename packetmill::detail::ReadsOf<E>::Type());
    add_fields(result, typename packetmill::detail::WritesOf<E>::Type());
    return result;
  }

  void declare(Declarations& declarations, Diagnostics& diagnostics) override {
    if constexpr (requires(Configuration& c) { E::declare(c, name, declarations); }) {
      Configuration configuration = make_configuration(kNoNames, diagnostics);
      E::declare(configuration, name, declarations);
      configuration.finish();
    }
  }

  void configure(Diagnostics& diagnostics) override {
    if (place_.parts == nullptr) {
      own_parts_ = std::make_unique<Parts<E>>();
      place_.parts = own_parts_.get();
    }
    *place_.parts = {};
    if constexpr (requires(Configuration& c, Declarations& d) { E::declare(c, name, d); }) return;
    Configuration configuration = make_configuration(*names, diagnostics);
    if constexpr (requires { E::keywords; })
      configuration.take(E::keywords.data(), E::keywords.size(),
                         {{type_tag<ParametersOf<E>>(), &place_.parts->parameters},
                          {type_tag<ControlOf<E>>(), &place_.parts->control}});
    if constexpr (requires { E::configure(configuration, place_.parts->parameters); })
      E::configure(configuration, place_.parts->parameters);
    configuration.finish();
  }

  std::optional<std::string> check() override {
    ElementView<E> element(*this);
    if constexpr (requires { E::check(element); })
      return E::check(element);
    else
      return std::nullopt;
  }

  void prepare(const std::vector<std::unique_ptr<Core>>& cores, std::uint64_t seed) override {
    cores_ = static_cast<int>(cores.size());
    if (place_.slots == nullptr) {
      own_slots_ = std::make_unique<Slot<E>[]>(cores.size());
      place_.slots = own_slots_.get();
    }
    for (const auto& core : cores) {
      Slot<E>& slot = place_.slots[core->index];
      if (!own_slots_) std::construct_at((std::destroy_at(&slot), &slot));  // another run may have been there
      slot.random = Random(seed, name, core->index);
      slot.first_state = &place_.slots[0].own_state;
    }
    if (milled != nullptr && milled->parts == nullptr) {
      *milled->parts_found = place_.parts;
      *milled->slots_found = place_.slots;
    }
  }

  std::optional<std::string> initialize() override {
    ElementView<E> element(*this);
    if constexpr (requires { E::initialize(element); })
      return E::initialize(element);
    else
      return std::nullopt;
  }

  std::optional<std::string> start() override {
    ElementView<E> element(*this);
    if constexpr (requires { E::start(element); })
      return E::start(element);
    else
      return std::nullopt;
  }

  void cleanup() override {
    if (cores_ == 0) return;
    ElementView<E> element(*this);
    if constexpr (requires { E::cleanup(element); }) E::cleanup(element);
    if constexpr (requires(StateOf<E, Packet>& state) { E::drain(state); }) {
      for (int i = 0; i < cores_; ++i)
        while (Packet* packet = E::drain(place_.slots[i].own_state).release()) home->pool.free(packet);
    }
  }

  void drop_unconnected(Core& core, Batch& batch) override {
    for (int i = 0; i < batch.count; ++i)
      engine::drop_unconnected(place_.slots[core.index], core.pool, *batch.packets[i]);
  }

  [[nodiscard]] int first_core() const override {
    if constexpr (requires { E::first_core(place_.parts->parameters); })
      return E::first_core(place_.parts->parameters);
    else
      return 0;
  }
  [[nodiscard]] int task_count([[maybe_unused]] int cores) const override {
    if constexpr (kRuns) {
      const bool driven = input_is_pull.empty() ? !output_is_pull.empty() && !output_is_pull[0] : input_is_pull[0];
      if constexpr (requires { E::tasks(place_.parts->parameters, cores); })
        return driven || output_is_pull.empty() ? E::tasks(place_.parts->parameters, cores) : 0;
      else
        return driven || (output_is_pull.empty() && input_is_pull.empty()) ? 1 : 0;
    } else {
      return kProcesses && !kPulls && !input_is_pull.empty() && input_is_pull[0] && output_is_pull.empty() ? 1 : 0;
    }
  }
  [[nodiscard]] Ledger ledger() override {
    Ledger total;
    for (int i = 0; i < cores_; ++i) total += place_.slots[i].ledger;
    total.held = held();
    return total;
  }
  [[nodiscard]] std::uint64_t held() override {
    std::uint64_t total = 0;
    if constexpr (kStores) ElementView<E>(*this).for_each_state([&](const auto& state) { total += E::size(state); });
    return total;
  }
  [[nodiscard]] bool tells_empty() const override { return (kStores && kPulls) || kTellsReady; }
  [[nodiscard]] bool empty() override {
    if constexpr (kTellsReady)
      return !E::ready(ElementView<E>(*this));
    else
      return held() == 0;
  }
  [[nodiscard]] std::uint64_t capacity() override {
    if constexpr (kStores)
      return E::capacity(ElementView<E>(*this));
    else
      return 0;
  }
  [[nodiscard]] bool notes_full() const override {
    return requires { requires E::notes_full; };
  }
  [[nodiscard]] bool heeds_full() const override {
    return requires { requires E::heeds_full; };
  }
  [[nodiscard]] bool full() override { return notes_full() && held() >= capacity(); }

  [[nodiscard]] std::vector<DropCount> drops() const override {
    std::vector<DropCount> counts;
    for (const Reason& reason : drops_of<E>()) counts.push_back({reason.name, dropped(reason.index)});
    counts.push_back({"output_not_connected", dropped(Slot<E>::kUnconnected)});
    counts.push_back({"no_buffer", dropped(Slot<E>::kNoBuffer)});
    return counts;
  }
  [[nodiscard]] std::vector<Handler> handlers() override {
    std::vector<Handler> result;
    if constexpr (requires { E::handlers; })
      std::apply([&](const auto&... entry) { (add_handler(result, ElementView<E>(*this), entry), ...); }, E::handlers);
    return result;
  }
  [[nodiscard]] std::optional<Handler> other_handler([[maybe_unused]] std::string_view name) override {
    if constexpr (requires(ElementView<E>& element) { E::other_handler(element, name); })
      return bind_other<E>(ElementView<E>(*this), name);
    else
      return std::nullopt;
  }

 private:
  friend class ElementView<E>;
  template <class>
  friend class ElementView;
  template <class>
  friend class NodeOf;

  template <class... F>
  void add_fields(std::vector<FieldInfo>& fields, Fields<F...>) const {
    const auto add = [&]<class Field>(Field) {
      if constexpr (requires { E::template touches<Field>(place_.parts->parameters); })
        if (!E::template touches<Field>(place_.parts->parameters)) return;
      fields.push_back({ir::type_text<Field>(), Field::kAnnotation, sizeof(typename Field::Type)});
    };
    (add(F{}), ...);
  }

  [[nodiscard]] Configuration make_configuration(const Names& known, Diagnostics& diagnostics) {
    return {configuration,
            configuration_where,
            "While configuring '" + name + " :: " + std::string(E::info.name) + "'",
            {static_cast<int>(input_is_pull.size()), static_cast<int>(output_is_pull.size())},
            known,
            arena_,
            diagnostics};
  }

  void sleep_if_empty(int task) {
    if (upstream_stores.empty() || upstream_always_active) return;
    const auto empty = [](Node* store) { return store->empty(); };
    if (!std::all_of(upstream_stores.begin(), upstream_stores.end(), empty)) return;
    for (Node* store : upstream_stores) store->nonempty.expect();
    tasks[task]->sleep();
    // A packet may have come between the look and the sleep, and its waker may have found nobody asleep.
    if (!std::all_of(upstream_stores.begin(), upstream_stores.end(), empty)) tasks[task]->wake();
  }
  /// Whether the task has gone to sleep because a store that it pushes into is full.
  bool sleep_if_full(int task) {
    const auto full = [](Node* store) { return store->full(); };
    if (std::none_of(downstream_stores.begin(), downstream_stores.end(), full)) return false;
    for (Node* store : downstream_stores) store->nonfull.expect();
    tasks[task]->sleep();
    if (std::none_of(downstream_stores.begin(), downstream_stores.end(), full)) tasks[task]->wake();
    return true;
  }

  [[nodiscard]] std::uint64_t dropped(std::size_t reason) const {
    std::uint64_t total = 0;
    for (int i = 0; i < cores_; ++i) total += place_.slots[i].drops[reason];
    return total;
  }

  template <class Other>
  [[nodiscard]] NodeOf<Other>* find_upstream() {
    std::deque<Node*> queue{this};
    std::unordered_set<Node*> seen{this};
    while (!queue.empty()) {
      Node* node = queue.front();
      queue.pop_front();
      for (const auto& input : node->feeders)
        for (const Target& from : input) {
          if (auto* found = dynamic_cast<NodeOf<Other>*>(from.node)) return found;
          if (seen.insert(from.node).second) queue.push_back(from.node);
        }
    }
    return nullptr;
  }

  Arena arena_;
  Place<E> place_;
  std::unique_ptr<Parts<E>> own_parts_;  ///< where nobody has brought a place
  std::unique_ptr<Slot<E>[]> own_slots_;
  int cores_ = 0;
};

}  // namespace packetmill::engine
