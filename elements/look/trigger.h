#pragma once

#include "runtime/handler_call.h"

namespace packetmill {

/// "N HANDLER [VALUE]": a handler to be called when a count reaches N. Without a handler: nothing.
struct Trigger {
  static constexpr std::string_view kTypeName = "count and handler call";
  std::uint64_t n = 0;
  HandlerCall call;

  explicit operator bool() const { return static_cast<bool>(call); }
  /// Whether a count that went from `before` to `after` has reached N.
  [[nodiscard]] bool reached(std::uint64_t before, std::uint64_t after) const {
    return call && before < n && n <= after;
  }
};

inline ParseError parse(std::string_view text, Trigger& out, const Names& names = kNoNames) {
  if (text.empty()) return out = {}, std::nullopt;
  const std::size_t number = std::min(text.find_first_of(" \t\r\n"), text.size());
  const std::size_t handler = text.find_first_not_of(" \t\r\n", number);
  Trigger trigger;
  if (auto wrong = parse(text.substr(0, number), trigger.n)) return wrong;
  // INTERPRETATION: Click lets the handler be left out when the call is written by handler; then nothing is called.
  if (handler != std::string_view::npos)
    if (auto wrong = parse(text.substr(handler), trigger.call, names)) return wrong;
  out = trigger;
  return {};
}

}  // namespace packetmill
