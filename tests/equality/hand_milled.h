#pragma once

#include <array>
#include <cassert>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "ir/decision_graph.h"
#include "runtime/element.h"
#include "runtime/ledger.h"
#include "runtime/pool.h"
#include "runtime/random.h"
#include "tests/equality/milled_handlers.h"
#include "tests/equality/seen.h"

/// What a milled binary has in place of the interpreter, written by hand and in small: parameters are constants,
/// control and state have static addresses, elements call each other directly, and a packet's metadata is just the
/// fields that the graph declares. The contract (runtime/element.h) is proven by elements that run under this and under
/// the interpreter and do the same, packet by packet.
namespace packetmill::milled {

/// One network function's run: its clock, its packets, and what came out.
struct Run {
  Timestamp now{Duration::seconds(1'000'000'000).nanoseconds};
  Ledger ledger;
  std::vector<std::pair<int, testing::Seen>> out;  ///< port and packet, in order
};

/// The one run of this program. Every network function of a milled binary is static; tests reset it.
inline Run run;

/// Where the frame's buffer comes from and goes to. `P` is the milled packet: fields of the graph, nothing else.
template <class P>
struct Packets {
  static P* make(std::uint32_t length, std::uint32_t headroom) {
    auto* packet = new P();
    const std::uint32_t capacity = headroom + length + kTailroom;
    packet->set_frame(new std::uint8_t[capacity](), capacity, headroom, length);
    return packet;
  }
  /// A packet of the same metadata around a new frame.
  static P* make_like(const P& from, std::uint32_t length, std::uint32_t headroom) {
    P* packet = make(length, headroom);
    const Frame frame = *packet;
    *packet = from;
    static_cast<Frame&>(*packet) = frame;
    return packet;
  }
  static P* copy(const P& from) {
    auto* packet = new P(from);
    auto* buffer = new std::uint8_t[from.capacity()];
    std::memcpy(buffer, from.buffer(), from.capacity());
    packet->set_frame(buffer, from.capacity(), from.headroom(), from.length());
    return packet;
  }
  static void free(P* packet) {
    delete[] packet->buffer();
    delete packet;
  }
};

/// A place where packets leave the network function.
template <int Port>
struct Out {
  static void push(In, auto* packet) {
    run.out.emplace_back(Port, testing::see(*packet));
    ++run.ledger.sent;
    Packets<std::remove_pointer_t<decltype(packet)>>::free(packet);
  }
};

/// "element, port": where an output leads, and where a pull input takes from.
template <class Next, int Input = 0>
struct To {
  static void push(auto* packet) { Next::push(In{Input}, packet); }
};
template <class Before, int Output = 0>
struct From {
  static auto* pull() { return Before::pull(Output); }
};
/// A pull output: packets are taken there, none is pushed.
struct Pulled {
  static void push(auto*) { assert(false); }
};

/// Element E of a milled graph. `Site` is what the emitter would write for it:
///   struct Site {
///     using Packet = PacketOf<...>;
///     static constexpr const char* name = "element";
///     static constexpr E::Parameters parameters{...};      where E has any
///     static constexpr E::Control control{...};            where the configuration says more than the defaults
///     using Outputs = std::tuple<To<...>, Pulled, ...>;    further ones are not connected
///     using Inputs = std::tuple<From<...>, ...>;           pull inputs
///     static constexpr int inputs = ...;                   push inputs, where there is not one
///   };
template <class E, class Site>
struct Element {
  using Class = E;
  using P = typename Site::Packet;
  using PacketView = View<E, P>;
  static constexpr std::string_view kName = Site::name;
  static constexpr std::size_t kReasons = drops_of<E>().size();
  static constexpr std::size_t kUnconnected = kReasons;  ///< dropped, because nothing is connected to the output
  static constexpr int kOutputs = static_cast<int>(std::tuple_size_v<typename Site::Outputs>);
  static constexpr int kInputs = [] {
    if constexpr (requires { typename Site::Inputs; })
      return static_cast<int>(std::tuple_size_v<typename Site::Inputs>);
    else if constexpr (requires { Site::inputs; })
      return Site::inputs;
    else
      return 1;
  }();

  static inline ControlOf<E> control{};
  static inline StateOf<E, P> state{};
  static inline std::array<std::uint64_t, kReasons + 1> drops{};
  static inline std::optional<Timestamp> timer;
  static inline Random random{1, Site::name, 0};

  static constexpr const ParametersOf<E>& parameters() {
    if constexpr (requires { Site::parameters; })
      return Site::parameters;
    else
      return kNoParameters;
  }

  /// The context of the contract: nothing in it, everything behind it is static.
  struct Context {
    struct Code {};  ///< no hook has written any
    static constexpr bool trusts_nic = false;
    static constexpr const ParametersOf<E>& parameters() { return Element::parameters(); }
    static const ControlOf<E>& control() { return Element::control; }
    static StateOf<E, P>& state() { return Element::state; }
    static Timestamp now() { return run.now; }
    static constexpr int core() { return 0; }
    static constexpr int cores() { return 1; }
    static Random& random() { return Element::random; }
    static constexpr int inputs() { return kInputs; }
    static constexpr int outputs() { return kOutputs; }
    static constexpr bool connected(int output) { return output < kOutputs; }
    static PacketView view(Owned<P>& packet) { return PacketView(*packet); }
    static void emit(int port, Owned<P> packet) { forward(port, packet.release()); }
    static Owned<P> hold(PacketView& packet) { return Owned<P>(&packet.underlying()); }
    static Owned<P> clone(const PacketView& packet) {
      ++run.ledger.cloned;
      return Owned<P>(Packets<P>::copy(packet.underlying()));
    }
    static Owned<P> generate(std::uint32_t length, std::uint32_t headroom = kHeadroom) {
      ++run.ledger.generated;
      return Owned<P>(Packets<P>::make(length, headroom));
    }
    static Owned<P> generate_like(const PacketView& packet, std::uint32_t length, std::uint32_t headroom = kHeadroom) {
      ++run.ledger.generated;
      return Owned<P>(Packets<P>::make_like(packet.underlying(), length, headroom));
    }
    static void drop(Owned<P> packet, Reason reason) {
      ++Element::drops[reason.index];
      ++run.ledger.dropped;
      Packets<P>::free(packet.release());
    }
    static void consume(Owned<P> packet) {
      ++run.ledger.consumed;
      Packets<P>::free(packet.release());
    }
    static Owned<P> pull(int input) {
      P* packet = nullptr;
      [&]<std::size_t... I>(std::index_sequence<I...>) {
        ((input == static_cast<int>(I) ? void(packet = std::tuple_element_t<I, typename Site::Inputs>::pull())
                                       : void()),
         ...);
      }(std::make_index_sequence<static_cast<std::size_t>(kInputs)>());
      return Owned<P>(packet);
    }
    static void set_timer(Timestamp time) { Element::timer = time; }
    static void clear_timer() { Element::timer.reset(); }
    static bool timer_set() { return Element::timer.has_value(); }
    // Tasks here are asked until none has work (Graph::settle): sleeping is the scheduler's matter, not the element's.
    static void wake() {}
    static void sleep() {}
    static int decide(const ir::DecisionGraph& graph, auto&& bytes_from) { return ir::evaluate(graph, bytes_from); }
    static void message(std::string_view) {}
    static constexpr std::string_view name() { return Site::name; }
  };

  static void push(In in, P* packet) {
    Context context;
    PacketView view(*packet);
    const Output output = E::process(context, in, view);
    switch (output.port) {
      case Output::dropped:
        context.drop(Owned<P>(packet), Reason{output.reason, {}});
        break;
      case Output::used_up:
        context.consume(Owned<P>(packet));
        break;
      case Output::kept:
        break;
      default:
        forward(output.port, packet);
    }
  }
  static P* pull(int port) {
    Context context;
    return E::pull(context, port).release();
  }
  /// One turn of the element's task; whether there was work.
  static bool take_turn() {
    if constexpr (requires(Context& context) { E::run(context); }) {
      Context context;
      return E::run(context);
    } else {
      return false;
    }
  }
  static void fire() {
    timer.reset();
    if constexpr (requires(Context& context) { E::timer(context); }) {
      Context context;
      E::timer(context);
    }
  }
  static std::uint64_t held() {
    if constexpr (requires { E::size(state); })
      return E::size(state);
    else
      return 0;
  }

  /// The element as handlers see it.
  struct ControlView {
    using State = StateOf<E, P>;
    static constexpr const ParametersOf<E>& parameters() { return Element::parameters(); }
    static ControlOf<E>& control() { return Element::control; }
    static State& state() { return Element::state; }
    template <class F>
    static void for_each_state(F function) {
      function(Element::state);
    }
    template <class T, class S>
    static T sum(T S::* member) {
      return Element::state.*member;
    }
    static std::uint64_t dropped(Reason reason) { return Element::drops[reason.index]; }
    static std::uint64_t dropped() {
      std::uint64_t total = 0;
      for (const std::uint64_t count : Element::drops) total += count;
      return total;
    }
    static void drop(Owned<P> packet, Reason reason) { Context::drop(std::move(packet), reason); }
    static constexpr std::string_view name() { return Site::name; }
    static const Names& names() { return kNoNames; }
    static constexpr int outputs() { return kOutputs; }
    static constexpr int inputs() { return kInputs; }
    static constexpr int cores() { return 1; }
    static Timestamp now() { return run.now; }
    static void wake() {}
    static void sleep() {}
    static void reserve(std::size_t) {}
    static void set_timer(Timestamp time) { Element::timer = time; }
    static void clear_timer() { Element::timer.reset(); }
    static Context context() { return {}; }
  };

  /// The end of a run: packets in store are given back.
  static void cleanup() {
    if constexpr (requires { E::drain(state); })
      while (P* packet = E::drain(state).release()) Packets<P>::free(packet);
  }
  /// Everything as at the start of a run.
  static void initialize() {
    std::destroy_at(&state);
    std::construct_at(&state);
    std::destroy_at(&control);
    if constexpr (requires { Site::control; })
      std::construct_at(&control, Site::control);
    else
      std::construct_at(&control);
    drops = {};
    timer.reset();
    random = Random{1, Site::name, 0};
    ControlView view;
    if constexpr (requires { E::initialize(view); }) (void)E::initialize(view);
  }

 private:
  static constexpr ParametersOf<E> kNoParameters{};

  static void forward(int port, P* packet) {
    const bool connected = [&]<std::size_t... I>(std::index_sequence<I...>) {
      return ((port == static_cast<int>(I) ? (std::tuple_element_t<I, typename Site::Outputs>::push(packet), true)
                                           : false) ||
              ...);
    }(std::make_index_sequence<static_cast<std::size_t>(kOutputs)>());
    if (connected) return;
    ++drops[kUnconnected];
    ++run.ledger.dropped;
    Packets<P>::free(packet);
  }
};

/// A whole milled graph: where its packets come in (a tuple of To), and its elements, tasks in the order of their
/// turns.
template <class Inputs, class... Elements>
struct Graph {
  using P = typename std::tuple_element_t<0, std::tuple<Elements...>>::P;

  static std::vector<std::string> names() { return {std::string(Elements::kName)...}; }
  static void initialize() {
    run = {};
    (Elements::initialize(), ...);
  }
  static void cleanup() { (Elements::cleanup(), ...); }
  static void push(int port, auto* packet) {
    [&]<std::size_t... I>(std::index_sequence<I...>) {
      ((port == static_cast<int>(I) ? std::tuple_element_t<I, Inputs>::push(packet) : void()), ...);
    }(std::make_index_sequence<std::tuple_size_v<Inputs>>());
  }
  /// Runs tasks while one has work, and what falls due up to `end`, timers one after the other at their times.
  static void settle(Timestamp end) {
    for (;;) {
      while ((Elements::take_turn() | ...)) {
      }
      std::optional<Timestamp> next;
      void (*fire)() = nullptr;
      const auto look = [&](const std::optional<Timestamp>& timer, void (*function)()) {
        if (timer && *timer <= end && (!next || *timer < *next)) next = timer, fire = function;
      };
      (look(Elements::timer, &Elements::fire), ...);
      if (!next) break;
      run.now = std::max(run.now, *next);
      fire();
    }
    run.now = end;
  }
  static Ledger ledger() {
    Ledger total = run.ledger;
    total.held = (Elements::held() + ... + std::uint64_t{0});
    return total;
  }
  /// "element.reason" -> packets.
  static std::map<std::string, std::uint64_t> drops() {
    std::map<std::string, std::uint64_t> counts;
    (add_drops<Elements>(counts), ...);
    return counts;
  }
  /// "element.handler" -> what answers.
  static Handlers handlers() {
    Handlers all;
    (add_handlers<typename Elements::Class, typename Elements::ControlView>(all), ...);
    return all;
  }

 private:
  template <class E>
  static void add_drops(std::map<std::string, std::uint64_t>& counts) {
    const std::string prefix = std::string(E::kName) + ".";
    for (const Reason& reason : drops_of<typename E::Class>())
      counts[prefix + std::string(reason.name)] = E::drops[reason.index];
    counts[prefix + "output_not_connected"] = E::drops[E::kUnconnected];
    counts[prefix + "no_buffer"] = 0;  // buffers come from the heap here
  }
};

/// A graph of one element.
template <class E>
using Alone = Graph<std::tuple<To<E>>, E>;

}  // namespace packetmill::milled
