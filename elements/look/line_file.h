#pragma once

#include <cstdio>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>

#include "runtime/element.h"

namespace packetmill {

/// Where an element's lines go: to the user, or to the file that OUTFILE names. One for all cores; the State of IPPrint
/// and ARPPrint.
class LineFile {
 public:
  /// What is wrong, where the file cannot be written. No file: lines go to the user.
  Refusal open(FileName name) {
    if (name.path.empty()) return {};
    file_.reset(std::fopen(std::string(name.path).c_str(), "we"));
    if (!file_) return std::string(name.path) + ": cannot be written";
    return {};
  }
  void write(const auto& context, std::string line) {
    if (!file_) return context.message(line);
    line += '\n';
    const std::lock_guard lock(mutex_);
    std::fwrite(line.data(), 1, line.size(), file_.get());
  }
  void close() { file_.reset(); }

 private:
  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  std::unique_ptr<std::FILE, Close> file_;
  std::mutex mutex_;
};

}  // namespace packetmill
