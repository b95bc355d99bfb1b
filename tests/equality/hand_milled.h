#pragma once

#include <array>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "runtime/element.h"
#include "runtime/ledger.h"
#include "runtime/pool.h"
#include "runtime/random.h"

/// What a milled binary has in place of the interpreter, written by hand and in small: parameters are constants,
/// control and state have static addresses, elements call each other directly, and a packet's metadata is just the
/// fields that the graph declares. The contract (runtime/element.h) is proven by elements that run under this and under
/// the interpreter and do the same, packet by packet.
namespace packetmill::milled {

/// One network function's run: its clock, its packets, and what came out.
struct Run {
  Timestamp now{Duration::seconds(1'000'000'000).nanoseconds};
  Ledger ledger;
  std::vector<std::pair<int, std::vector<std::uint8_t>>> out;  ///< port and frame, in order
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
    run.out.emplace_back(Port, std::vector<std::uint8_t>(packet->data(), packet->data() + packet->length()));
    ++run.ledger.sent;
    Packets<std::remove_pointer_t<decltype(packet)>>::free(packet);
  }
};

/// "element, input": where an output leads.
template <class Next, int Input = 0>
struct To {
  static void push(auto* packet) { Next::push(In{Input}, packet); }
};
/// An output that nothing is connected to.
struct Unconnected {
  static void push(auto* packet) {
    ++run.ledger.dropped;
    Packets<std::remove_pointer_t<decltype(packet)>>::free(packet);
  }
};

/// Element E of a milled graph. `Site` is what the emitter would write for it:
///   struct Site {
///     using Packet = PacketOf<...>;
///     static constexpr const char* name = "element";
///     static constexpr E::Parameters parameters{...};
///     using Outputs = std::tuple<To<...>, ...>;      and, on pull paths:
///     static Packet* pull(int input);
///   };
template <class E, class Site>
struct Element {
  using P = typename Site::Packet;
  using PacketView = View<E, P>;
  static constexpr std::size_t kReasons = drops_of<E>().size();
  static constexpr int kOutputs = static_cast<int>(std::tuple_size_v<typename Site::Outputs>);

  static inline ControlOf<E> control{};
  static inline StateOf<E, P> state{};
  static inline std::array<std::uint64_t, kReasons> drops{};
  static inline std::optional<Timestamp> timer;
  static inline Random random{1, Site::name, 0};

  /// The context of the contract: nothing in it, everything behind it is static.
  struct Context {
    static constexpr const ParametersOf<E>& parameters() { return Site::parameters; }
    static const ControlOf<E>& control() { return Element::control; }
    static StateOf<E, P>& state() { return Element::state; }
    static Timestamp now() { return run.now; }
    static constexpr int core() { return 0; }
    static constexpr int cores() { return 1; }
    static Random& random() { return Element::random; }
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
    static void drop(Owned<P> packet, Reason reason) {
      ++Element::drops[reason.index];
      ++run.ledger.dropped;
      Packets<P>::free(packet.release());
    }
    static void consume(Owned<P> packet) {
      ++run.ledger.consumed;
      Packets<P>::free(packet.release());
    }
    static Owned<P> pull(int input) { return Owned<P>(Site::pull(input)); }
    static void set_timer(Timestamp time) { Element::timer = time; }
    static void clear_timer() { Element::timer.reset(); }
    static bool timer_set() { return Element::timer.has_value(); }
    static void wake() {}
    static void sleep() {}
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
  static void fire() {
    if constexpr (requires(Context& context) { E::timer(context); }) {
      if (!timer || *timer > run.now) return;
      timer.reset();
      Context context;
      E::timer(context);
    }
  }

  /// The element as handlers see it.
  struct ControlView {
    using State = StateOf<E, P>;
    static constexpr const ParametersOf<E>& parameters() { return Site::parameters; }
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
    static constexpr int inputs() { return 1; }
    static constexpr int cores() { return 1; }
    static Timestamp now() { return run.now; }
    static void wake() {}
    static void sleep() {}
    static void set_timer(Timestamp time) { Element::timer = time; }
    static void clear_timer() { Element::timer.reset(); }
    static Context context() { return {}; }
  };

  /// Everything as at the start of a run.
  static void initialize() {
    if constexpr (requires { E::drain(state); })
      while (P* packet = E::drain(state).release()) Packets<P>::free(packet);
    std::destroy_at(&state);
    std::construct_at(&state);
    std::destroy_at(&control);
    std::construct_at(&control);
    drops = {};
    timer.reset();
    random = Random{1, Site::name, 0};
    ControlView view;
    if constexpr (requires { E::initialize(view); }) (void)E::initialize(view);
  }

  /// Writes a handler; what is wrong, if anything.
  static Refusal write(std::string_view handler, std::string_view value) {
    Refusal answer = "no such handler";
    std::apply([&](const auto&... entry) { (write_if(entry, handler, value, answer), ...); }, E::handlers);
    return answer;
  }

 private:
  static void forward(int port, P* packet) {
    const bool connected = [&]<std::size_t... I>(std::index_sequence<I...>) {
      return ((port == static_cast<int>(I) ? (std::tuple_element_t<I, typename Site::Outputs>::push(packet), true)
                                           : false) ||
              ...);
    }(std::make_index_sequence<static_cast<std::size_t>(kOutputs)>());
    if (!connected) Unconnected::push(packet);
  }
  template <class F>
  static void write_if(const ReadHandler<F>&, std::string_view, std::string_view, Refusal&) {}
  template <class F>
  static void write_if(const WriteHandler<F>& entry, std::string_view handler, std::string_view value,
                       Refusal& answer) {
    if (entry.name != handler) return;
    if constexpr (std::is_member_object_pointer_v<F>) {
      answer = parse(value, control.*entry.function, kNoNames);
    } else {
      ControlView view;
      answer = entry.function(view, value);
    }
  }
};

}  // namespace packetmill::milled
