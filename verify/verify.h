#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "engine/router.h"
#include "graph/graph.h"
#include "plan/plan.h"

/// Equality, DESIGN's: a milled program and the interpreter get the same packets at the same times and the same control
/// writes among them, under simulated time, and must send the same frames in the same order, drop the same number for the
/// same reasons, print the same lines and answer every handler alike. A fused plan is held against the interpreter at a
/// batch of one, a vector plan against it at its own batch.
namespace packetmill::verify {

struct Options {
  std::uint64_t seed = 1;
  std::uint32_t packets = 2000;
};

/// The configuration as it is verified: devices and traces receive frames made from the seed, and what they send goes to
/// files beside where the program runs; a Script writes handlers meanwhile, and stops the router at the end. The frames
/// lie in `directory`.
[[nodiscard]] Graph under_test(const Graph& graph, const engine::Router& outline, const Options& options,
                               const std::filesystem::path& directory);

/// Runs `command` in `directory` and keeps what it prints there; what is wrong, where it does not come to an end.
[[nodiscard]] std::optional<std::string> run_in(const std::filesystem::path& directory, const std::string& command);

/// The first difference between what two runs have left in their directories; none where there is none.
[[nodiscard]] std::optional<std::string> difference(const std::filesystem::path& oracle,
                                                    const std::filesystem::path& milled);

/// The options with which both run.
inline constexpr const char* kRunOptions = "--simtime=1000 -h drops -h ledger -h '*.*'";

}  // namespace packetmill::verify
