#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "plan/plan.h"

namespace packetmill::mill {

/// How long the steps took, in seconds.
struct Timing {
  double compile = 0;
  double link = 0;
};

/// Makes the program `binary` from the generated source `source`, with the compiler and the libraries that the project
/// was built with. What is wrong, with what the compiler said, where that does not work.
[[nodiscard]] std::optional<std::string> compile(const std::filesystem::path& source,
                                                 const std::filesystem::path& binary, const Plan& plan, Timing& timing);

}  // namespace packetmill::mill
