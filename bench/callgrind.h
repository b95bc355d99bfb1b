#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace packetmill::bench {

/// What callgrind counts while a program runs: instructions, and the misses of the caches that it simulates.
struct Counts {
  double instructions = 0;
  double l1_misses = 0;  ///< of instructions and data
  double ll_misses = 0;  ///< of the last level
};

/// The command that counts a program over memory ports into `file`: all but what happens between two turns of the ring.
[[nodiscard]] std::vector<std::string> callgrind(const std::string& file);

/// Reads what callgrind has written; nothing where that is no such file.
[[nodiscard]] std::optional<Counts> parse_callgrind(const std::string& text);

/// Of one packet: a whole run, less one that only started.
[[nodiscard]] Counts per_packet(const Counts& whole, const Counts& start, std::uint64_t packets);

}  // namespace packetmill::bench
