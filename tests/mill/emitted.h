#pragma once

#include <gtest/gtest.h>

#include <string>

#include "engine/registry.h"
#include "frontends/click/click.h"
#include "mill/emit.h"

namespace packetmill::testing {

/// What the mill writes for a configuration.
inline std::string emitted(const std::string& script, const Plan& plan = *preset("all")) {
  Diagnostics diagnostics;
  const Graph graph = parse_click({{"config", script}}, {}, engine::Registry::instance(), diagnostics);
  const auto outline = engine::Router::outline(graph, diagnostics);
  EXPECT_NE(outline, nullptr) << (diagnostics.list().empty() ? "" : diagnostics.list().front().message);
  return outline ? mill::emit(graph, mill::network_of(*outline, plan), plan) : "";
}

}  // namespace packetmill::testing
