#include "bench/latency.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

namespace packetmill::bench {
namespace {

nlohmann::ordered_json json_of(const std::vector<double>& values) {
  const Spread spread = spread_of(values);
  return {{"min", spread.min}, {"median", spread.median}, {"max", spread.max}};
}

}  // namespace

std::string latency_to_text(const std::vector<LatencyRow>& rows) {
  std::size_t width = 4;
  for (const LatencyRow& row : rows) width = std::max(width, row.plan.size());
  std::string text =
      fmt::format("{:<{}} {:>5} {:>13} {:>15} {:>9} {:>9} {:>9} {:>9} {:>12}\n", "plan", width, "load", "offered Mpps",
                  "delivered Mpps", "lost", "p50 us", "p99 us", "p99.9 us", "sent late us");
  for (const LatencyRow& row : rows)
    text +=
        fmt::format("{:<{}} {:>4}% {:>13.3f} {:>15.3f} {:>9} {:>9.2f} {:>9.2f} {:>9.2f} {:>12.2f}\n", row.plan, width,
                    row.load, median_of(row.offered_mpps), median_of(row.delivered_mpps), row.offered - row.delivered,
                    median_of(row.p50), median_of(row.p99), median_of(row.p999), median_of(row.late_p99));
  return text;
}

std::string latency_to_json(const std::vector<LatencyRow>& rows) {
  nlohmann::ordered_json array = nlohmann::ordered_json::array();
  for (const LatencyRow& row : rows)
    array.push_back({{"file", row.file},
                     {"plan", row.plan},
                     {"port", row.port},
                     {"arrivals", row.arrivals},
                     {"load", row.load},
                     {"capacity_mpps", row.capacity},
                     {"offered", row.offered},
                     {"delivered", row.delivered},
                     {"lost", row.offered - row.delivered},
                     {"offered_mpps", json_of(row.offered_mpps)},
                     {"delivered_mpps", json_of(row.delivered_mpps)},
                     {"p50_us", json_of(row.p50)},
                     {"p99_us", json_of(row.p99)},
                     {"p999_us", json_of(row.p999)},
                     {"late_p99_us", json_of(row.late_p99)}});
  return array.dump(2) + "\n";
}

}  // namespace packetmill::bench
