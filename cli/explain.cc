#include "mill/explain.h"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <memory>

#include "cli/command.h"
#include "cli/configuration.h"
#include "cli/directory.h"
#include "cli/plan_option.h"
#include "graph/print/dot.h"
#include "mill/process.h"

// What the mill did to each element of a configuration.
namespace packetmill::cli {
namespace {

struct ExplainOptions {
  ConfigurationOptions configuration;
  PlanOptions plan;
  std::string html;
  std::string json;
  std::string keep;
};

int fail(const std::string& what) {
  fmt::print(stderr, "packetmill explain: error: {}\n", what);
  return 1;
}

bool write(const std::string& path, const std::string& text) {
  std::ofstream file(path, std::ios::binary);
  file << text;
  file.close();
  return !file.fail();
}

/// Graphviz's drawing, without the lines that make a file of its own of it.
std::optional<std::string> draw(const Graph& graph, const PortModes& modes, const std::filesystem::path& directory,
                                std::string& svg) {
  const std::filesystem::path drawn = directory / "graph.svg";
  const std::filesystem::path description = directory / "graph.dot";
  write(description, dot(graph, modes, true));
  if (auto wrong = mill::run_program({"dot", "-Tsvg"}, drawn, description)) return wrong;
  svg = mill::text_of(drawn);
  svg.erase(0, svg.find("<svg"));
  return std::nullopt;
}

int explain(const ExplainOptions& options) {
  Diagnostics diagnostics;
  const Plan plan = read_plan(options.plan, diagnostics);
  const Graph graph = load(options.configuration, diagnostics);
  if (diagnostics.errors() > 0) return finish(diagnostics);
  const auto outline = engine::Router::outline(graph, diagnostics);
  const PortModes modes = resolve_push_pull(graph, engine::Registry::instance(), diagnostics);
  if (finish(diagnostics) != 0 || !outline) return 1;

  const Directory directory(options.keep);
  mill::Explanation explanation;
  if (auto wrong = mill::explain(graph, *outline, plan, directory.path(), explanation)) return fail(*wrong);
  if (!options.html.empty()) {
    std::string svg;
    if (auto wrong = draw(graph, modes, directory.path(), svg)) return fail(*wrong);
    const std::string title =
        options.configuration.words.empty() ? "a configuration" : options.configuration.words.front();
    if (!write(options.html, mill::explanation_html(explanation, title, svg)))
      return fail(options.html + ": cannot be written");
  }
  if (!options.json.empty() && !write(options.json, mill::explanation_json(explanation)))
    return fail(options.json + ": cannot be written");
  if (options.html.empty() && options.json.empty()) fmt::print("{}", mill::explanation_text(explanation));
  return 0;
}

}  // namespace

void add_explain(CLI::App& app, int& status) {
  CLI::App* command = app.add_subcommand("explain", "Say what the mill does to each element");
  command->footer(
      "Examples: packetmill explain router.click --plan all | less\n"
      "          packetmill explain router.click --html router.html\n"
      "The program is made and looked at: where the code of an element is and how large, which of its parameters are\n"
      "constants, what it is fused with, where its state lies, what takes packets out of registers.");
  auto options = std::make_shared<ExplainOptions>();
  add_configuration_options(*command, options->configuration);
  add_plan_options(*command, options->plan);
  command->add_option("--html", options->html, "write a page into this file, with the graph; no text is printed");
  command->add_option("--json", options->json, "write it for programs into this file; no text is printed");
  command->add_option("--keep", options->keep, "keep the source, the IR and the program in this directory");
  command->callback([options, &status] { status = explain(*options); });
}

}  // namespace packetmill::cli
