#include "cli/milled.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "cli/driver.h"
#include "graph/print/flatten.h"
#include "ports/dpdk/devices.h"

namespace packetmill::cli {

int run_milled(int argc, char** argv, const engine::Program& program) {
  std::vector<std::string> words(argv + std::min(argc, 1), argv + argc);
  take_dpdk_arguments(words);
  CLI::App app(
      "A network function, milled from its configuration. It takes the options of 'packetmill run'; another "
      "configuration needs 'packetmill build', or 'packetmill run'.",
      argc > 0 ? argv[0] : "");
  app.failure_message([&](const CLI::App*, const CLI::Error& error) {
    return fmt::format(
        "{}: {}\nThis program runs the one configuration that it was milled from. For another there are "
        "'packetmill build' and 'packetmill run'.\n",
        argc > 0 ? argv[0] : "", error.what());
  });
  app.set_help_flag("--help", "Print this help and exit");
  app.footer("Example: --stats -h counter.count");
  DriverOptions options;
  options.batch = program.batch;
  options.threads = program.cores;
  add_driver_options(app, options);
  bool show_plan = false;
  app.add_flag("--plan", show_plan, "print the plan that the program was milled under, and exit");
  std::ranges::reverse(words);  // the form that CLI11 takes
  try {
    app.parse(words);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 1;
  }
  if (show_plan) {
    fmt::print("{}", program.plan);
    return 0;
  }
  if (options.threads > program.cores || options.batch != program.batch) {
    fmt::print(stderr, "{}: error: milled for {} threads and batches of {}; 'packetmill build --set' makes another\n",
               argc > 0 ? argv[0] : "", program.cores, program.batch);
    return 1;
  }
  dpdk::Devices::set_asks_nic(program.asks_nic);
  dpdk::Devices::set_exchange({.wanted = program.exchanges, .expected = program.expects_exchange});
  Diagnostics diagnostics;
  Graph graph = engine::graph_of(program);
  engine::Options engine;
  engine.milled = program.milled;
  engine.configuration = flatten(graph);
  return drive(options, std::move(graph), std::move(engine), diagnostics, Voice::milled);
}

}  // namespace packetmill::cli
