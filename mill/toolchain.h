#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "plan/plan.h"

namespace packetmill::mill {

/// Compiles the generated source. What is wrong, with what the compiler said, where that does not work.
[[nodiscard]] std::optional<std::string> compile(const std::filesystem::path& source,
                                                 const std::filesystem::path& object, const Plan& plan);

/// The two halves of `compile`, for those who want to know what became of the source. The optimised IR, whose every
/// instruction says where it comes from:
[[nodiscard]] std::optional<std::string> compile_to_ir(const std::filesystem::path& source,
                                                       const std::filesystem::path& ir);
/// ... and the object, the same code as `compile` makes, with a map of its basic blocks and how often the compiler
/// thinks that they run (mill/program_code.h).
[[nodiscard]] std::optional<std::string> compile_ir(const std::filesystem::path& ir,
                                                    const std::filesystem::path& object);

/// What code is made for: the value of -march.
[[nodiscard]] std::string processor();

/// Makes the program of the object, with the libraries that the project was built with. `shuffle`, where it is not 0,
/// seeds the order of the sections in the program: another layout of the same code, for measuring.
[[nodiscard]] std::optional<std::string> link(const std::filesystem::path& object, const std::filesystem::path& binary,
                                              const Plan& plan, unsigned shuffle = 0);

}  // namespace packetmill::mill
