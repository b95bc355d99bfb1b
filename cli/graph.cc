#include "graph/graph.h"

#include <fmt/core.h>
#include <sys/wait.h>

#include <cstdio>
#include <memory>

#include "cli/command.h"
#include "cli/configuration.h"
#include "engine/registry.h"
#include "graph/passes/push_pull.h"
#include "graph/print/dot.h"
#include "graph/print/json.h"

namespace packetmill::cli {
namespace {

/// Lets Graphviz draw; it writes to this program's standard output.
int print_svg(const std::string& dot) {
  FILE* graphviz = popen("dot -Tsvg", "w");
  if (graphviz) {
    std::fwrite(dot.data(), 1, dot.size(), graphviz);
    const int result = pclose(graphviz);
    if (WIFEXITED(result) && WEXITSTATUS(result) == 0) return 0;
  }
  fmt::print(stderr, "packetmill graph: Graphviz did not draw it; is it there? (apt-get install graphviz)\n");
  return 1;
}

}  // namespace

void add_graph(CLI::App& app, int& status) {
  CLI::App* command = app.add_subcommand("graph", "Draw a configuration, or print it for other programs");
  command->footer("Example: packetmill graph router.click --format svg > router.svg");
  auto options = std::make_shared<ConfigurationOptions>();
  auto format = std::make_shared<std::string>("dot");
  add_configuration_options(*command, *options);
  command->add_option("--format", *format, "what to print: dot, svg (by Graphviz) or json")
      ->check(CLI::IsMember({"dot", "svg", "json"}))
      ->capture_default_str();
  command->callback([options, format, &status] {
    Diagnostics diagnostics;
    const Graph graph = load(*options, diagnostics);
    const PortModes modes = resolve_push_pull(graph, engine::Registry::instance(), diagnostics);
    status = finish(diagnostics);
    if (status != 0) return;
    if (*format == "svg") {
      status = print_svg(dot(graph, modes));
    } else {
      fmt::print("{}", *format == "json" ? json(graph, modes) : dot(graph, modes));
    }
  });
}

}  // namespace packetmill::cli
