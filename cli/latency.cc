#include "bench/latency.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <memory>
#include <thread>

#include "cli/candidate.h"
#include "cli/command.h"
#include "cli/configuration.h"
#include "cli/directory.h"
#include "cli/open_loop.h"
#include "cli/progress.h"
#include "mill/process.h"
#include "ports/dpdk/FromDPDKDevice.h"
#include "ports/dpdk/ToDPDKDevice.h"

// How long a network function keeps frames, under several plans and loads. A generator on another core, in the process of
// the milled program, offers frames at times drawn beforehand, whatever becomes of earlier ones. All plans are offered the
// same rates: shares of what the first one delivers where its port is kept full.
namespace packetmill::cli {
namespace {

namespace fs = std::filesystem;

struct LatencyOptions {
  ConfigurationOptions configuration;
  std::vector<std::string> plans{"vanilla", "paper-all", "all"};
  std::string port = "ring";
  std::string arrivals = "poisson";
  std::vector<int> loads{10, 20, 30, 40, 50, 60, 70, 80, 90, 100};
  double seconds = 1;
  int runs = 3;
  int cpu = 1;
  int generator_cpu = 0;
  std::string json;
};

class Latency {
 public:
  explicit Latency(const LatencyOptions& options) : options_(options), hertz_(bench::tsc_hertz()) {}

  bool run() {
    if (!check_cpus() || !make_candidates() || !find_capacity()) return false;
    make_rows();
    for (int round = 0; round < options_.runs; ++round)
      if (!measure(round)) return false;
    progress("");
    fmt::print("{}", bench::latency_to_text(rows_));
    return write();
  }

 private:
  bool fail(const std::string& what) const {
    progress("");
    fmt::print(stderr, "packetmill latency: error: {}\n", what);
    return false;
  }

  [[nodiscard]] bool check_cpus() const {
    if (options_.cpu == options_.generator_cpu)
      return fail("--cpu and --generator-cpu are the same: the generator needs a core of its own");
    const int cpus = static_cast<int>(std::thread::hardware_concurrency());
    return std::max(options_.cpu, options_.generator_cpu) < cpus ||
           fail(fmt::format("the CPUs of this machine are 0 to {}", cpus - 1));
  }

  [[nodiscard]] bool write() const {
    if (options_.json.empty()) return true;
    std::ofstream file(options_.json);
    file << bench::latency_to_json(rows_);
    file.close();
    return file || fail(options_.json + ": cannot be written");
  }

  bool make_candidates() {
    Diagnostics diagnostics;
    const Graph graph = load(options_.configuration, diagnostics);
    const auto outline = diagnostics.errors() == 0 ? engine::Router::outline(graph, diagnostics) : nullptr;
    if (finish(diagnostics) != 0 || !outline) return false;
    if (!has_port_0<FromDPDKDevice>(*outline) || !has_port_0<ToDPDKDevice>(*outline))
      return fail("the configuration needs a FromDPDKDevice(0) and a ToDPDKDevice(0)");
    for (const std::string& plan : options_.plans) {
      progress("milling under {}", plan);
      std::string wrong;
      auto made = compile_candidate(graph, plan, directory_.path() / fmt::format("{}", candidates_.size()), wrong);
      if (!made) return !wrong.empty() && fail(wrong);
      candidates_.push_back(std::move(*made));
    }
    return true;
  }

  template <class Element>
  static bool has_port_0(const engine::Router& outline) {
    return std::ranges::any_of(outline.nodes(), [](const auto& node) {
      return node->element_class->name == Element::info.name &&
             static_cast<const typename Element::Parameters*>(node->parameters())->port == std::string_view("0");
    });
  }

  /// Runs what was linked last, with a gap of so many cycles between frames.
  std::optional<OpenLoopReport> run_program(const Candidate& candidate, int round, double gap) const {
    const OpenLoopOrder order{
        .wire = wire_named(options_.port),
        .arrivals = options_.arrivals == "poisson" ? bench::Arrivals::poisson : bench::Arrivals::constant,
        .gap = gap,
        .duration = static_cast<std::uint64_t>(options_.seconds * hertz_),
        .seed = static_cast<std::uint64_t>(round) + 1,
        .cpu = options_.generator_cpu};
    const fs::path printed = directory_.path() / "printed";
    std::vector<std::string> command{
        "env", padding_of(round), "taskset", "-c", std::to_string(options_.cpu), program().string()};
    for (std::string& word : order.arguments()) command.push_back(std::move(word));
    if (const auto wrong = mill::run_program(command, printed)) {
      fail(fmt::format("{}: {}", candidate.plan_text, *wrong));
      return std::nullopt;
    }
    auto report = OpenLoopReport::from_json(mill::text_of(printed));
    if (!report) {
      fail(fmt::format("{}: the program printed no report", candidate.plan_text));
    } else if (report->delivered == 0) {  // then there is no latency: 0 would be the best of all
      fail(fmt::format("{}: in one run no frame came back: has another process its core?", candidate.plan_text));
      return std::nullopt;
    }
    return report;
  }

