#include <memory>

#include "cli/command.h"
#include "cli/configuration.h"
#include "engine/router.h"

namespace packetmill::cli {

void add_check(CLI::App& app, int& status) {
  CLI::App* command = app.add_subcommand("check", "Say what is wrong with a configuration, all of it at once");
  command->footer("Example: packetmill check router.click ETH0=eth0");
  auto options = std::make_shared<ConfigurationOptions>();
  add_configuration_options(*command, *options);
  command->callback([options, &status] {
    Diagnostics diagnostics;
    const Graph graph = load(*options, diagnostics);
    engine::Router::check(graph, diagnostics);
    status = finish(diagnostics);
  });
}

}  // namespace packetmill::cli
