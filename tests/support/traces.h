#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "tests/support/element_test.h"

/// Packet traces on disk, for tests whose ports read and write files.
namespace packetmill::testing {

/// A directory of the test's own, gone with it.
class ScratchDirectory {
 public:
  ScratchDirectory();
  ~ScratchDirectory() { std::filesystem::remove_all(path_); }
  ScratchDirectory(const ScratchDirectory&) = delete;
  ScratchDirectory& operator=(const ScratchDirectory&) = delete;
  [[nodiscard]] std::string file(const std::string& name) const { return path_ / name; }

 private:
  std::filesystem::path path_;
};

/// Ethernet frames, a microsecond from one to the next, beginning at second 1000.
void write_trace(const std::string& path, const std::vector<Bytes>& frames);
/// Every frame of a trace; a test failure where it cannot be read.
[[nodiscard]] std::vector<Bytes> read_trace(const std::string& path);

}  // namespace packetmill::testing
