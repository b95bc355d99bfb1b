#pragma once

#include <gmock/gmock.h>

#include <algorithm>
#include <regex>
#include <string>
#include <vector>

#include "engine/registry.h"
#include "frontends/click/click.h"
#include "graph/passes/pass.h"
#include "graph/print/flatten.h"
#include "mill/network.h"

namespace packetmill::testing {

/// Declarations and connections, sorted, a line each; the numbers in the names of anonymous elements left out.
inline std::vector<std::string> lines_of(const Graph& graph) {
  const std::string text = std::regex_replace(flatten(graph), std::regex("@[0-9]+"), "@");
  std::vector<std::string> lines;
  for (std::size_t start = 0; start < text.size(); start = text.find('\n', start) + 1)
    lines.push_back(text.substr(start, text.find('\n', start) - start));
  std::ranges::sort(lines);
  return lines;
}

inline Graph parsed(const std::string& script) {
  Diagnostics diagnostics;
  Graph graph = parse_click({{"config", script}}, {}, engine::Registry::instance(), diagnostics);
  for (const Diagnostic& diagnostic : diagnostics.list()) ADD_FAILURE() << script << ": " << diagnostic.message;
  return graph;
}

/// Lines of what `pass` makes of a script, with the library's own elements.
inline std::vector<std::string> after(std::string_view pass, const std::string& script) {
  Diagnostics diagnostics;
  const auto outline = engine::Router::outline(parsed(script), diagnostics);
  for (const Diagnostic& diagnostic : diagnostics.list()) ADD_FAILURE() << script << ": " << diagnostic.message;
  Plan plan;
  plan.passes = {pass};
  return outline ? lines_of(mill::reduced(*outline, plan)) : std::vector<std::string>{};
}

/// One row of a test: a script, and what the pass leaves of it.
inline void expect_becomes(std::string_view pass, const std::string& before, const std::string& after_it) {
  EXPECT_EQ(after(pass, before), lines_of(parsed(after_it))) << before;
}
inline void expect_stays(std::string_view pass, const std::string& script) { expect_becomes(pass, script, script); }

}  // namespace packetmill::testing
