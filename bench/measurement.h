#pragma once

#include <optional>
#include <string>
#include <vector>

namespace packetmill::bench {

/// Of several runs.
struct Spread {
  double min = 0;
  double median = 0;
  double max = 0;
};
[[nodiscard]] Spread spread_of(std::vector<double> values);
/// The middle one; values is not empty.
[[nodiscard]] double median_of(std::vector<double> values);

/// One program measured over one port.
struct Row {
  std::string file;
  std::string plan;
  std::string port;
  std::uint64_t packets = 0;   ///< of all runs together
  std::vector<double> cycles;  ///< TSC cycles per packet, a figure a run
};

/// TSC cycles in a second.
[[nodiscard]] double tsc_hertz();

/// How many times as fast a row is as the first one, run by run: the two of one round ran one after the other.
[[nodiscard]] Spread ratio_of(const Row& row, const Row& first);

/// A table for people, and the array of objects that docs/bench.md describes.
[[nodiscard]] std::string to_text(const std::vector<Row>& rows);
[[nodiscard]] std::string to_json(const std::vector<Row>& rows);

/// What a program that ran over memory ports said in its handlers.
struct MemoryRun {
  double cycles = 0;  ///< of a packet, the median over the ring's turns
  std::uint64_t packets = 0;
  std::uint64_t digest = 0;
};
/// Reads what `-h *.cycles -h *.mismatches -h *.digest` print; what is wrong with the run, where something is.
[[nodiscard]] std::optional<std::string> parse_memory_run(const std::string& printed, MemoryRun& run);

}  // namespace packetmill::bench
