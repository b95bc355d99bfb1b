#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "tests/support/element_test.h"

namespace packetmill::testing {

inline Bytes operator+(Bytes front, const Bytes& back) {
  front.insert(front.end(), back.begin(), back.end());
  return front;
}
inline Bytes& operator+=(Bytes& front, const Bytes& back) {
  front.insert(front.end(), back.begin(), back.end());
  return front;
}

/// A file of the given content that ends with the test.
class ScratchFile {
 public:
  explicit ScratchFile(const std::string& content = {}) {
    static int count = 0;
    path_ = ::testing::TempDir() + "packetmill-" + std::to_string(::getpid()) + "-" + std::to_string(count++);
    std::ofstream(path_, std::ios::binary) << content;
  }
  explicit ScratchFile(const Bytes& content) : ScratchFile(std::string(content.begin(), content.end())) {}
  ~ScratchFile() { std::filesystem::remove(path_); }
  ScratchFile(const ScratchFile&) = delete;
  ScratchFile& operator=(const ScratchFile&) = delete;

  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] std::string text() const {
    std::ifstream file(path_, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  [[nodiscard]] Bytes bytes() const {
    const std::string content = text();
    return {content.begin(), content.end()};
  }

 private:
  std::string path_;
};

}  // namespace packetmill::testing
