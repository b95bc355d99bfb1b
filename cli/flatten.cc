#include "graph/print/flatten.h"

#include <fmt/core.h>

#include <memory>

#include "cli/command.h"
#include "cli/configuration.h"

namespace packetmill::cli {

void add_flatten(CLI::App& app, int& status) {
  CLI::App* command =
      app.add_subcommand("flatten", "Print a configuration without compound elements, groups and parameters");
  command->footer("Example: packetmill flatten router.click > flat.click");
  auto options = std::make_shared<ConfigurationOptions>();
  add_configuration_options(*command, *options);
  command->callback([options, &status] {
    Diagnostics diagnostics;
    const Graph graph = load(*options, diagnostics);
    status = finish(diagnostics);
    if (status == 0) fmt::print("{}", flatten(graph));
  });
}

}  // namespace packetmill::cli
