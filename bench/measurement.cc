#include "bench/measurement.h"

#include <fmt/format.h>
#include <x86intrin.h>

#include <algorithm>
#include <chrono>
#include <nlohmann/json.hpp>
#include <numeric>
#include <sstream>

#include "ports/memory/replay.h"

namespace packetmill::bench {
namespace {

/// The first row of the same file and port: what the others are compared with.
const Row& first_of(const std::vector<Row>& rows, const Row& row) {
  return *std::ranges::find_if(rows,
                               [&](const Row& other) { return other.file == row.file && other.port == row.port; });
}

Spread mpps_of(const Row& row) {
  std::vector<double> values;
  for (const double cycles : row.cycles) values.push_back(tsc_hertz() / cycles / 1e6);
  return spread_of(values);
}

/// The cycles that are not the port's, run by run; none for the port's own row.
std::optional<Spread> function_of(const std::vector<Row>& rows, const Row& row) {
  const auto empty = std::ranges::find_if(
      rows, [&](const Row& other) { return other.file == kEmpty && other.plan == row.plan && other.port == row.port; });
  if (row.file == kEmpty || empty == rows.end()) return std::nullopt;
  std::vector<double> cycles;
  for (std::size_t i = 0; i < std::min(row.cycles.size(), empty->cycles.size()); ++i)
    cycles.push_back(row.cycles[i] - empty->cycles[i]);
  return spread_of(cycles);
}

std::string text_of(const std::optional<Spread>& spread, int digits) {
  if (!spread) return "";
  return fmt::format("{:.{}f} [{:.{}f}, {:.{}f}]", spread->median, digits, spread->min, digits, spread->max, digits);
}

nlohmann::ordered_json json_of(const Spread& spread) {
  return {{"min", spread.min}, {"median", spread.median}, {"max", spread.max}};
}

}  // namespace

double median_of(std::vector<double> values) {
  std::ranges::sort(values);
  const std::size_t half = values.size() / 2;
  return values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
}

Spread spread_of(std::vector<double> values) {
  const auto [least, most] = std::ranges::minmax_element(values);
  return {*least, median_of(values), *most};
}

double tsc_hertz() {
  static const double hertz = [] {
    using Clock = std::chrono::steady_clock;
    const auto start = Clock::now();
    const std::uint64_t before = __rdtsc();
    while (Clock::now() - start < std::chrono::milliseconds(50)) {
    }
    const std::uint64_t after = __rdtsc();
    return static_cast<double>(after - before) / std::chrono::duration<double>(Clock::now() - start).count();
  }();
  return hertz;
}

Spread ratio_of(const Row& row, const Row& first) {
  std::vector<double> ratios;
  for (std::size_t i = 0; i < std::min(row.cycles.size(), first.cycles.size()); ++i)
    ratios.push_back(first.cycles[i] / row.cycles[i]);
  return spread_of(ratios);
}

std::string to_text(const std::vector<Row>& rows) {
  std::size_t file_width = 4;
  std::size_t plan_width = 4;
  for (const Row& row : rows) {
    file_width = std::max(file_width, row.file.size());
    plan_width = std::max(plan_width, row.plan.size());
  }
  const bool counted = std::ranges::any_of(rows, [](const Row& row) { return row.counts.has_value(); });
  const auto line = [&](std::string_view file, std::string_view plan, std::string_view port, std::string_view cycles,
                        std::string_view function, std::string_view mpps, std::string_view ratio,
                        std::string_view counts) {
    std::string text = fmt::format("{:<{}}  {:<{}}  {:<8}  {:<23}  {:<23}  {:<5}  {:<22}  {}", file, file_width, plan,
                                   plan_width, port, cycles, function, mpps, ratio, counts);
    return text.erase(text.find_last_not_of(' ') + 1) + "\n";
  };
  std::string text = line("file", "plan", "port", "cycles/packet", "less the port's", "Mpps", "times the first",
                          counted ? "instructions, L1 and LL misses/packet" : "");
  for (const Row& row : rows)
    text += line(row.file, row.plan, row.port, text_of(spread_of(row.cycles), 1), text_of(function_of(rows, row), 1),
                 fmt::format("{:.2f}", mpps_of(row).median), text_of(ratio_of(row, first_of(rows, row)), 2),
                 row.counts ? fmt::format("{:.1f}  {:.2f}  {:.3f}", row.counts->instructions, row.counts->l1_misses,
                                          row.counts->ll_misses)
                            : "");
  return text + "Median [min, max] of the runs.\n";
}

std::string to_json(const std::vector<Row>& rows) {
  const auto number = [](const std::optional<Counts>& counts, double Counts::* count) {
    return counts ? nlohmann::ordered_json((*counts).*count) : nlohmann::ordered_json();
  };
  auto array = nlohmann::ordered_json::array();
  for (const Row& row : rows)
    array.push_back({{"file", row.file},
                     {"plan", row.plan},
                     {"port", row.port},
                     {"packets", row.packets},
                     {"cycles_per_packet", json_of(spread_of(row.cycles))},
                     {"mpps", json_of(mpps_of(row))},
                     {"ratio", json_of(ratio_of(row, first_of(rows, row)))},
                     {"instructions_per_packet", number(row.counts, &Counts::instructions)},
                     {"l1_misses_per_packet", number(row.counts, &Counts::l1_misses)},
                     {"ll_misses_per_packet", number(row.counts, &Counts::ll_misses)}});
  return array.dump(2) + "\n";
}

std::optional<std::string> parse_memory_run(const std::string& printed, RunFigures& run) {
  std::istringstream lines(printed);
  std::string heading;
  std::vector<double> medians;
  for (std::string line; std::getline(lines, line);) {
    if (line.ends_with(':')) {
      heading = line.substr(0, line.size() - 1);
    } else if (heading.ends_with(".cycles") && !line.empty()) {
      std::istringstream numbers(line);
      std::vector<double> turns;
      for (double cycles = 0; numbers >> cycles;) turns.push_back(cycles);
      constexpr std::size_t kWarmUp = 2;
      if (turns.size() <= kWarmUp) return "fewer than three turns of the ring were run";
      run.packets += turns.size() * memory::Replay::kFrames;
      medians.push_back(median_of({turns.begin() + kWarmUp, turns.end()}));
    } else if (heading.ends_with(".mismatches") && !line.empty() && line != "0") {
      return fmt::format("{} of its turns did not send and drop the same as the others", line);
    } else if (heading.ends_with(".digest") && !line.empty()) {
      run.digest += std::stoull(line);
    }
  }
  if (medians.empty()) return "no port was replaced by a memory port: there is no FromDPDKDevice and no FromDump";
  // Ports take turns on one core: each packet of each ring is waited for by all.
  run.cycles = median_of(medians) / static_cast<double>(medians.size());
  return std::nullopt;
}

std::optional<std::string> parse_burst_run(const std::string& printed, RunFigures& run) {
  constexpr double kBurst = 32;
  std::istringstream lines(printed);
  std::vector<double> medians;
  for (std::string line; std::getline(lines, line);) {
    const std::size_t colon = line.find(": ");
    if (colon == std::string::npos) continue;
    const std::string name = line.substr(0, colon);
    if (name == "rx_good_packets") run.packets += std::stoull(line.substr(colon + 2));
    if (name == "burst_cycles_median") medians.push_back(std::stod(line.substr(colon + 2)));
  }
  if (medians.empty() || run.packets == 0) return "it received nothing:\n" + printed;
  // A port's figure is of its own packets, from one turn of a NIC to the next one.
  run.cycles = std::accumulate(medians.begin(), medians.end(), 0.0) / static_cast<double>(medians.size()) / kBurst;
  return std::nullopt;
}

std::optional<std::string> parse_device_run(const std::string& printed, RunFigures& run) {
  const std::size_t start = printed.find('{');
  const auto stats = nlohmann::json::parse(start == std::string::npos ? "" : printed.substr(start), nullptr, false);
  if (stats.is_discarded()) return "it did not say what it did:\n" + printed;
  run.packets = stats.value("received", std::uint64_t{0});
  run.cycles = stats.value("cycles_per_packet", 0.0);
  if (run.packets == 0) return "it received nothing:\n" + printed;
  return std::nullopt;
}

}  // namespace packetmill::bench
