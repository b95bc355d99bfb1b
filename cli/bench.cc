#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <memory>

#include "bench/callgrind.h"
#include "bench/device_ports.h"
#include "bench/measurement.h"
#include "bench/memory_ports.h"
#include "bench/traffic.h"
#include "cli/candidate.h"
#include "cli/command.h"
#include "cli/configuration.h"
#include "cli/directory.h"
#include "cli/machine.h"
#include "cli/open_loop.h"
#include "cli/progress.h"
#include "mill/process.h"
#include "ports/memory/replay.h"
#include "ports/pcap/dump_file.h"

// The same traffic through the same network function under several plans. What differs between two figures should be the
// plans, so the runs of all plans take turns, each on the same CPU; and each run of a plan has another environment size and
// another order of its sections, because where code and stack happen to lie may be worth more than what is measured
// (Mytkowicz et al., "Producing Wrong Data Without Doing Anything Obviously Wrong!", 2009).
namespace packetmill::cli {
namespace {

namespace fs = std::filesystem;

struct BenchOptions {
  std::vector<std::string> words;  ///< files, and NAME=VALUE for all of them
  std::vector<std::string> plans{"vanilla", "paper-all", "all"};
  std::string port = "memory";
  std::string trace;
  std::string json;
  std::string png;
  bool count = false;
  int runs = 5;
  int cpu = 1;
  std::uint32_t replays = 300;
  double seconds = 1;
};

/// A program to be measured.
struct Measured {
  bench::Row row;
  Candidate candidate;
  std::vector<std::string> arguments;  ///< of its run
  std::uint64_t packets = 0;           ///< of a run
  std::uint64_t digest = 0;            ///< of what it sends
};

class Bench {
 public:
  explicit Bench(const BenchOptions& options) : options_(options) {}

  int run() {
    if (options_.count && !memory()) {
      fail("--count needs --port memory");
      return 1;
    }
    warn();
    if (!make_trace() || !make_candidates()) return 1;
    for (int round = 0; round <= options_.runs; ++round) {  // the first warms up
      progress("round {} of {}", round, options_.runs);
      for (Measured& measured : measured_)
        if (!measure(measured, round)) return 1;
    }
    if (options_.count)
      for (Measured& measured : measured_)
        if (!count(measured)) return 1;
    progress("");
    std::vector<bench::Row> rows;
    for (const Measured& measured : measured_) rows.push_back(measured.row);
    fmt::print("{}", bench::to_text(rows));
    return write(bench::to_json(rows)) ? 0 : 1;
  }

 private:
  static bool fail(const std::string& what) {
    fmt::print(stderr, "packetmill bench: error: {}\n", what);
    return false;
  }
  static bool fail(const Measured& measured, const std::string& what) {
    return fail(fmt::format("{} under {}: {}", measured.row.file, measured.row.plan, what));
  }
  /// Without hugepages a DPDK port takes several times as long, whatever the plan.
  void warn() const {
    for (const PortKind& kind : examine(Machine::here()))
      if (std::ranges::find(kind.names, options_.port) != kind.names.end())
        for (const Finding& finding : kind.findings)
          if (!finding.ok)
            fmt::print(stderr, "packetmill bench: warning: {} missing: {}\n", finding.what, finding.remedy);
  }
  [[nodiscard]] bool memory() const { return options_.port == "memory"; }
  [[nodiscard]] bool emulated() const { return options_.port == "mlx5"; }
  /// End to end: on the other core a generator that keeps the port full (cli/open_loop.h).
  [[nodiscard]] bool wired() const { return options_.port == "memif" || options_.port == "virtio"; }
  [[nodiscard]] int other_cpu() const { return options_.cpu == 0 ? 1 : 0; }

  bool make_trace() {
    trace_ = options_.trace;
    if (!trace_.empty()) return true;
    trace_ = directory_.path() / "trace.pcap";
    std::string wrong;
    const auto writer = pcap::DumpWriter::open(trace_, {1, 65535, false, false}, wrong);
    if (!writer) return fail(wrong);
    bench::Traffic traffic({.seed = 1});
    for (std::uint32_t i = 0; i < memory::Replay::kFrames; ++i) {
      const auto& frame = traffic.next();
      const auto length = static_cast<std::uint32_t>(frame.size());
      if (!writer->write({frame.data(), length, length, {}})) return fail(trace_ + ": cannot be written");
    }
    return writer->flush();
  }

