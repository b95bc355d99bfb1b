#pragma once

#include <string>

#include "plan/plan.h"

namespace packetmill::cli {

/// A preset's name, or a plan's file; choices may follow, as in "all:loops=vector". Errors are in `diagnostics`.
Plan read_plan(const std::string& text, Diagnostics& diagnostics);
/// "loops=vector" for an option of that name.
void change_plan(Plan& plan, const std::string& option, const std::string& choice, Diagnostics& diagnostics);

}  // namespace packetmill::cli
