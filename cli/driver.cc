#include "cli/driver.h"

#include <fmt/format.h>
#include <fnmatch.h>
#include <sys/resource.h>

#include <algorithm>
#include <atomic>
#include <charconv>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <memory>

#include "cli/open_loop.h"
#include "cli/report.h"
#include "cli/signals.h"
#include "cli/summary.h"
#include "graph/print/flatten.h"
#include "ports/dpdk/devices.h"
#include "runtime/arguments/split.h"

// What Click's user-level driver does with a configuration, whether it is interpreted or milled.
namespace packetmill::cli {
namespace {

void print_error(Voice voice, std::string_view message) {
  fmt::print(stderr, "{}{}\n", voice == Voice::packetmill ? "packetmill run: error: " : "", message);
}

bool print_diagnostics(const Diagnostics& diagnostics, Voice voice, bool warnings) {
  const bool good = diagnostics.errors() == 0;
  if (good && !warnings) return true;
  fmt::print(stderr, "{}", voice == Voice::click ? report_as_click(diagnostics) : report(diagnostics));
  if (!good && voice == Voice::click) fmt::print(stderr, "Router could not be initialized!\n");
  return good;
}

/// "The names of added ControlSocket elements will be click_driver@@ControlSocket, click_driver@@ControlSocket@1, and
/// so forth" (click(1)).
void add_control_sockets(Graph& graph, const DriverOptions& options) {
  int count = 0;
  const auto add = [&](const char* kind, const std::string& address) {
    const std::string number = count == 0 ? "" : "@" + std::to_string(count);
    ++count;
    const Location where{"command line", 0, 0};
    graph.elements.push_back({"click_driver@@ControlSocket" + number, "ControlSocket",
                              fmt::format("{}, {}", kind, quote(address)), where, where});
  };
  for (const std::string& port : options.ports) add("TCP", port);
  for (const std::string& file : options.unix_sockets) add("UNIX", file);
}

bool write_flat(const Graph& graph, const std::string& name) {
  const std::string text = flatten(graph);
  if (name == "-") {
    fmt::print("{}", text);
    return true;
  }
  std::ofstream file(name, std::ios::binary);
  file << text;
  file.close();
  return !file.fail();
}

/// Every handler that `-h` names: one, or, of every element whose name matches the pattern or whose class has the name,
/// those whose names do.
std::vector<std::string> expand(const std::string& handler, const engine::Router& router, bool& several) {
  const std::size_t dot = handler.find('.');
  if (dot == std::string::npos || dot == 0) return {handler};
  const std::string name = handler.substr(0, dot);
  std::vector<std::string> elements;
  if (name.find_first_of("*?[") != std::string::npos) {
    for (const auto& node : router.nodes())
      if (fnmatch(name.c_str(), node->name.c_str(), 0) == 0) elements.push_back(node->name);
  } else if (router.find(name) == nullptr) {
    for (const auto& node : router.nodes())
      if (node->element_class->name == name) elements.push_back(node->name);
    if (elements.empty()) return {handler};
  } else {
    return {handler};
  }
  several = true;
  std::vector<std::string> result;
  for (const std::string& element : elements)
    for (const HandlerInfo& info : router.handlers(element))
      if (info.readable && fnmatch(handler.substr(dot + 1).c_str(), info.name.c_str(), 0) == 0)
        result.push_back(element + "." + info.name);
  return result;
}

/// One handler: its value. Several: each with its name above and an empty line below.
bool print_handlers(const std::vector<std::string>& patterns, engine::Router& router, Voice voice) {
  bool headings = patterns.size() > 1;
  std::vector<std::string> handlers;
  bool good = true;
  for (const std::string& pattern : patterns) {
    std::vector<std::string> matches = expand(pattern, router, headings);
    if (matches.empty()) {
      print_error(voice, fmt::format("no handler matching '{}'", pattern));
      good = false;
    }
    std::ranges::move(matches, std::back_inserter(handlers));
  }
  for (const std::string& handler : handlers) {
    const auto answer = router.read(handler);
    if (!answer.ok) {
      print_error(voice, answer.text);
      good = false;
      continue;
    }
    if (headings) fmt::print("{}:\n", handler);
    fmt::print("{}{}", answer.text, !answer.text.empty() && answer.text.back() == '\n' ? "" : "\n");
    if (headings) fmt::print("\n");
  }
  return good;
}

/// The exit handler's value: a number is the exit status, true is 0 and false is 1.
int exit_status(const std::string& handler, engine::Router& router, Voice voice) {
  const auto answer = router.read(handler);
  const std::string_view text = std::string_view(answer.text).substr(0, answer.text.find_last_not_of(" \n") + 1);
  int status = 0;
  bool truth = false;
  if (!answer.ok) {
    print_error(voice, answer.text);
  } else if (const auto end = std::from_chars(text.data(), text.data() + text.size(), status);
             end.ec == std::errc() && end.ptr == text.data() + text.size()) {
    return status;
  } else if (!parse(text, truth)) {
    return truth ? 0 : 1;
  } else {
    print_error(voice, "exit handler value should be integer");
  }
  return -1;
}

bool print_measured(OpenLoopThread& open_loop, Voice voice) {
  std::string wrong;
  const auto report = open_loop.finish(wrong);
  if (report)
    fmt::print("{}\n", report->to_json());
  else
    print_error(voice, wrong);
  return report.has_value();
}

rusage usage_so_far() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return usage;
}

/// What the run took, without what came before it.
void print_time(std::chrono::duration<double> wall, const rusage& before) {
  const rusage after = usage_so_far();
  const auto seconds = [](const timeval& from, const timeval& to) {
    return static_cast<double>(to.tv_sec - from.tv_sec) + static_cast<double>(to.tv_usec - from.tv_usec) / 1e6;
  };
  const auto minutes = static_cast<int>(wall.count() / 60);
  fmt::print("{:.3f}u {:.3f}s {}:{:05.2f}\n", seconds(before.ru_utime, after.ru_utime),
             seconds(before.ru_stime, after.ru_stime), minutes, wall.count() - minutes * 60);
}

void complete(engine::Options& result, const DriverOptions& options) {
  result.cores = std::max(options.threads, 1);  // 0 is 1, as to click
  result.pin = options.affinity;
  result.batch_size = options.batch;
  result.seed = options.seed;
  if (!options.simulated_time.empty()) {
    // What happens on several cores at once happens in no order, and simulated time is there for an order.
    result.cores = 1;
    result.simulated_time = Timestamp{static_cast<std::int64_t>(std::stod(options.simulated_time) * 1e9)};
  }
  result.on_message = [](std::string_view line) { fmt::print(stderr, "{}\n", line); };
  // At once, so that whoever reads a pipe sees it when it happens.
  result.on_output = [](std::string_view text) {
    fmt::print("{}", text);
    std::fflush(stdout);
  };
}

int run_to_the_end(const DriverOptions& options, Graph graph, engine::Options engine, Diagnostics& diagnostics,
                   Voice voice) {
  Signals signals;
  complete(engine, options);
  if (!options.output.empty() && diagnostics.errors() == 0 && !write_flat(graph, options.output)) {
    print_error(voice, options.output + ": cannot be written");
    return 1;
  }
  add_control_sockets(graph, options);
  if (graph.elements.empty() && !options.quit)  // nothing would ever end the run
    diagnostics.warning({.file = diagnostics.sources().empty() ? "" : diagnostics.sources().begin()->first},
                        "configuration has no elements, exiting");
  std::string wrong;
  const auto open_loop = options.open_loop.empty() ? nullptr : OpenLoopThread::make(options.open_loop, wrong);
  if (!wrong.empty()) {
    print_error(voice, wrong);
    return 1;
  }
  const std::unique_ptr<engine::Router> router = engine::Router::make(graph, engine, diagnostics);
  if (!print_diagnostics(diagnostics, voice, !options.no_warnings) || !router) return 1;

  // The first SIGINT or SIGTERM ends the run as if the configuration had: handlers are printed, files written. The
  // second does not wait.
  std::atomic<bool> interrupted{false};
  signals.deliver_to([&](int signal) {
    if (router->signal(signal)) return true;
    if ((signal != SIGINT && signal != SIGTERM) || interrupted.exchange(true)) return false;
    router->stop();
    return true;
  });

  const rusage before = usage_so_far();
  const auto start = std::chrono::steady_clock::now();
  if (open_loop)
    if (const auto refused = open_loop->start([&] { router->stop(); })) {
      print_error(voice, *refused);
      return 1;
    }
  if (!options.quit && !router->nodes().empty()) router->run();
  const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - start;

  int status = router->exit_status();
  if (options.time) print_time(wall, before);
  if (open_loop && !print_measured(*open_loop, voice)) status = 1;
  if (!print_handlers(options.handlers, *router, voice)) status = 1;
  if (!options.exit_handler.empty()) status = exit_status(options.exit_handler, *router, voice);
  if (options.stats == "json")
    fmt::print(stderr, "{}\n", summary_json(*router, wall));
  else if (!options.stats.empty())
    fmt::print(stderr, "{}", summary(*router, wall));
  std::fflush(stdout);
  return status;
}

}  // namespace

