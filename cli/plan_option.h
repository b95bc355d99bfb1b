#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "plan/plan.h"

namespace packetmill::cli {

/// A preset's name, or a plan's file; choices may follow, as in "all:loops=vector". Errors are in `diagnostics`.
Plan read_plan(const std::string& text, Diagnostics& diagnostics);
/// The options --plan and --set of a command that takes one plan.
struct PlanOptions {
  std::string plan = "all";
  std::vector<std::string> choices;
};
void add_plan_options(CLI::App& command, PlanOptions& options);
Plan read_plan(const PlanOptions& options, Diagnostics& diagnostics);

/// "loops=vector" for an option of that name.
void change_plan(Plan& plan, const std::string& option, const std::string& choice, Diagnostics& diagnostics);

}  // namespace packetmill::cli
