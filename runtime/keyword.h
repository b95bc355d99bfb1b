#pragma once

#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "graph/diagnostic.h"
#include "graph/passes/codes.h"
#include "runtime/arguments/split.h"
#include "runtime/list.h"
#include "runtime/values/parse.h"

namespace packetmill {

/// Keeps what parameters point to, for as long as the element lives.
class Arena {
 public:
  Text keep(std::string text) { return texts_.emplace_back(std::move(text)); }

  template <class T>
  List<T> keep(std::vector<T> items) {
    auto kept = std::make_shared<std::vector<T>>(std::move(items));
    arrays_.push_back(kept);
    return {kept->data(), kept->size()};
  }

 private:
  std::deque<std::string> texts_;
  std::vector<std::shared_ptr<void>> arrays_;
};

/// Tells the types of erased objects apart.
template <class T>
inline constexpr char kTypeTag = 0;
template <class T>
constexpr const void* type_tag() {
  return &kTypeTag<T>;
}

/// One argument of an element class: its name, its place, and how its text becomes a member of Parameters, or of
/// Control where handlers may change it later.
struct Keyword {
  using Parse = ParseError (*)(std::string_view text, void* object, const Names& names);

  const void* object = nullptr;  ///< type_tag of the struct (Parameters or Control) that the argument fills
  std::string_view name;
  std::string_view type;
  bool positional = false;
  bool mandatory = false;
  Parse parse = nullptr;
};

template <class T>
struct TypeOfOptional {
  using Type = T;
};
template <class T>
struct TypeOfOptional<std::optional<T>> {
  using Type = T;
};

/// What an argument's type is called in the element reference.
template <class Argument>
constexpr std::string_view type_name() {
  using T = typename TypeOfOptional<Argument>::Type;
  if constexpr (std::is_same_v<T, bool>)
    return "bool";
  else if constexpr (std::is_same_v<T, IPv4Address>)
    return "IPv4 address";
  else if constexpr (std::is_same_v<T, IPv4Prefix>)
    return "IPv4 prefix";
  else if constexpr (std::is_same_v<T, IPv6Address>)
    return "IPv6 address";
  else if constexpr (std::is_same_v<T, IPv6Prefix>)
    return "IPv6 prefix";
  else if constexpr (std::is_same_v<T, EthernetAddress>)
    return "Ethernet address";
  else if constexpr (std::is_same_v<T, Duration>)
    return "time span";
  else if constexpr (std::is_same_v<T, Timestamp>)
    return "time";
  else if constexpr (std::is_same_v<T, Bandwidth>)
    return "bandwidth";
  else if constexpr (std::is_same_v<T, ByteCount>)
    return "bytes";
  else if constexpr (std::is_same_v<T, Text>)
    return "text";
  else if constexpr (std::is_same_v<T, FileName>)
    return "file name";
  else if constexpr (std::is_same_v<T, Annotation>)
    return "annotation";
  else if constexpr (std::is_same_v<T, IPProtocol>)
    return "IP protocol";
  else if constexpr (std::is_same_v<T, TcpPort>)
    return "TCP port";
  else if constexpr (std::is_same_v<T, UdpPort>)
    return "UDP port";
  else if constexpr (requires { T::kOne; })
    return "number";
  else if constexpr (std::is_integral_v<T>)
    return std::is_signed_v<T> ? "integer" : "unsigned";
  else
    return T::kTypeName;
}

namespace detail {

template <class M>
struct MemberPointer;
template <class C, class T>
struct MemberPointer<T C::*> {
  using Class = C;
  using Type = T;
};

template <auto Member>
ParseError parse_member(std::string_view text, void* object, const Names& names) {
  using M = MemberPointer<decltype(Member)>;
  return parse(text, static_cast<typename M::Class*>(object)->*Member, names);
}

template <auto Member>
constexpr Keyword make_keyword(std::string_view name, bool positional, bool mandatory) {
  using M = MemberPointer<decltype(Member)>;
  return {type_tag<typename M::Class>(), name, type_name<typename M::Type>(), positional, mandatory,
          &parse_member<Member>};
}

}  // namespace detail

/// An optional argument, by name only: `EtherEncap(..., MULTICAST false)`.
template <auto Member>
constexpr Keyword keyword(std::string_view name) {
  return detail::make_keyword<Member>(name, false, false);
}
/// A mandatory argument, by name only.
template <auto Member>
constexpr Keyword mandatory_keyword(std::string_view name) {
  return detail::make_keyword<Member>(name, false, true);
}
/// An optional argument, by place or by name.
template <auto Member>
constexpr Keyword positional(std::string_view name) {
  return detail::make_keyword<Member>(name, true, false);
}
/// A mandatory argument, by place or by name.
template <auto Member>
constexpr Keyword mandatory(std::string_view name) {
  return detail::make_keyword<Member>(name, true, true);
}

/// An element's arguments while they become its Parameters. Elements whose arguments are more than a list of keywords
/// (patterns, routes, rewriting rules) have
///   static void configure(Configuration& configuration, Parameters& parameters);
/// which sees the arguments that no keyword took.
class Configuration {
 public:
  Configuration(const std::string& text, Location where, std::string element, PortCounts ports, const Names& names,
                Arena& arena, Diagnostics& diagnostics);

  /// An object that keywords may fill.
  struct Object {
    const void* tag;
    void* address;
  };
  /// Fills `objects` from the arguments that `keywords` name, after the rules of Click's Args: an argument whose first
  /// word is a keyword is that keyword's; others fill the positional ones in order.
  void take(const Keyword* keywords, std::size_t count, std::initializer_list<Object> objects);
  /// Reports every argument that is left.
  void finish();

  /// For elements whose other arguments begin in lower case: reports the arguments that are left and begin with a word in
  /// capitals, as keywords do, before a value.
  void refuse_unknown_keywords();

  /// The arguments that nobody has taken yet, in order. Taking them is the caller's promise that it looks at each.
  [[nodiscard]] std::vector<Argument> take_rest();

  void error(std::string message, std::string hint = {}) { error_at(where_, std::move(message), std::move(hint)); }
  void error(const Argument& argument, std::string message, std::string hint = {}) {
    error_at(argument.where, std::move(message), std::move(hint));
  }
  void warning(const Argument& argument, std::string message) {
    diagnostics_.warning(argument.where, std::move(message), {}, element_);
  }

  /// How the element is connected: arguments may name ports.
  [[nodiscard]] int inputs() const { return ports_.inputs; }
  [[nodiscard]] int outputs() const { return ports_.outputs; }
  [[nodiscard]] const Names& names() const { return names_; }
  [[nodiscard]] Arena& arena() { return arena_; }

 private:
  struct Pending {
    Argument argument;
    std::size_t word = 0;  ///< length of the leading word that may be a keyword; 0: positional
    enum { open, taken_by_place, taken_by_name } state = open;
  };
  void error_at(const Location& where, std::string message, std::string hint);
  void unknown_keyword(const Pending& pending);

  std::vector<Pending> pending_;
  std::vector<std::string_view> known_;  ///< keywords seen by take(), for hints
  Location where_;
  std::string element_;
  PortCounts ports_;
  const Names& names_;
  Arena& arena_;
  Diagnostics& diagnostics_;
};

}  // namespace packetmill
