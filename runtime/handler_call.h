#pragma once

#include <string>
#include <string_view>

#include "runtime/control_plane.h"
#include "runtime/values/parse.h"

namespace packetmill {

/// A write that an element is told to make: "counter.reset", or "switch.switch 1" with a value. A type of parameters.
struct HandlerCall {
  static constexpr std::string_view kTypeName = "handler call";
  Text handler;  ///< empty: none
  Text value;

  explicit operator bool() const { return !handler.empty(); }
  /// Makes the call for the element `caller`; what is wrong, where it fails.
  [[nodiscard]] ParseError call(ControlPlane& control_plane, std::string_view caller) const {
    const ControlPlane::Answer answer = control_plane.write(handler, value, caller);
    if (answer.ok) return {};
    return std::string(handler) + ": " + answer.text;
  }
  /// The same from an element's `process` or `run`; what is wrong goes to the user, since nobody else would hear it.
  void call(auto& context) const {
    if (const auto wrong = call(context.control_plane(), context.name()))
      context.message(std::string(context.name()) + ": " + *wrong);
  }
};

inline ParseError parse(std::string_view text, HandlerCall& out, const Names& names = kNoNames) {
  const std::size_t end = std::min(text.find_first_of(" \t\r\n"), text.size());
  const std::size_t value = std::min(text.find_first_not_of(" \t\r\n", end), text.size());
  if (end == 0) return "expected a handler";
  out = {keep_text(std::string(text.substr(0, end))), keep_text(std::string(text.substr(value)))};
  names.expect_write_handler(out.handler);
  return {};
}

}  // namespace packetmill
