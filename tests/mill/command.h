#pragma once

#include <cstdlib>
#include <string>

#include "tests/support/scratch_file.h"

namespace packetmill::testing {

/// What a shell command printed, on both streams, and how it ended.
struct Ended {
  int status = 0;
  std::string text;
};
inline Ended run_command(const std::string& command) {
  const ScratchFile out;
  const int status = std::system(("(" + command + ") > " + out.path() + " 2>&1").c_str());
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, out.text()};
}

}  // namespace packetmill::testing
