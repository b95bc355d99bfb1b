#include "frontends/click/library.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <vector>

namespace packetmill::click {

std::optional<Source> find_library(const std::string& name, const std::string& required_by) {
  std::vector<std::filesystem::path> directories{std::filesystem::path(required_by).parent_path()};
  if (const char* path = std::getenv("CLICKPATH")) {
    std::istringstream list(path);
    for (std::string directory; std::getline(list, directory, ':');) {
      if (directory.empty()) continue;
      directories.emplace_back(directory);
      directories.emplace_back(directories.back() / "conf");
    }
  }
  for (const auto& directory : directories) {
    const std::filesystem::path candidate = directory / name;
    std::error_code ignored;
    if (!std::filesystem::is_regular_file(candidate, ignored)) continue;
    std::ifstream file(candidate, std::ios::binary);
    if (!file) continue;
    return Source{candidate.string(), {std::istreambuf_iterator<char>(file), {}}};
  }
  return std::nullopt;
}

}  // namespace packetmill::click
