#pragma once

#include <algorithm>
#include <vector>

#include "runtime/element.h"
#include "runtime/random.h"
#include "tables/huge_pages.h"

namespace packetmill {

/// WorkPackage: makes CPU and memory load: generates random numbers, then reads memory at random places.
///
/// Ports:     any number of inputs, as many outputs (push): what comes in on input n goes out on output n.
/// Keywords:  S: the size of the array, in units of 2^20 bytes; each core has one of its own. 0: none, and no accesses
///            to it.
///            N: accesses per packet, each to four bytes of the array or one of the packet.
///            R (default 0): the percentage of the accesses that go to the packet instead.
///            PAYLOAD (default false): those go anywhere in the packet, not only to its first 54 bytes.
///            W (default 0): random numbers to generate per packet, before the accesses.
///            ANALYSIS (default false): counts cycles, for the handlers.
/// Handlers:  with ANALYSIS, for the random numbers: cycles (read): time-stamp counter cycles; cycles_work (read): how
///            many rounds of W; cycles_per_work (read): the quotient. 0 without.
/// Example:   FromDPDKDevice(0) -> WorkPackage(S 4, N 1, W 4) -> EtherMirror -> ToDPDKDevice(0)
struct WorkPackage {
  static constexpr ElementInfo info{.name = "WorkPackage", .ports = "1-/=", .processing = "h/h", .flow = "#/#"};

  struct Parameters {
    std::uint32_t megabytes = 0;
    std::uint32_t accesses = 0;
    std::uint32_t to_packet = 0;  ///< %
    bool payload = false;
    std::uint32_t numbers = 0;
    bool analysis = false;
  };
  static constexpr auto keywords =
      describe(mandatory<&Parameters::megabytes>("S"), mandatory<&Parameters::accesses>("N"),
               positional<&Parameters::to_packet>("R"), positional<&Parameters::payload>("PAYLOAD"),
               keyword<&Parameters::numbers>("W"), keyword<&Parameters::analysis>("ANALYSIS"));
  static void configure(Configuration& configuration, Parameters& parameters) {
    if (parameters.megabytes > kMostMegabytes)
      configuration.error("S: out of range, bound " + std::to_string(kMostMegabytes));
    if (parameters.to_packet > 100) configuration.error("R: out of range, bound 100");
  }

  struct State {
    std::vector<std::uint32_t, tables::HugePageAllocator<std::uint32_t>> memory;
    volatile std::uint32_t sink = 0;  ///< takes every result, so that no compiler may leave the work out
    std::uint64_t cycles = 0;
    std::uint64_t rounds = 0;
  };
  static constexpr auto handlers =
      describe(read("cycles", &State::cycles), read("cycles_work", &State::rounds),
               read("cycles_per_work", [](const auto& element) {
                 return element.sum(&State::cycles) / std::max<std::uint64_t>(1, element.sum(&State::rounds));
               }));

  static Refusal initialize(auto& element) {
    const std::size_t words = std::size_t{element.parameters().megabytes} * (1U << 20U) / sizeof(std::uint32_t);
    // Not zeros: the kernel would back them all with one page, which is always in the cache.
    element.for_each_state([&](auto& state) { state.memory.assign(words, 0x9e3779b9U); });
    return {};
  }

  static Output process(auto& context, In in, auto& packet) {
    const Parameters& parameters = context.parameters();
    State& state = context.state();
    Random random = context.random();
    std::uint32_t sum = 0;

    const std::uint64_t start = parameters.analysis ? __builtin_readcyclecounter() : 0;
// A few rounds a packet: the shortest code has the accesses of most packets under way at a time.
#pragma clang loop vectorize(disable) unroll(disable)
    for (std::uint32_t i = 0; i < parameters.numbers; ++i) sum += random.next();
    if (parameters.analysis) {
      state.cycles += __builtin_readcyclecounter() - start;
      ++state.rounds;
    }

    const auto words = static_cast<std::uint32_t>(state.memory.size());
#pragma clang loop vectorize(disable) unroll(disable)
    for (std::uint32_t i = 0; i < parameters.accesses; ++i) {
      if (parameters.to_packet > 0 && random.below(100) < parameters.to_packet) {
        const std::uint32_t reach = parameters.payload ? packet.length() : std::min(packet.length(), kHeaders);
        if (reach > 0) sum += *static_cast<const volatile std::uint8_t*>(packet.data() + random.below(reach));
      } else if (words > 0) {
        sum += *static_cast<const volatile std::uint32_t*>(state.memory.data() + random.below(words));
      }
    }
    state.sink = sum;
    context.random() = random;
    return to(in.port);
  }

  /// INTERPRETATION: "its header" is what Ethernet, IPv4 and TCP have without options.
  static constexpr std::uint32_t kHeaders = 14 + 20 + 20;
  /// What a 32-bit number of words can say.
  static constexpr std::uint32_t kMostMegabytes = 1U << 13U;
};

}  // namespace packetmill
