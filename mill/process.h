#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace packetmill::mill {

/// Runs a program that reads `input` and writes into `output`. What is wrong, with what it said, where it failed.
[[nodiscard]] std::optional<std::string> run_program(const std::vector<std::string>& words,
                                                     const std::filesystem::path& output,
                                                     const std::filesystem::path& input = "/dev/null");

/// All of a file; empty where there is none.
[[nodiscard]] std::string text_of(const std::filesystem::path& file);

}  // namespace packetmill::mill
