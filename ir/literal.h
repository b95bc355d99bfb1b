#pragma once

#include <array>
#include <cstdio>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>

#include "ir/reflect.h"
#include "runtime/list.h"
#include "runtime/values/address.h"

/// Values as C++ text. What a configuration says reaches generated code here and nowhere else, and only as literals of
/// the types that the elements declare: no text of a configuration is ever written as code.
namespace packetmill::ir {

namespace detail {

template <class T>
constexpr bool is_optional = false;
template <class T>
constexpr bool is_optional<std::optional<T>> = true;
template <class T>
constexpr bool is_list = false;
template <class T>
constexpr bool is_list<List<T>> = true;
template <class T>
constexpr bool is_array = false;
template <class T, std::size_t N>
constexpr bool is_array<std::array<T, N>> = true;

template <class T, std::size_t... I>
constexpr bool all_fields_written(std::index_sequence<I...>);

}  // namespace detail

/// Whether values of T can be written: numbers, enumerators, texts, lists, and plain structs of them. What owns memory
/// (a std::string, a std::vector) or has private parts cannot; an element with such parameters keeps them in memory.
template <class T>
constexpr bool has_literal() {
  if constexpr (std::is_arithmetic_v<T> || std::is_enum_v<T> || std::is_same_v<T, Text> ||
                std::is_same_v<T, IPv4Address>)
    return true;
  else if constexpr (detail::is_optional<T> || detail::is_array<T>)
    return has_literal<typename T::value_type>();
  else if constexpr (detail::is_list<T>)
    return has_literal<std::remove_cvref_t<decltype(*T().items)>>();
  else if constexpr (std::is_aggregate_v<T> && std::is_trivially_destructible_v<T>)
    return std::is_empty_v<T> ||
           (field_count<T>() > 0 && detail::all_fields_written<T>(std::make_index_sequence<field_count<T>()>()));
  else
    return false;
}

template <class T, std::size_t... I>
constexpr bool detail::all_fields_written(std::index_sequence<I...>) {
  return (has_literal<FieldType<T, I>>() && ...);
}

/// "..." with every byte that is not plainly harmless as an octal escape, which always ends after three digits.
inline std::string text_literal(std::string_view text) {
  constexpr std::string_view harmless = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 _-.,:;()/+*=@";
  std::string literal = "\"";
  for (const char c : text) {
    if (harmless.find(c) != std::string_view::npos) {
      literal += c;
      continue;
    }
    const auto byte = static_cast<unsigned char>(c);
    literal += {'\\', static_cast<char>('0' + (byte >> 6U)), static_cast<char>('0' + (byte >> 3U & 7U)),
                static_cast<char>('0' + (byte & 7U))};
  }
  return literal + '"';
}

/// Writes literals, and the arrays that they point to.
class LiteralWriter {
 public:
  /// `value` as an initializer. Lists become arrays in `arrays()`, which must stand before it.
  template <class T>
    requires(has_literal<T>())
  std::string write(const T& value) {
    if constexpr (std::is_same_v<T, bool>) {
      return value ? "true" : "false";
    } else if constexpr (std::is_enum_v<T>) {
      return "static_cast<" + std::string(type_text<T>()) + ">(" +
             write(static_cast<std::underlying_type_t<T>>(value)) + ")";
    } else if constexpr (std::is_integral_v<T>) {
      return write_integer(value);
    } else if constexpr (std::is_floating_point_v<T>) {
      char text[64];
      (void)std::snprintf(text, sizeof text, "%a", static_cast<double>(value));
      return text;
    } else if constexpr (std::is_same_v<T, Text>) {
      return "std::string_view(" + text_literal(value) + ", " + std::to_string(value.size()) + ")";
    } else if constexpr (std::is_same_v<T, IPv4Address>) {
      // Packed: no reference to its member may be had. The bytes as they stand in "10.0.0.1".
      char text[64];
      (void)std::snprintf(text, sizeof text, "packetmill::IPv4Address::from_host(0x%08xU)", value.host());
      return text;
    } else if constexpr (detail::is_optional<T>) {
      return value ? std::string(type_text<T>()) + "(" + typed(*value) + ")" : "std::nullopt";
    } else if constexpr (detail::is_array<T>) {
      return std::string(type_text<T>()) + "{" + items(value) + "}";
    } else if constexpr (detail::is_list<T>) {
      return write_list(value);
    } else {
      return "{" + designated(value, std::make_index_sequence<field_count<T>()>()) + "}";
    }
  }

  /// The definitions of all arrays so far, a line each.
  [[nodiscard]] const std::string& arrays() const { return arrays_; }

 private:
  template <class T>
  std::string write_integer(T value) {
    if constexpr (std::is_unsigned_v<T>)
      return std::to_string(value) + (sizeof(T) == 8 ? "ULL" : sizeof(T) == 4 ? "U" : "");
    else if (value == std::numeric_limits<T>::min() && sizeof(T) >= 4)  // C++ has no negative literals
      return "(" + std::to_string(value + 1) + (sizeof(T) == 8 ? "LL" : "") + " - 1)";
    else
      return std::to_string(value) + (sizeof(T) == 8 ? "LL" : "");
  }
  template <class T>
  std::string typed(const T& value) {
    std::string text = write(value);
    return text.starts_with('{') ? std::string(type_text<T>()) + text : text;
  }
  template <class Items>
  std::string items(const Items& values) {
    std::string text;
    for (const auto& value : values) text += (text.empty() ? "" : ", ") + typed(value);
    return text;
  }
  template <class T>
  std::string write_list(const List<T>& list) {
    if (list.empty()) return "{}";
    const std::string values = items(list);  // first: they may have lists of their own
    const std::string name = "list" + std::to_string(++count_);
    arrays_ += "  static constexpr " + std::string(type_text<T>()) + " " + name + "[] = {" + values + "};\n";
    return "{" + name + ", " + std::to_string(list.size()) + "}";
  }
  /// Only the fields that are not as T{} has them: what the configuration said.
  template <class T, std::size_t... I>
  std::string designated(const T& value, std::index_sequence<I...>) {
    const T defaults{};
    std::string text;
    const auto add = [&](std::string_view name, const auto& field, const auto& usual) {
      if (LiteralWriter().write(field) == LiteralWriter().write(usual)) return;
      text += (text.empty() ? "." : ", .") + std::string(name) + " = " + write(field);
    };
    (add(field_name<T, I>(), std::get<I>(fields(value)), std::get<I>(fields(defaults))), ...);
    return text;
  }

  std::string arrays_;
  int count_ = 0;
};

}  // namespace packetmill::ir
