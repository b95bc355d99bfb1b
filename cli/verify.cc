#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>
#include <memory>

#include "cli/command.h"
#include "cli/configuration.h"
#include "cli/directory.h"
#include "cli/plan_option.h"
#include "verify/plan_check.h"

// Whether milled programs do what the interpreter does, for a user's own configuration.
namespace packetmill::cli {
namespace {

namespace fs = std::filesystem;

struct VerifyOptions {
  ConfigurationOptions configuration;
  std::vector<std::string> plans{"paper-all", "all", "all:metadata=copying"};
  verify::Options verify;
  std::string keep;
};

int fail(const std::string& what) {
  fmt::print(stderr, "packetmill verify: error: {}\n", what);
  return 1;
}

int run(const VerifyOptions& options) {
  Diagnostics diagnostics;
  std::vector<Plan> plans;
  for (const std::string& plan : options.plans) plans.push_back(read_plan(plan, diagnostics));
  const Graph graph = load(options.configuration, diagnostics);
  if (diagnostics.errors() > 0) return finish(diagnostics);
  const auto outline = engine::Router::outline(graph, diagnostics);
  if (finish(diagnostics) != 0 || !outline) return 1;

  const Directory directory(options.keep);
  const Graph tested = verify::under_test(graph, *outline, options.verify, directory.path());
  const verify::Workshop workshop{directory.path(), fs::read_symlink("/proc/self/exe").string()};
  int status = 0;
  for (const Plan& plan : plans) {
    if (isatty(STDERR_FILENO) != 0) fmt::print(stderr, "\r\033[K{}", plan.name);
    const auto wrong = verify::check_plan(tested, plan, workshop);
    if (isatty(STDERR_FILENO) != 0) fmt::print(stderr, "\r\033[K");
    if (wrong)
      status = fail(fmt::format("{}: {}", plan.name, *wrong));
    else
      fmt::print("{}: the same as the interpreter, over {} packets\n", plan.name, options.verify.packets);
  }
  return status;
}

}  // namespace

void add_verify(CLI::App& app, int& status) {
  CLI::App* command = app.add_subcommand("verify", "See whether milled programs do what the interpreter does");
  command->footer(
      "Example: packetmill verify router.click --plan all,paper-all --packets 10000\n"
      "Devices and traces receive made-up frames, right and wrong ones; handlers are written meanwhile; time is "
      "simulated.");
  auto options = std::make_shared<VerifyOptions>();
  add_configuration_options(*command, options->configuration);
  command->add_option("--plan", options->plans, "plans")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->capture_default_str();
  command->add_option("--packets", options->verify.packets, "how many")
      ->check(CLI::Range(1, 10'000'000))
      ->capture_default_str();
  command->add_option("--seed", options->verify.seed, "of the packets and writes")->capture_default_str();
  command->add_option("--keep", options->keep, "keep the programs, traces and outputs in this directory");
  command->callback([options, &status] { status = run(*options); });
}

}  // namespace packetmill::cli