  bool find_capacity() {
    std::vector<double> rates;
    bool refused = false;
    for (int round = 0; round < options_.runs; ++round) {
      progress("capacity under {}, run {} of {}", candidates_[0].plan_text, round + 1, options_.runs);
      if (const auto wrong = link_candidate(candidates_[0], round, program())) return fail(*wrong);
      const auto report = run_program(candidates_[0], round, 0);
      if (!report) return false;
      rates.push_back(static_cast<double>(report->delivered) / static_cast<double>(report->cycles) * hertz_);
      refused |= report->refused > 0;
    }
    capacity_ = bench::median_of(rates);
    progress("");
    fmt::print("100% is {:.3f} Mpps: what {} delivers over {} where it is kept full (median of {} runs){}.\n",
               capacity_ / 1e6, candidates_[0].plan_text, options_.port, options_.runs,
               refused ? "" : "; the ring never filled, so that this is the generator's limit and not the function's");
    return true;
  }

  void make_rows() {
    for (const Candidate& candidate : candidates_)
      for (const int load : options_.loads) {
        bench::LatencyRow row;
        row.file = name();
        row.plan = candidate.plan_text;
        row.port = options_.port;
        row.arrivals = options_.arrivals;
        row.load = load;
        row.capacity = capacity_ / 1e6;
        rows_.push_back(std::move(row));
      }
  }

  bool measure(int round) {
    auto row = rows_.begin();
    for (const Candidate& candidate : candidates_) {
      if (const auto wrong = link_candidate(candidate, round, program())) return fail(*wrong);
      for (const int load : options_.loads) {
        progress("run {} of {}: {} at {} %", round + 1, options_.runs, candidate.plan_text, load);
        const auto report = run_program(candidate, round, hertz_ / capacity_ * 100 / load);
        if (!report) return false;
        add(*report, *row++);
      }
    }
    return true;
  }

  void add(const OpenLoopReport& report, bench::LatencyRow& row) const {
    const auto microseconds = [&](std::uint64_t cycles) { return static_cast<double>(cycles) / hertz_ * 1e6; };
    const auto mpps = [&](std::uint64_t frames, double seconds) { return static_cast<double>(frames) / seconds / 1e6; };
    row.offered += report.offered;
    row.delivered += report.delivered;
    row.offered_mpps.push_back(mpps(report.offered, options_.seconds));
    row.delivered_mpps.push_back(mpps(report.delivered, std::max(options_.seconds, microseconds(report.cycles) / 1e6)));
    row.p50.push_back(microseconds(report.p50));
    row.p99.push_back(microseconds(report.p99));
    row.p999.push_back(microseconds(report.p999));
    row.late_p99.push_back(microseconds(report.late_p99));
  }

  [[nodiscard]] fs::path program() const { return directory_.path() / "program"; }
  [[nodiscard]] std::string name() const {
    const ConfigurationOptions& given = options_.configuration;
    for (const auto* files : {&given.files, &given.words})
      for (const std::string& file : *files)
        if (file.find('=') == std::string::npos) return file;
    return "";
  }

  const LatencyOptions& options_;
  double hertz_;
  Progress progress;
  Directory directory_{""};
  std::vector<Candidate> candidates_;
  double capacity_ = 0;  ///< frames a second
  std::vector<bench::LatencyRow> rows_;
};

}  // namespace

void add_latency(CLI::App& app, int& status) {
  CLI::App* command =
      app.add_subcommand("latency", "Measure how long a configuration keeps packets, under several plans");
  command->footer(
      "Example: packetmill latency bench/nf/router.click --plan vanilla,all --port ring --load 10,50,90 --json l.json\n"
      "The configuration receives from port 0 and sends to port 0; a generator on another core is at the far end.\n"
      "100% is what the first plan delivers where its port is kept full, so that all plans are offered the same "
      "rates.");
  auto options = std::make_shared<LatencyOptions>();
  add_configuration_options(*command, options->configuration);
  command->add_option("--plan", options->plans, "plans")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->capture_default_str();
  command->add_option("--port", options->port, "what joins the network function and the generator")
      ->check(CLI::IsMember({"ring", "memif", "virtio"}))
      ->capture_default_str();
  command->add_option("--arrivals", options->arrivals, "gaps between frames: exponential, or all alike")
      ->check(CLI::IsMember({"poisson", "constant"}))
      ->capture_default_str();
  command->add_option("--load", options->loads, "rates, in per cent of the capacity")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->check(CLI::Range(1, 200))
      ->capture_default_str();
  command->add_option("--seconds", options->seconds, "how long each load is offered, after a tenth of that to warm up")
      ->check(CLI::Range(0.001, 3600.0))
      ->capture_default_str();
  command->add_option("--runs", options->runs, "of each plan and load, of which the median is shown")
      ->check(CLI::Range(1, 1000))
      ->capture_default_str();
  command->add_option("--cpu", options->cpu, "the CPU of the network function")
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str();
  command->add_option("--generator-cpu", options->generator_cpu, "the CPU of the generator")
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str();
  command->add_option("--json", options->json, "write the figures to this file");
  command->callback([options, &status] { status = Latency(*options).run() ? 0 : 1; });
}

}  // namespace packetmill::cli