  bool make_candidates() {
    ConfigurationOptions common;
    std::vector<std::string> files;
    for (const std::string& word : options_.words)
      (word.find('=') != std::string::npos && !fs::exists(word) ? common.words : files).push_back(word);
    if (files.empty()) return fail("no configuration");
    for (const std::string& file : files) {
      Diagnostics diagnostics;
      ConfigurationOptions configuration = common;
      configuration.files.push_back(file);
      Graph graph = load(configuration, diagnostics);
      if (!memory()) graph = bench::with_device_ports(graph);
      const auto outline = diagnostics.errors() == 0 ? engine::Router::outline(graph, diagnostics) : nullptr;
      if (finish(diagnostics) != 0 || !outline) return false;
      if (!add(file, graph, *outline)) return false;
    }
    const Graph empty = bench::empty_function();
    Diagnostics diagnostics;
    const auto outline = engine::Router::outline(empty, diagnostics);
    return finish(diagnostics) == 0 && outline && add(std::string(bench::kEmpty), empty, *outline);
  }

  /// Of every run of the configuration over ports of a kind; nothing where it has no ports that can be made.
  std::optional<std::vector<std::string>> arguments_for(const std::string& file, const engine::Router& outline,
                                                        const std::string& kind) {
    if (memory())
      return std::vector<std::string>{
          "-w", "-h", "FromMemory.cycles", "-h", "FromMemory.mismatches", "-h", "FromMemory.digest"};
    if (wired()) {
      return OpenLoopOrder{.wire = wire_named(options_.port),
                           .duration = static_cast<std::uint64_t>(options_.seconds * bench::tsc_hertz()),
                           .cpu = other_cpu()}
          .arguments();
    }
    std::string wrong;
    auto arguments = bench::device_arguments(outline, kind, trace_, other_cpu(), wrong);
    if (arguments && emulated())
      arguments->insert(arguments->begin(), {"-h", "FromDPDKDevice.xstats", "--dpdk"});
    else if (arguments)
      arguments->insert(arguments->begin(), {"--stats=json", "--dpdk"});
    else
      fail(fmt::format("{}: {}", file, wrong));
    return arguments;
  }

  bool add(const std::string& file, const Graph& given, const engine::Router& outline) {
    const Graph graph = memory() ? bench::with_memory_ports(given, outline, trace_, options_.replays) : given;
    for (const std::string& plan : options_.plans) {
      progress("{} under {}", file, plan);
      std::string wrong;
      const auto candidate =
          compile_candidate(graph, plan, directory_.path() / fmt::format("{}", measured_.size()), wrong);
      if (!candidate) return !wrong.empty() && fail(wrong);
      for (const std::string& kind : bench::kinds_of(options_.port, candidate->plan)) {
        const auto arguments = arguments_for(file, outline, kind);
        if (!arguments) return false;
        measured_.push_back({{file, plan, kind, 0, {}}, *candidate, *arguments});
      }
    }
    return true;
  }

  std::optional<fs::path> program_of(const Measured& measured, int round) {
    fs::path program = directory_.path() / "program";
    if (const auto wrong = link_candidate(measured.candidate, round, program)) {
      fail(measured, *wrong);
      return std::nullopt;
    }
    return program;
  }

  /// What the command prints, on whatever stream.
  std::optional<std::string> printed_by(const Measured& measured, std::vector<std::string> command) {
    command.insert(command.begin(), {"sh", "-c", "exec \"$@\" 2>&1", "sh"});
    const fs::path printed = directory_.path() / "printed";
    const auto wrong = mill::run_program(command, printed);
    std::string text = mill::text_of(printed);
    if (!wrong) return text;
    fail(measured, "it did not run\n" + text);
    return std::nullopt;
  }

  bool measure(Measured& measured, int round) {
    const auto program = program_of(measured, round);
    if (!program) return false;
    std::vector<std::string> command{"env", padding_of(round), "taskset", "-c", std::to_string(options_.cpu)};
    if (!memory() && !wired())
      command.insert(command.end(), {"timeout", "--foreground", "--preserve-status", "--signal=INT",
                                     fmt::format("{}", options_.seconds)});
    command.push_back(*program);
    command.insert(command.end(), measured.arguments.begin(), measured.arguments.end());
    const auto printed = printed_by(measured, std::move(command));
    if (!printed) return false;
    bench::RunFigures run;
    if (const auto wrong = memory()     ? bench::parse_memory_run(*printed, run)
                           : wired()    ? parse_wired_run(*printed, run)
                           : emulated() ? bench::parse_burst_run(*printed, run)
                                        : bench::parse_device_run(*printed, run))
      return fail(measured, *wrong);
    for (const Measured& other : measured_)
      if (other.row.file == measured.row.file && other.digest != 0 && other.digest != run.digest)
        return fail(fmt::format("{}: {} and {} do not send the same packets", measured.row.file, other.row.plan,
                                measured.row.plan));
    measured.digest = run.digest;
    measured.packets = run.packets;
    if (round == 0) return true;
    measured.row.packets += run.packets;
    measured.row.cycles.push_back(run.cycles);
    return true;
  }

