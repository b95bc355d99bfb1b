#pragma once

#include <optional>
#include <string>
#include <vector>

#include "bench/callgrind.h"

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
  std::uint64_t packets = 0;          ///< of all runs together
  std::vector<double> cycles;         ///< TSC cycles per packet, a figure a run
  std::optional<Counts> counts = {};  ///< of one packet
};

/// The file of the rows that tell what a port costs without a network function.
inline constexpr std::string_view kEmpty = "(empty)";

/// TSC cycles in a second.
[[nodiscard]] double tsc_hertz();

/// How many times as fast a row is as the first one, run by run: the two of one round ran one after the other.
[[nodiscard]] Spread ratio_of(const Row& row, const Row& first);

/// A table for people, and the array of objects that docs/bench.md describes.
[[nodiscard]] std::string to_text(const std::vector<Row>& rows);
[[nodiscard]] std::string to_json(const std::vector<Row>& rows);

/// What a program that ran said of itself.
struct RunFigures {
  double cycles = 0;  ///< of a packet; over memory ports the median of the ring's turns
  std::uint64_t packets = 0;
  std::uint64_t digest = 0;  ///< of what was sent, over memory ports
};
/// Reads what `-h *.cycles -h *.mismatches -h *.digest` print; what is wrong with the run, where something is.
[[nodiscard]] std::optional<std::string> parse_memory_run(const std::string& printed, RunFigures& run);
/// Reads what `-h FromDPDKDevice.xstats` prints of emulated NICs: the median of full bursts.
[[nodiscard]] std::optional<std::string> parse_burst_run(const std::string& printed, RunFigures& run);
/// Reads what `--stats=json` prints.
[[nodiscard]] std::optional<std::string> parse_device_run(const std::string& printed, RunFigures& run);

}  // namespace packetmill::bench
