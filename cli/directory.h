#pragma once

#include <cstdlib>
#include <filesystem>
#include <string>

namespace packetmill::cli {

/// A directory of its own, or the one that is to be kept.
class Directory {
 public:
  explicit Directory(const std::string& keep) : path_(keep), kept_(!keep.empty()) {
    std::string name = std::filesystem::temp_directory_path() / "packetmill-XXXXXX";
    if (kept_)
      std::filesystem::create_directories(path_);
    else
      path_ = mkdtemp(name.data());
    path_ = std::filesystem::absolute(path_);
  }
  ~Directory() {
    if (!kept_) std::filesystem::remove_all(path_);
  }
  Directory(const Directory&) = delete;
  Directory& operator=(const Directory&) = delete;
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
  bool kept_;
};

}  // namespace packetmill::cli
