#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "bench/measurement.h"

namespace packetmill::bench {

/// A plan under one load. The vectors have a figure a run.
struct LatencyRow {
  std::string file;
  std::string plan;
  std::string port;
  std::string arrivals;
  int load = 0;               ///< per cent of the capacity
  double capacity = 0;        ///< Mpps
  std::uint64_t offered = 0;  ///< frames of all runs together; what was not delivered was lost
  std::uint64_t delivered = 0;
  std::vector<double> offered_mpps, delivered_mpps;
  std::vector<double> p50, p99, p999;  ///< microseconds
  std::vector<double> late_p99;        ///< of the generator's own delay, which is part of those
};

/// A table of the runs' medians, and the array of objects that docs/bench.md describes.
[[nodiscard]] std::string latency_to_text(const std::vector<LatencyRow>& rows);
[[nodiscard]] std::string latency_to_json(const std::vector<LatencyRow>& rows);

}  // namespace packetmill::bench
