#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <memory>

#include "cli/command.h"
#include "cli/configuration.h"
#include "cli/plan_option.h"
#include "graph/passes/pass.h"
#include "graph/print/flatten.h"
#include "mill/emit.h"
#include "mill/toolchain.h"

// From a configuration and a plan to a program.
namespace packetmill::cli {
namespace {

namespace fs = std::filesystem;

struct BuildOptions {
  ConfigurationOptions configuration;
  std::string output;
  PlanOptions plan;
  std::string keep;
  std::string dump_after;
};

/// The configuration as the pass leaves it, instead of a program.
int dump(engine::Router& outline, const Plan& plan, const std::string& after) {
  const auto is_named = [&](const auto& name) { return name == after; };
  if (!std::ranges::any_of(passes(), is_named, &Pass::name)) {
    fmt::print(stderr, "packetmill build: error: --dump-after={}: give one pass, of {}\n", after, pass_names());
    return 1;
  }
  if (!std::ranges::any_of(plan.passes, is_named)) {
    fmt::print(stderr, "packetmill build: error: --dump-after={}: not one of the plan's passes\n", after);
    return 1;
  }
  fmt::print("{}", flatten(mill::reduced(outline, plan, after)));
  return 0;
}

int build(const BuildOptions& options) {
  Diagnostics diagnostics;
  const Plan plan = read_plan(options.plan, diagnostics);
  const Graph graph = load(options.configuration, diagnostics);
  if (diagnostics.errors() > 0) return finish(diagnostics);
  const auto outline = engine::Router::outline(graph, diagnostics);
  if (finish(diagnostics) != 0 || !outline) return 1;
  if (!options.dump_after.empty()) return dump(*outline, plan, options.dump_after);
  if (options.output.empty()) {
    fmt::print(stderr, "packetmill build: error: --output is required\n");
    return 1;
  }
  if (fs::is_directory(options.output)) {
    fmt::print(stderr, "packetmill build: error: {} is a directory: name the program\n", options.output);
    return 1;
  }
  const mill::Network network = mill::network_of(*outline, plan);

  const fs::path source = options.keep.empty() ? fs::path(options.output + ".milled.cc") : fs::path(options.keep);
  std::ofstream file(source, std::ios::binary);
  file << mill::emit(graph, network, plan);
  file.close();
  if (!file) {
    fmt::print(stderr, "packetmill build: error: {}: cannot be written\n", source.string());
    return 1;
  }
  const auto start = std::chrono::steady_clock::now();
  const fs::path object = options.output + ".o";
  auto wrong = mill::compile(source, object, plan);
  if (!wrong) wrong = mill::link(object, options.output, plan);
  fs::remove(object);
  if (wrong && wrong->find("since the precompiled header") != std::string::npos) {
    fmt::print(stderr, "packetmill build: error: packetmill's own headers have changed since it was made: run make\n");
    fs::remove(source);
    return 1;
  }
  if (wrong) {
    fmt::print(stderr, "packetmill build: error: {}\n{} is kept: this is a fault of packetmill's\n", *wrong,
               source.string());
    return 1;
  }
  if (options.keep.empty()) fs::remove(source);
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
  if (isatty(STDERR_FILENO) != 0) fmt::print(stderr, "{}: made in {:.1f} s\n", options.output, taken.count());
  return 0;
}

}  // namespace

void add_build(CLI::App& app, int& status) {
  CLI::App* command = app.add_subcommand("build", "Mill a configuration into a program");
  command->footer(
      "Examples: packetmill build router.click -o router && ./router --stats\n"
      "          packetmill build router.click -o router --plan paper-all --set batch=64 --keep router.cc");
  auto options = std::make_shared<BuildOptions>();
  add_configuration_options(*command, options->configuration);
  command->add_option("-o,--output", options->output, "the program");
  add_plan_options(*command, options->plan);
  command->add_option("--keep", options->keep, "keep the generated C++ in this file");
  command->add_option("--dump-after", options->dump_after,
                      "print the configuration as this pass leaves it, and build nothing");
  command->callback([options, &status] { status = build(*options); });
}

}  // namespace packetmill::cli
