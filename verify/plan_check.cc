#include "verify/plan_check.h"

#include <fmt/format.h>

#include <fstream>

#include "graph/print/flatten.h"
#include "mill/emit.h"
#include "mill/toolchain.h"

namespace packetmill::verify {

namespace fs = std::filesystem;

std::optional<std::string> check_plan(const Graph& graph, const Plan& plan, const Workshop& workshop) {
  Diagnostics diagnostics;
  const auto outline = engine::Router::outline(graph, diagnostics);
  if (!outline) return "the configuration has errors: " + diagnostics.list().front().message;
  const fs::path& directory = workshop.directory;
  const int batch = plan.loops == Loops::fused ? 1 : plan.batch;
  const fs::path oracle = directory / fmt::format("interpreted{}", batch);
  if (!fs::exists(oracle)) {
    std::ofstream(directory / "configuration.click") << flatten(graph);
    if (auto wrong = run_in(oracle, fmt::format("'{}' run -w ../configuration.click --batch {} {}",
                                                workshop.interpreter, batch, kRunOptions)))
      return "the interpreter: " + *wrong;
  }
  const fs::path source = directory / "program.cc";
  const fs::path object = directory / "program.o";
  const fs::path program = directory / "program";
  const std::string emitted = mill::emit(graph, mill::network_of(*outline, plan), plan);
  std::ofstream(source) << (workshop.alter ? workshop.alter(emitted) : emitted);
  if (auto wrong = mill::compile(source, object, plan)) return wrong;
  if (auto wrong = mill::link(object, program, plan)) return wrong;
  const fs::path milled = directory / "milled";
  fs::remove_all(milled);
  if (auto wrong = run_in(milled, fmt::format("'{}' -w {}", program.string(), kRunOptions)))
    return "the milled program: " + *wrong;
  return difference(oracle, milled);
}

std::optional<std::string> check_graph(const Graph& graph, const Plan& plan, const Options& options,
                                       const Workshop& workshop) {
  Diagnostics diagnostics;
  const auto outline = engine::Router::outline(graph, diagnostics);
  if (!outline) return "the configuration has errors: " + diagnostics.list().front().message;
  for (const auto& entry : fs::directory_iterator(workshop.directory)) fs::remove_all(entry.path());
  return check_plan(under_test(graph, *outline, options, workshop.directory), plan, workshop);
}

}  // namespace packetmill::verify
