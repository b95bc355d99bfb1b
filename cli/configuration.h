#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <vector>

#include "graph/graph.h"

namespace packetmill::cli {

/// Where a command takes its configuration from, with Click's own options.
struct ConfigurationOptions {
  std::vector<std::string> expressions;  ///< -e
  std::vector<std::string> files;        ///< -f; "-" is standard input
  std::vector<std::string> words;        ///< files again, and NAME=VALUE
};

void add_configuration_options(CLI::App& command, ConfigurationOptions& options);

/// Reads and parses the configuration, from standard input if no other is given. Errors are in `diagnostics`.
Graph load(const ConfigurationOptions& options, Diagnostics& diagnostics);

/// Prints the diagnostics to standard error; returns the exit status they call for.
int finish(const Diagnostics& diagnostics);

}  // namespace packetmill::cli
