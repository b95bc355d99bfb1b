#pragma once

#include <gmock/gmock.h>

#include <fstream>
#include <map>
#include <sstream>
#include <string>

#include "engine/router.h"
#include "frontends/click/click.h"
#include "tests/support/traces.h"

/// Runs a configuration of examples/ in simulated time.
namespace packetmill::testing {

/// The example's router, built with `variables`; null, with a test failure for each diagnostic, where it has errors.
inline std::unique_ptr<engine::Router> make_example(const std::string& file,
                                                    const std::map<std::string, std::string>& variables,
                                                    int batch_size) {
  std::ifstream in("examples/" + file);
  std::stringstream text;
  text << in.rdbuf();
  Diagnostics diagnostics;
  const Graph graph = parse_click({{file, text.str()}}, variables, engine::Registry::instance(), diagnostics);
  engine::Options options;
  options.simulated_time = Timestamp{} + Duration::seconds(1'000'000'000);
  options.batch_size = batch_size;
  auto router = engine::Router::make(graph, options, diagnostics);
  for (const Diagnostic& diagnostic : diagnostics.list())
    ADD_FAILURE() << file << ":" << diagnostic.where.line << ": " << diagnostic.message;
  return router;
}

}  // namespace packetmill::testing
