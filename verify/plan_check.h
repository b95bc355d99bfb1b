#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>

#include "verify/verify.h"

namespace packetmill::verify {

/// Where programs are made and run, and what the oracle is.
struct Workshop {
  std::filesystem::path directory;
  std::string interpreter;  ///< the `packetmill` command
  /// Changes a program's source before it is compiled: tests plant faults there.
  std::function<std::string(std::string)> alter = {};
};

/// Mills `graph`, as under_test made it in the workshop's directory, under `plan`; runs the program and the interpreter;
/// and says what is not the same.
[[nodiscard]] std::optional<std::string> check_plan(const Graph& graph, const Plan& plan, const Workshop& workshop);

/// The same for a graph as it is: makes the packets and the control writes.
[[nodiscard]] std::optional<std::string> check_graph(const Graph& graph, const Plan& plan, const Options& options,
                                                     const Workshop& workshop);

}  // namespace packetmill::verify
