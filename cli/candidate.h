#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "engine/router.h"
#include "plan/plan.h"

namespace packetmill::cli {

/// A configuration compiled under a plan, to be linked and run again and again.
struct Candidate {
  std::string plan_text;  ///< as the user gave it
  Plan plan;
  std::filesystem::path object;
};

/// Compiles into `stem`.cc and `stem`.o. Errors of the plan are printed, one of the compiler is in `error`; none then.
std::optional<Candidate> compile_candidate(const Graph& graph, const std::string& plan,
                                           const std::filesystem::path& stem, std::string& error);

/// Makes the program for round `round` of a measurement: each has another order of its sections, because where code
/// happens to lie may be worth more than what is measured (Mytkowicz et al., "Producing Wrong Data Without Doing Anything
/// Obviously Wrong!", 2009).
std::optional<std::string> link_candidate(const Candidate& candidate, int round, const std::filesystem::path& program);

/// The other half of that: PACKETMILL_PADDING=..., which gives the environment, and so the stack, another size each round.
std::string padding_of(int round);

}  // namespace packetmill::cli
