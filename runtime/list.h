#pragma once

#include <cstddef>
#include <string_view>

namespace packetmill {

/// A view over an array that somebody else keeps: the configuration's arena in the interpreter, a `constexpr` array
/// that the emitter wrote in a milled binary. A literal type, so that element parameters may hold it.
template <class T>
struct List {
  const T* items = nullptr;
  std::size_t count = 0;

  [[nodiscard]] constexpr const T* begin() const { return items; }
  [[nodiscard]] constexpr const T* end() const { return items + count; }
  [[nodiscard]] constexpr std::size_t size() const { return count; }
  [[nodiscard]] constexpr bool empty() const { return count == 0; }
  constexpr const T& operator[](std::size_t i) const { return items[i]; }
};

/// Text in parameters: a view, for the same reason.
using Text = std::string_view;

}  // namespace packetmill
