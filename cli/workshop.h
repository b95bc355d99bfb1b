#pragma once

#include <cstdlib>
#include <filesystem>
#include <string>

namespace packetmill::cli {

/// A directory of its own, or the one that is to be kept.
class Workshop {
 public:
  explicit Workshop(const std::string& keep) : path_(keep), kept_(!keep.empty()) {
    std::string name = std::filesystem::temp_directory_path() / "packetmill-XXXXXX";
    if (kept_)
      std::filesystem::create_directories(path_);
    else
      path_ = mkdtemp(name.data());
    path_ = std::filesystem::absolute(path_);
  }
  ~Workshop() {
    if (!kept_) std::filesystem::remove_all(path_);
  }
  Workshop(const Workshop&) = delete;
  Workshop& operator=(const Workshop&) = delete;
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
  bool kept_;
};

}  // namespace packetmill::cli
