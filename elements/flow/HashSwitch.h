#pragma once

#include "runtime/effects.h"
#include "runtime/element.h"
#include "tables/hash.h"

namespace packetmill {

/// HashSwitch(OFFSET, LENGTH): sends packets that are alike in some bytes to the same output, and others evenly to all.
///
/// Ports:     1 push input, 1 or more push outputs.
/// Keywords:  OFFSET, LENGTH: the bytes that are hashed; at most 256. A packet that ends before them goes to output 0.
/// Example:   hosts :: HashSwitch(12, 4);  hosts[0] -> FlowIPManager -> FlowIPNAT(SIP 192.0.2.1) -> ...
/// See also:  RoundRobinSwitch
struct HashSwitch {
  static constexpr ElementInfo info{.name = "HashSwitch", .ports = "1/1-", .processing = "h/h"};

  struct Parameters {
    std::uint32_t offset = 0;
    std::uint32_t length = 0;
  };
  static constexpr auto keywords =
      describe(mandatory<&Parameters::offset>("OFFSET"), mandatory<&Parameters::length>("LENGTH"));

  static void configure(Configuration& configuration, Parameters& parameters) {
    if (parameters.length == 0 || parameters.length > kMost)
      configuration.error("LENGTH must be 1 to " + std::to_string(kMost));
  }
  static std::optional<Effects> effects(const auto&, int outputs) {
    if (outputs == 1) return Effects{};
    return std::nullopt;
  }

  static Output process(auto& context, In, auto& packet) {
    const auto& p = context.parameters();
    if (packet.length() < p.length || packet.length() - p.length < p.offset) return to(0);
    const std::uint8_t* bytes = packet.data() + p.offset;
    std::uint64_t hash = p.length;
    std::uint32_t left = p.length;
    for (; left >= kWord; left -= kWord, bytes += kWord) hash = take(hash, bytes, kWord);
    if (left > 0) hash = take(hash, bytes, left);
    return to(static_cast<int>(tables::scale_hash(hash, static_cast<std::uint32_t>(context.outputs()))));
  }

 private:
  static constexpr std::uint32_t kMost = 256;
  static constexpr std::uint32_t kWord = sizeof(std::uint64_t);

  static std::uint64_t take(std::uint64_t hash, const std::uint8_t* bytes, std::uint32_t count) {
    constexpr std::uint64_t kPi = 0x243f6a8885a308d3, kE = 0xb7e151628aed2a6b;  // as random as any digits
    std::uint64_t word = 0;
    std::memcpy(&word, bytes, count);
    return tables::mix(hash ^ word ^ kE, kPi);
  }
};

}  // namespace packetmill
