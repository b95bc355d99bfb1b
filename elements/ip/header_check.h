#pragma once

#include <array>
#include <string>

#include "runtime/control_plane.h"
#include "runtime/element.h"

/// What CheckIPHeader, CheckTCPHeader, CheckUDPHeader and CheckICMPHeader have in common: they count the good and, by
/// reason, the bad, tell the user of the first bad packet (VERBOSE: of each), and give bad ones to output 1.
namespace packetmill {

struct HeaderCheckParameters {
  bool verbose = false;
  bool details = false;
  bool checksum = true;
};

template <std::size_t Reasons>
struct HeaderCheckState {
  std::uint64_t count = 0;
  std::array<std::uint64_t, Reasons> bad{};

  [[nodiscard]] std::uint64_t bad_packets() const {
    std::uint64_t total = 0;
    for (const std::uint64_t n : bad) total += n;
    return total;
  }
};

/// The fate of a packet that element E finds bad. Out of line: the good path stays small.
template <class E>
[[gnu::noinline]] Output refuse(auto& context, Reason reason) {
  auto& state = context.state();
  // INTERPRETATION: with several cores, each tells of the first that it meets.
  if (context.parameters().verbose || state.bad_packets() == 0) {
    context.message(std::string(context.name()) + ": " + std::string(E::subject) +
                    " header check failed: " + std::string(E::texts[reason.index]));
  }
  ++state.bad[reason.index];
  return context.connected(1) ? to(1) : drop(reason);
}

/// The handlers count, drops and drop_details of element E.
template <class E>
constexpr auto header_check_handlers() {
  return describe(read("count",
                       [](const auto& element) {
                         std::uint64_t total = 0;
                         element.for_each_state([&](const auto& state) { total += state.count; });
                         return total;
                       }),
                  read("drops",
                       [](const auto& element) {
                         std::uint64_t total = 0;
                         element.for_each_state([&](const auto& state) { total += state.bad_packets(); });
                         return total;
                       }),
                  read("drop_details", [](const auto& element, std::string_view) -> ControlPlane::Answer {
                    if (!element.parameters().details)
                      return {false, "no '" + std::string(element.name()) + ".drop_details' handler without DETAILS"};
                    std::string text;
                    for (const Reason& reason : E::drops) {
                      std::uint64_t total = 0;
                      element.for_each_state([&](const auto& state) { total += state.bad[reason.index]; });
                      text += std::to_string(total) + "\t" + std::string(E::texts[reason.index]) + "\n";
                    }
                    return {true, text};
                  }));
}

}  // namespace packetmill
