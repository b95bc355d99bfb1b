#pragma once

#include <array>
#include <cstddef>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

/// The fields of a plain struct (an aggregate without bases): how many, their names and their values, as C++20 can tell
/// them. The mill needs them to write an element's parameters as C++ text, and elements need not list them twice.
namespace packetmill::ir {

/// The name of type T as the compiler writes it, which is also how generated code may write it.
template <class T>
constexpr std::string_view type_text() {
  constexpr std::string_view function = __PRETTY_FUNCTION__;  // "... type_text() [T = packetmill::Strip]"
  constexpr std::size_t start = function.find("[T = ") + 5;
  return function.substr(start, function.size() - start - 1);
}

namespace detail {

/// Converts to everything: as many of these as initialise a struct are its fields.
struct Anything {
  template <class T>
  operator T() const;  // NOLINT(google-explicit-constructor): that is its purpose
};

template <class T, std::size_t... I>
constexpr bool takes(std::index_sequence<I...>) {
  return requires { T{(static_cast<void>(I), Anything{})...}; };
}

/// Never made: only the addresses of its fields are asked for, at compile time.
template <class T>
union Specimen {
  constexpr Specimen() : nothing() {}
  constexpr ~Specimen() {}  // NOLINT(modernize-use-equals-default): a union of anything has none by default
  char nothing;
  T object;
};
template <class T>
inline Specimen<T> specimen;

template <auto* Field>
constexpr std::string_view field_text() {
  constexpr std::string_view function = __PRETTY_FUNCTION__;  // "... [Field = &specimen.object.multicast]"
  constexpr std::size_t start = function.rfind('.') + 1;
  return function.substr(start, function.size() - start - 1);
}

}  // namespace detail

inline constexpr std::size_t kMostFields = 20;

/// How many fields T has; 0 also where it has more than kMostFields.
template <class T, std::size_t N = kMostFields>
constexpr std::size_t field_count() {
  if constexpr (N == 0)
    return 0;
  else if constexpr (detail::takes<T>(std::make_index_sequence<N>()))
    return N == kMostFields && detail::takes<T>(std::make_index_sequence<N + 1>()) ? 0 : N;
  else
    return field_count<T, N - 1>();
}

/// References to the fields of `object`, in order.
template <class T>
constexpr auto fields(T& object) {
  constexpr std::size_t count = field_count<std::remove_const_t<T>>();
  // A structured binding has as many names as it has; C++26 will say this in one line.
  if constexpr (count == 0) {
    return std::tie();
  } else if constexpr (count == 1) {
    auto& [a] = object;
    return std::tie(a);
  } else if constexpr (count == 2) {
    auto& [a, b] = object;
    return std::tie(a, b);
  } else if constexpr (count == 3) {
    auto& [a, b, c] = object;
    return std::tie(a, b, c);
  } else if constexpr (count == 4) {
    auto& [a, b, c, d] = object;
    return std::tie(a, b, c, d);
  } else if constexpr (count == 5) {
    auto& [a, b, c, d, e] = object;
    return std::tie(a, b, c, d, e);
  } else if constexpr (count == 6) {
    auto& [a, b, c, d, e, f] = object;
    return std::tie(a, b, c, d, e, f);
  } else if constexpr (count == 7) {
    auto& [a, b, c, d, e, f, g] = object;
    return std::tie(a, b, c, d, e, f, g);
  } else if constexpr (count == 8) {
    auto& [a, b, c, d, e, f, g, h] = object;
    return std::tie(a, b, c, d, e, f, g, h);
  } else if constexpr (count == 9) {
    auto& [a, b, c, d, e, f, g, h, i] = object;
    return std::tie(a, b, c, d, e, f, g, h, i);
  } else if constexpr (count == 10) {
    auto& [a, b, c, d, e, f, g, h, i, j] = object;
    return std::tie(a, b, c, d, e, f, g, h, i, j);
  } else if constexpr (count == 11) {
    auto& [a, b, c, d, e, f, g, h, i, j, k] = object;
    return std::tie(a, b, c, d, e, f, g, h, i, j, k);
  } else if constexpr (count == 12) {
    auto& [a, b, c, d, e, f, g, h, i, j, k, l] = object;
    return std::tie(a, b, c, d, e, f, g, h, i, j, k, l);
  } else if constexpr (count == 13) {
    auto& [a, b, c, d, e, f, g, h, i, j, k, l, m] = object;
    return std::tie(a, b, c, d, e, f, g, h, i, j, k, l, m);
  } else if constexpr (count == 14) {
    auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n] = object;
    return std::tie(a, b, c, d, e, f, g, h, i, j, k, l, m, n);
  } else if constexpr (count == 15) {
    auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o] = object;
    return std::tie(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o);
  } else if constexpr (count == 16) {
    auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p] = object;
    return std::tie(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p);
  } else if constexpr (count == 17) {
    auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q] = object;
    return std::tie(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q);
  } else if constexpr (count == 18) {
    auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r] = object;
    return std::tie(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r);
  } else if constexpr (count == 19) {
    auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s] = object;
    return std::tie(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s);
  } else {
    auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t] = object;
    return std::tie(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t);
  }
}

/// The type of field `Index`.
template <class T, std::size_t Index>
using FieldType = std::remove_cvref_t<std::tuple_element_t<Index, decltype(fields(std::declval<T&>()))>>;

/// The name of field `Index`.
template <class T, std::size_t Index>
constexpr std::string_view field_name() {
  return detail::field_text<&std::get<Index>(fields(detail::specimen<T>.object))>();
}

}  // namespace packetmill::ir
