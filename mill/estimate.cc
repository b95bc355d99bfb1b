#include "mill/estimate.h"

#include <fmt/format.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "mill/process.h"
#include "mill/toolchain.h"

namespace packetmill::mill {

std::optional<std::string> estimate(const std::vector<std::vector<std::string_view>>& pieces,
                                    const std::filesystem::path& scratch, Estimate& result) {
  result.cycles.assign(pieces.size(), 0);
  const std::string source = scratch.string() + ".pieces.s";
  const std::string answer = scratch.string() + ".pieces.json";
  std::ofstream file(source);
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    file << "# LLVM-MCA-BEGIN " << i << "\n";
    for (const std::string_view instruction : pieces[i]) file << instruction << "\n";
    file << "# LLVM-MCA-END\n";
  }
  file.close();
  if (auto wrong = run_program({"llvm-mca-19", "-mcpu=" + processor(), "-json", "-iterations=1", "-all-views=false",
                                "-summary-view", "-skip-unsupported-instructions=any", source},
                               answer))
    return wrong;
  const auto said = nlohmann::json::parse(text_of(answer), nullptr, false);
  if (!said.is_object() || !said.contains("CodeRegions")) return "llvm-mca-19 has not answered in JSON";
  result.processor = said["TargetInfo"].value("CPUName", "");
  for (const auto& region : said["CodeRegions"]) {
    const std::size_t i = std::stoul(region.at("Name").get<std::string>());
    if (i < result.cycles.size()) result.cycles[i] = region.at("SummaryView").at("BlockRThroughput").get<double>();
  }
  return std::nullopt;
}

}  // namespace packetmill::mill
