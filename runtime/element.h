#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>

#include "runtime/fields.h"
#include "runtime/keyword.h"
#include "runtime/list.h"
#include "runtime/packet.h"

/// The element contract: what an element's header says, in the words that it says it in.
///
/// An element is a struct of constants, types and static functions. It never says how packets reach it; an engine (the
/// interpreter, or code that the mill writes) calls it packet by packet:
///
///   info         name, port counts, push/pull processing and flow, in Click's own codes
///   Parameters   what the configuration says; constant from then on; literal types only
///   keywords     how the configuration's arguments fill Parameters
///   Control      what handlers and tables write; read by `process`                                   (optional)
///   State        what `process` writes; one per core unless `scope` says otherwise                   (optional)
///   handlers     what may be read and written by name while it runs                                  (optional)
///   Reads/Writes the metadata fields that it touches; `template <class F> static bool touches(const Parameters&)` says
///                which of them it does not under the given parameters                              (optional)
///   drops        the reasons for which it drops packets                                              (optional)
///   process      Output process(auto& context, In in, auto& packet)
///
/// An element that does not live alone also has some of
///
///   Refusal check(auto& element)       what it wants of others and does not find, or cannot be told by its arguments
///                                      one by one; all are configured and connected, nothing is open, no State exists
///   Refusal initialize(auto& element)  opens files and devices, and prepares State
///   Refusal start(auto& element)       once all are initialized
///   void cleanup(auto& element)        at the end, whatever has been reached of these
///
/// Shapes beyond the plain kernel: an *emitter* also calls `context.emit(port, packet)`; a *store* keeps packets with
/// `context.hold(packet)`, gives them out in `pull`, and says how many it has (`size`) and can have (`capacity`); a *scheduler* has only `pull`; a *task* has `run`, and may have
/// `timer`. `docs/write-an-element.md` leads through each.
namespace packetmill {

/// What an element class is called and how it may be connected; the three codes are those of Click's element
/// documentation (see graph/element_class.h).
struct ElementInfo {
  std::string_view name;
  std::string_view ports = "1/1";
  std::string_view processing = "a/a";
  std::string_view flow = "x/x";
};

/// The input that a packet came in on.
struct In {
  int port = 0;
};

/// Why an element drops a packet. `index` is the reason's place in the element's `drops`.
struct Reason {
  std::uint8_t index;
  std::string_view name;  ///< as the drop reports print it: "ttl_expired"
};

/// What became of a packet.
struct Output {
  enum Fate : std::int16_t { dropped = -1, kept = -2, used_up = -3, gone_out = -4 };
  std::int16_t port;
  std::uint8_t reason = 0;
};
constexpr Output to(int port) { return {static_cast<std::int16_t>(port)}; }
constexpr Output drop(Reason reason) { return {Output::dropped, reason.index}; }
/// The element has taken the packet with `context.hold`.
constexpr Output held() { return {Output::kept}; }
/// The packet has done its work (a reply that was waited for, a datagram that left as fragments) and ends here.
constexpr Output consumed() { return {Output::used_up}; }
/// The packet has left the machine, or the program: it is counted as sent, and ends here.
constexpr Output sent() { return {Output::gone_out}; }

/// Whose a State is. per_core: every core has its own, handlers reduce. shared: one for all cores, with its own
/// synchronisation. pinned: one, and the element runs on one core only.
enum class Scope { per_core, shared, pinned };

/// `keywords`, `handlers` and `drops` are lists made by describe().
template <class... T>
constexpr auto describe(T... entries) {
  if constexpr ((std::is_same_v<T, Keyword> && ...) && sizeof...(T) > 0)
    return std::array<Keyword, sizeof...(T)>{entries...};
  else if constexpr ((std::is_same_v<T, Reason> && ...) && sizeof...(T) > 0)
    return std::array<Reason, sizeof...(T)>{entries...};
  else
    return std::tuple<T...>{entries...};
}

/// A handler's answer to a write: nothing when it is done, what is wrong otherwise.
using Refusal = std::optional<std::string>;

/// Handlers. `function` is called with the element as the control plane sees it (engine/element_view.h shows what that
/// offers: parameters(), control(), states(), dropped(reason), now(), ...). No core is in a burst while a handler runs.
template <class F>
struct ReadHandler {
  std::string_view name;
  F function;
  bool local = false;  ///< reaches beyond the router; see HandlerInfo
};
template <class F>
struct WriteHandler {
  std::string_view name;
  F function;
};

/// read("count", [](const auto& element) { return ...; }): a number, a bool, or text.
/// read("count", &State::count): the sum over all cores' states. read("active", &Control::active): a Control member.
template <class F>
constexpr ReadHandler<F> read(std::string_view name, F function) {
  return {name, function};
}
/// write("reset", [](auto& element, std::string_view text) -> Refusal { ... }), or a Control member by pointer, which
/// takes the same texts as a configuration argument of its type.
template <class F>
constexpr WriteHandler<F> write(std::string_view name, F function) {
  return {name, function};
}

/// One handler for each input or output of the element: for_each_output(read("pattern", ...)) makes pattern0, pattern1,
/// ...; the function gets the port's number after the element.
template <class H>
struct PortHandlers {
  H handler;
  bool of_inputs;
};
template <class H>
constexpr PortHandlers<H> for_each_input(H handler) {
  return {handler, true};
}
template <class H>
constexpr PortHandlers<H> for_each_output(H handler) {
  return {handler, false};
}

/// An element whose handlers are not all known by name beforehand (a Script's exported variables) also has
///   static std::optional<OtherHandler> other_handler(auto& element, std::string_view name);
///   static ControlPlane::Answer call_other(auto& element, std::string_view name, bool write, std::string_view text);
struct OtherHandler {
  bool readable = true;
  bool writable = false;
};

namespace detail {

struct Nothing {};

template <class E, class P>
struct StateType {
  using Type = Nothing;
};
template <class E, class P>
  requires requires { typename E::State; }
struct StateType<E, P> {
  using Type = typename E::State;
};
template <class E, class P>
  requires requires { typename E::template State<P>; }
struct StateType<E, P> {
  using Type = typename E::template State<P>;
};

template <class E>
struct ControlType {
  using Type = Nothing;
};
template <class E>
  requires requires { typename E::Control; }
struct ControlType<E> {
  using Type = typename E::Control;
};

template <class E>
struct ParametersType {
  using Type = Nothing;
};
template <class E>
  requires requires { typename E::Parameters; }
struct ParametersType<E> {
  using Type = typename E::Parameters;
};

template <class E>
struct ReadsOf {
  using Type = Fields<>;
};
template <class E>
  requires requires { typename E::Reads; }
struct ReadsOf<E> {
  using Type = typename E::Reads;
};
template <class E>
struct WritesOf {
  using Type = Fields<>;
};
template <class E>
  requires requires { typename E::Writes; }
struct WritesOf<E> {
  using Type = typename E::Writes;
};

}  // namespace detail

/// The parts of element E, with an empty type where it has none. A store's State is a template over the packet type P
/// of the plan it runs under.
template <class E>
using ParametersOf = typename detail::ParametersType<E>::Type;
template <class E>
using ControlOf = typename detail::ControlType<E>::Type;
template <class E, class P>
using StateOf = typename detail::StateType<E, P>::Type;

template <class E>
constexpr Scope scope_of() {
  if constexpr (requires { E::scope; })
    return E::scope;
  else
    return Scope::per_core;
}

template <class E>
constexpr auto drops_of() {
  if constexpr (requires { E::drops; })
    return E::drops;
  else
    return std::array<Reason, 0>{};
}

/// A packet as element E may see it: `get` compiles only for the fields that E declares to read or write, `set` only
/// for those that it declares to write. Costs nothing: it is a reference.
template <class E, class P>
class View {
 public:
  explicit View(P& packet) : packet_(packet) {}

