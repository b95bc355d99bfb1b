#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace packetmill::mill {

/// Straight pieces of code, and how many cycles a processor that does nothing else needs for each at least.
struct Estimate {
  std::string processor;  ///< whose model this is, as LLVM calls it
  std::vector<double> cycles;
};

/// Asks llvm-mca, which knows of a processor how many instructions it starts in a cycle and what they keep busy: the
/// reciprocal throughput of each piece. It takes all data to be in the first cache and all branches to be foreseen, and
/// does not see how one instruction waits for another. `scratch` begins the names of files that it leaves.
[[nodiscard]] std::optional<std::string> estimate(const std::vector<std::vector<std::string_view>>& pieces,
                                                  const std::filesystem::path& scratch, Estimate& result);

}  // namespace packetmill::mill