  /// Cycles from one frame that came back to the next: what the slower of the two cores takes for one.
  static std::optional<std::string> parse_wired_run(const std::string& printed, bench::RunFigures& run) {
    // A port that cannot exchange is named before.
    const auto report = OpenLoopReport::from_json(printed.substr(std::min(printed.find('{'), printed.size())));
    if (!report || report->delivered == 0) return "no frame came back:\n" + printed;
    run.packets = report->delivered;
    run.cycles = static_cast<double>(report->cycles) / static_cast<double>(report->delivered);
    return std::nullopt;
  }

  /// A run under callgrind, less one that only starts and ends.
  bool count(Measured& measured) {
    progress("{} under {}: counting", measured.row.file, measured.row.plan);
    const auto program = program_of(measured, 0);
    if (!program) return false;
    const auto counts_of = [&](const std::vector<std::string>& arguments) -> std::optional<bench::Counts> {
      const fs::path file = directory_.path() / "callgrind";
      std::vector<std::string> command = bench::callgrind(file);
      command.insert(command.end(), {*program, "-w"});
      command.insert(command.end(), arguments.begin(), arguments.end());
      if (!printed_by(measured, command)) return std::nullopt;
      auto counts = bench::parse_callgrind(mill::text_of(file));
      if (!counts) fail(measured, "callgrind has written no counts");
      return counts;
    };
    const auto start = counts_of({"-q"});
    const auto whole = start ? counts_of({}) : std::nullopt;
    if (!whole) return false;
    measured.row.counts = bench::per_packet(*whole, *start, measured.packets);
    return true;
  }

  [[nodiscard]] bool write(const std::string& rows) const {
    const fs::path json = options_.json.empty() ? directory_.path() / "rows.json" : fs::path(options_.json);
    std::ofstream file(json);
    file << rows;
    file.close();
    if (!file) return fail(json.string() + ": cannot be written");
    if (options_.png.empty()) return true;
    const auto wrong =
        mill::run_program({"/usr/bin/python3", PACKETMILL_BENCH_PLOT, json, options_.png}, directory_.path() / "plot");
    return wrong ? fail(*wrong) : true;
  }

  const BenchOptions& options_;
  Progress progress;
  Directory directory_{""};
  std::string trace_;
  std::vector<Measured> measured_;
};

}  // namespace

void add_bench(CLI::App& app, int& status) {
  CLI::App* command = app.add_subcommand("bench", "Measure configurations under several plans");
  command->footer(
      "Example: packetmill bench bench/nf/router.click --plan vanilla,paper-all,all,all:metadata=copying --json "
      "r.json\n"
      "The last rows are a port without a network function: what the port itself costs.");
  auto options = std::make_shared<BenchOptions>();
  command->add_option("FILE", options->words, "configurations, and NAME=VALUE for their parameters")->required();
  command->add_option("--plan", options->plans, "plans, the first of which the others are compared with")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->capture_default_str();
  command
      ->add_option(
          "--port", options->port,
          "what packets come from: memory takes the place of devices and traces, net_null and net_pcap are DPDK's, "
          "mlx5 is an emulated ConnectX; memif and virtio have a generator at their other end, on another CPU")
      ->check(CLI::IsMember({"memory", "net_null", "net_pcap", "mlx5", "memif", "virtio"}))
      ->capture_default_str();
  command->add_option("--trace", options->trace, "what devices receive; by default 64-byte frames of 1000 flows");
  command->add_option("--runs", options->runs, "runs of each plan, after one to warm up")
      ->check(CLI::Range(5, 1000))
      ->capture_default_str();
  command->add_option("--replays", options->replays, "how often a run over memory sends the ring of 4096 frames")
      ->check(CLI::Range(10, 1'000'000))
      ->capture_default_str();
  command->add_option("--seconds", options->seconds, "how long a run over another port takes")
      ->check(CLI::Range(0.5, 3600.0))
      ->capture_default_str();
  command->add_flag("--count", options->count,
                    "count instructions and simulated cache misses, with callgrind (over memory)");
  command->add_option("--cpu", options->cpu, "the CPU to run on")->capture_default_str();
  command->add_option("--json", options->json, "write the figures to this file");
  command->add_option("--png", options->png, "draw them into this file");
  command->callback([options, &status] { status = Bench(*options).run(); });
}

}  // namespace packetmill::cli