  [[nodiscard]] std::uint8_t* data() const { return packet_.data(); }
  [[nodiscard]] std::uint32_t length() const { return packet_.length(); }
  [[nodiscard]] std::uint8_t* buffer() const { return packet_.buffer(); }
  [[nodiscard]] std::uint32_t headroom() const { return packet_.headroom(); }
  [[nodiscard]] std::uint32_t tailroom() const { return packet_.tailroom(); }
  template <class T>
  [[nodiscard]] T* header(std::uint32_t offset = 0) const {
    return packet_.template header<T>(offset);
  }
  void pull(std::uint32_t n) { packet_.pull(n); }
  void take(std::uint32_t n) { packet_.take(n); }
  [[nodiscard]] bool push(std::uint32_t n) { return packet_.push(n); }
  [[nodiscard]] bool put(std::uint32_t n) { return packet_.put(n); }

  template <class F>
  [[nodiscard]] typename F::Type get() const {
    static_assert(detail::ReadsOf<E>::Type::template has<F> || detail::WritesOf<E>::Type::template has<F>,
                  "the element reads a field that it declares neither in Reads nor in Writes");
    return packet_.template get<F>();
  }
  template <class F>
  void set(typename F::Type value) {
    static_assert(detail::WritesOf<E>::Type::template has<F>,
                  "the element writes a field that it does not declare in Writes");
    packet_.template set<F>(value);
  }

  /// Where the network and transport headers begin, as offsets into the frame's *data*; negative if stripped.
  template <class F>
  [[nodiscard]] std::int64_t offset_of() const {
    return static_cast<std::int64_t>(get<F>()) - headroom();
  }
  /// The header of type T at position field F (NetworkHeader, ...), or null where it is not set or not whole within the
  /// buffer's used part. Reaching in front of `data` is allowed: Strip leaves stripped headers readable, as in Click.
  template <class T, class F>
  [[nodiscard]] T* header_at() const {
    const std::uint32_t position = get<F>();
    if (position == 0 || position + sizeof(T) > headroom() + length()) return nullptr;
    return reinterpret_cast<T*>(buffer() + position);
  }
  /// Click's annotation area, for elements that declare AnnotationArea.
  [[nodiscard]] std::uint8_t* annotations() const {
    static_assert(detail::ReadsOf<E>::Type::template has<AnnotationArea> ||
                  detail::WritesOf<E>::Type::template has<AnnotationArea>);
    return packet_.annotations();
  }

  [[nodiscard]] P& underlying() const { return packet_; }

 private:
  P& packet_;
};

}  // namespace packetmill
