#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "cli/command.h"
#include "cli/driver.h"

int main(int argc, char** argv) {
  // A link of the name `click` is Click's user-level driver.
  const bool as_click = argc > 0 && std::filesystem::path(argv[0]).filename() == "click";
  CLI::App app(
      "PacketMill turns a network function, written as a Click configuration, into a packet-processing program.",
      as_click ? "" : "packetmill");
  app.require_subcommand(1);
  app.footer("packetmill COMMAND --help tells more of a command.");
  app.failure_message([&](const CLI::App*, const CLI::Error& error) {
    const std::string name = as_click ? "click" : "packetmill";
    return name + ": " + error.what() + "\nTry '" + name + " --help' for more information.\n";
  });
  int status = 0;
  packetmill::cli::add_bench(app, status);
  packetmill::cli::add_build(app, status);
  packetmill::cli::add_check(app, status);
  packetmill::cli::add_doctor(app, status);
  packetmill::cli::add_elements(app, status);
  packetmill::cli::add_explain(app, status);
  packetmill::cli::add_flatten(app, status);
  packetmill::cli::add_graph(app, status);
  packetmill::cli::add_latency(app, status);
  packetmill::cli::add_run(app, status, as_click);
  packetmill::cli::add_traffic(app, status);
  packetmill::cli::add_verify(app, status);
  std::vector<std::string> words(argv + std::min(argc, 1), argv + argc);
  packetmill::cli::take_dpdk_arguments(words);
  if (as_click) words.insert(words.begin(), "click");
  std::ranges::reverse(words);  // the form that CLI11 takes
  try {
    app.parse(words);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 1;
  }
  return status;
}
