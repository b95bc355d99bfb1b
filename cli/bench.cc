#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <memory>

#include "bench/measurement.h"
#include "bench/memory_ports.h"
#include "bench/traffic.h"
#include "cli/command.h"
#include "cli/configuration.h"
#include "cli/plan_option.h"
#include "mill/emit.h"
#include "mill/toolchain.h"
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
  int runs = 5;
  int cpu = 1;
  std::uint32_t replays = 300;
};

/// A program to be measured.
struct Candidate {
  bench::Row row;
  Plan plan;
  fs::path object;
  std::uint64_t digest = 0;
};

class Bench {
 public:
  explicit Bench(const BenchOptions& options) : options_(options), terminal_(isatty(STDERR_FILENO) != 0) {
    std::string name = fs::temp_directory_path() / "packetmill-bench-XXXXXX";
    directory_ = mkdtemp(name.data());
  }
  ~Bench() { fs::remove_all(directory_); }
  Bench(const Bench&) = delete;
  Bench& operator=(const Bench&) = delete;

  int run() {
    if (!make_trace() || !make_candidates()) return 1;
    for (int round = 0; round <= options_.runs; ++round) {  // the first warms up
      progress("round {} of {}", round, options_.runs);
      for (Candidate& candidate : candidates_)
        if (!measure(candidate, round)) return 1;
    }
    progress("");
    std::vector<bench::Row> rows;
    for (const Candidate& candidate : candidates_) rows.push_back(candidate.row);
    fmt::print("{}", bench::to_text(rows));
    if (options_.json.empty()) return 0;
    std::ofstream file(options_.json);
    file << bench::to_json(rows);
    file.close();
    return file ? 0 : fail(options_.json + ": cannot be written");
  }

 private:
  template <class... T>
  void progress(fmt::format_string<T...> format, T&&... arguments) const {
    if (terminal_) fmt::print(stderr, "\r\033[K{}", fmt::format(format, std::forward<T>(arguments)...));
  }
  static int fail(const std::string& what) {
    fmt::print(stderr, "packetmill bench: error: {}\n", what);
    return 1;
  }

  bool make_trace() {
    trace_ = options_.trace;
    if (!trace_.empty()) return true;
    trace_ = directory_ / "trace.pcap";
    std::string wrong;
    const auto writer = pcap::DumpWriter::open(trace_, {1, 65535, false, false}, wrong);
    if (!writer) return fail(wrong) == 0;
    bench::Traffic traffic({.seed = 1});
    for (std::uint32_t i = 0; i < memory::Replay::kFrames; ++i) {
      const auto& frame = traffic.next();
      const auto length = static_cast<std::uint32_t>(frame.size());
      if (!writer->write({frame.data(), length, length, {}})) return fail(trace_ + ": cannot be written") == 0;
    }
    return writer->flush();
  }

  bool make_candidates() {
    ConfigurationOptions common;
    std::vector<std::string> files;
    for (const std::string& word : options_.words)
      (word.find('=') != std::string::npos && !fs::exists(word) ? common.words : files).push_back(word);
    if (files.empty()) return fail("no configuration") == 0;
    for (const std::string& file : files) {
      Diagnostics diagnostics;
      ConfigurationOptions configuration = common;
      configuration.files.push_back(file);
      const Graph graph = load(configuration, diagnostics);
      const auto outline = diagnostics.errors() == 0 ? engine::Router::outline(graph, diagnostics) : nullptr;
      if (finish(diagnostics) != 0 || !outline) return false;
      if (!add(file, bench::with_memory_ports(graph, *outline, trace_, options_.replays))) return false;
    }
    return add("(empty)", bench::empty_function(trace_, options_.replays));
  }

  bool add(const std::string& file, const Graph& graph) {
    for (const std::string& text : options_.plans) {
      Diagnostics diagnostics;
      Candidate candidate{{file, text, options_.port, 0, {}}, read_plan(text, diagnostics), {}, 0};
      const auto outline = diagnostics.errors() == 0 ? engine::Router::outline(graph, diagnostics) : nullptr;
      if (finish(diagnostics) != 0 || !outline) return false;
      progress("{} under {}", file, text);
      const fs::path source = directory_ / fmt::format("{}.cc", candidates_.size());
      candidate.object = directory_ / fmt::format("{}.o", candidates_.size());
      std::ofstream(source) << mill::emit(graph, mill::network_of(*outline, candidate.plan), candidate.plan);
      if (const auto wrong = mill::compile(source, candidate.object, candidate.plan)) return fail(*wrong) == 0;
      candidates_.push_back(std::move(candidate));
    }
    return true;
  }

  bool measure(Candidate& candidate, int round) {
    const fs::path program = directory_ / "program";
    const fs::path printed = directory_ / "printed";
    if (const auto wrong =
            mill::link(candidate.object, program, candidate.plan, static_cast<unsigned>(round) * 7919U + 1U))
      return fail(*wrong) == 0;
    const std::string command =
        fmt::format("env PACKETMILL_PADDING={} taskset -c {} {} -w -h '*.cycles' -h '*.mismatches' -h '*.digest' > {}",
                    std::string(static_cast<std::size_t>(round) * 517 % 4096, 'x'), options_.cpu, program.string(),
                    printed.string());
    if (std::system(command.c_str()) != 0)
      return fail(fmt::format("{} under {} did not run", candidate.row.file, candidate.row.plan)) == 0;
    std::ifstream file(printed);
    bench::MemoryRun run;
    if (const auto wrong = bench::parse_memory_run({std::istreambuf_iterator<char>(file), {}}, run))
      return fail(fmt::format("{} under {}: {}", candidate.row.file, candidate.row.plan, *wrong)) == 0;
    for (const Candidate& other : candidates_)
      if (other.row.file == candidate.row.file && other.digest != 0 && other.digest != run.digest)
        return fail(fmt::format("{}: {} and {} do not send the same packets", candidate.row.file, other.row.plan,
                                candidate.row.plan)) == 0;
    candidate.digest = run.digest;
    if (round == 0) return true;
    candidate.row.packets += run.packets;
    candidate.row.cycles.push_back(run.cycles);
    return true;
  }

  const BenchOptions& options_;
  bool terminal_;
  fs::path directory_;
  std::string trace_;
  std::vector<Candidate> candidates_;
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
      ->capture_default_str();
  command->add_option("--port", options->port, "what the configuration's devices are replaced by")
      ->check(CLI::IsMember({"memory"}))
      ->capture_default_str();
  command->add_option("--trace", options->trace, "what devices receive; by default 64-byte frames of 1000 flows");
  command->add_option("--runs", options->runs, "runs of each plan, after one to warm up")
      ->check(CLI::Range(5, 1000))
      ->capture_default_str();
  command->add_option("--replays", options->replays, "how often a run sends the ring of 4096 frames")
      ->check(CLI::Range(10, 1'000'000))
      ->capture_default_str();
  command->add_option("--cpu", options->cpu, "the CPU to run on")->capture_default_str();
  command->add_option("--json", options->json, "write the figures to this file");
  command->callback([options, &status] { status = Bench(*options).run(); });
}

}  // namespace packetmill::cli