void take_dpdk_arguments(std::vector<std::string>& words) {
  const auto start = std::ranges::find(words, "--dpdk");
  if (start == words.end()) return;
  const auto end = std::find(start, words.end(), "--");
  dpdk::Devices::set_arguments({start + 1, end});
  words.erase(start, end == words.end() ? end : end + 1);
}

void add_driver_options(CLI::App& command, DriverOptions& options) {
  const auto list = [&](const char* names, std::vector<std::string>& into, const char* description) {
    command.add_option(names, into, description)->allow_extra_args(false);
  };
  list("-h,--handler", options.handlers,
       "after the run, print the value of ELEMENT.HANDLER, or of a global handler; ELEMENT may be a pattern");
  command.add_option("-x,--exit-handler", options.exit_handler, "take the exit status from ELEMENT.HANDLER");
  command.add_option("-o,--output", options.output, "write the flattened configuration to a file");
  command.add_flag("-q,--quit", options.quit, "do not run it");
  command.add_flag("-t,--time", options.time, "print how long it took");
  command.add_flag("-w,--no-warnings,!--warnings", options.no_warnings, "print no warnings");
  list("-p,--port", options.ports, "open a ControlSocket on this TCP port");
  list("-u,--unix-socket", options.unix_sockets, "open a ControlSocket on this Unix socket");
  command.add_option("-j,--threads", options.threads, "threads")->check(CLI::Range(0, 256))->capture_default_str();
  command.add_flag("-a,--affinity", options.affinity, "keep each thread on a CPU of its own");
  command.add_flag("--simtime{1000000000}", options.simulated_time, "simulated time, from this second of the epoch on")
      ->check(CLI::NonNegativeNumber);
  command.add_option("--batch", options.batch, "packets handed on at a time; 1 is Click's own order")
      ->check(CLI::Range(1, engine::kMaxBatch))
      ->capture_default_str();
  command.add_option("--seed", options.seed, "of random choices")->capture_default_str();
  command.add_flag("--stats{text}", options.stats, "at the end, say where all packets went, and how fast")
      ->check(CLI::IsMember({"text", "json"}));
  command.add_option("--open-loop", options.open_loop)->group("");  // hidden: for `packetmill latency`
}

int drive(const DriverOptions& options, Graph graph, engine::Options engine, Diagnostics& diagnostics, Voice voice) {
  const int status = run_to_the_end(options, std::move(graph), std::move(engine), diagnostics, voice);
  if (const auto& lost = dpdk::Devices::lost()) {
    print_error(voice, *lost);
    return 1;
  }
  return status;
}

}  // namespace packetmill::cli
