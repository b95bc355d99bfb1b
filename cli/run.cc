#include <fmt/format.h>

#include <cstdlib>
#include <memory>

#include "cli/command.h"
#include "cli/configuration.h"
#include "cli/driver.h"

// The user-level driver: click(1), option for option, and a few of ours.
namespace packetmill::cli {
namespace {

struct RunOptions {
  ConfigurationOptions configuration;
  DriverOptions driver;
  std::string clickpath;
};

int run(const RunOptions& options, Voice voice) {
  if (!options.clickpath.empty()) setenv("CLICKPATH", options.clickpath.c_str(), 1);
  Diagnostics diagnostics;
  Graph graph = load(options.configuration, diagnostics);
  engine::Options engine;
  for (const auto& [file, text] : diagnostics.sources()) engine.configuration += text;
  return drive(options.driver, std::move(graph), std::move(engine), diagnostics, voice);
}

}  // namespace

void add_run(CLI::App& app, int& status, bool as_click) {
  CLI::App* command = app.add_subcommand(as_click ? "click" : "run", "Run a configuration: Click's user-level driver");
  command->footer(
      "Examples: packetmill run router.click ETH0=eth0 -h 'c*.count'\n"
      "          packetmill run --stats -e 'FromDump(in.pcap, STOP true) -> ToDump(out.pcap)'\n"
      "EAL arguments stand between --dpdk and --: packetmill run --dpdk -l 0-1 -- router.click");
  auto options = std::make_shared<RunOptions>();
  command->set_help_flag("--help", "Print this help and exit");
  command->set_version_flag("-v,--version",
                            fmt::format("{} {}", as_click ? "click (PacketMill)" : "packetmill", engine::kVersion));
  add_configuration_options(*command, options->configuration);
  command->add_option("-C,--clickpath", options->clickpath, "where require(library NAME) looks, instead of CLICKPATH");
  add_driver_options(*command, options->driver);
  command->callback(
      [options, as_click, &status] { status = run(*options, as_click ? Voice::click : Voice::packetmill); });
}

}  // namespace packetmill::cli
