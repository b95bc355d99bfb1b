#include "mill/toolchain.h"

#include <fmt/format.h>

#include <fstream>
#include <vector>

#include "mill/process.h"

namespace packetmill::mill {
namespace {

namespace fs = std::filesystem;

/// The build writes what it compiles and links with, a word a line, behind a line that names the step.
std::vector<std::string> words_of(const std::string& step) {
  std::ifstream file(PACKETMILL_TOOLCHAIN);
  std::vector<std::string> words;
  bool mine = false;
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("["))
      mine = line == "[" + step + "]";
    else if (mine && !line.empty())
      words.push_back(line);
  }
  return words;
}

/// Runs a step of which nobody reads the output.
std::optional<std::string> run(const std::vector<std::string>& words, const fs::path& result) {
  const fs::path log = result.string() + ".log";
  auto wrong = run_program(words, log);
  fs::remove(log);
  return wrong;
}

std::string toolchain_missing() { return fmt::format("{} is missing: build the project again", PACKETMILL_TOOLCHAIN); }

}  // namespace

std::optional<std::string> compile(const fs::path& source, const fs::path& object, const Plan& plan) {
  std::vector<std::string> words = words_of("compile");
  if (words.empty()) return toolchain_missing();
  if (plan.link == Link::lto) words.emplace_back("-flto=full");
  words.insert(words.end(), {"-c", source.string(), "-o", object.string()});
  return run(words, object);
}

std::optional<std::string> compile_to_ir(const fs::path& source, const fs::path& ir) {
  std::vector<std::string> words = words_of("compile");
  if (words.empty()) return toolchain_missing();
  words.insert(words.end(), {"-gline-tables-only", "-S", "-emit-llvm", source.string(), "-o", ir.string()});
  return run(words, ir);
}

std::optional<std::string> compile_ir(const fs::path& ir, const fs::path& object) {
  std::vector<std::string> words = words_of("compile");
  if (words.empty()) return toolchain_missing();
  words.insert(words.end(),
               {"-Wno-unused-command-line-argument", "-Xclang", "-disable-llvm-passes", "-fbasic-block-address-map",
                "-mllvm", "-pgo-analysis-map=bb-freq,br-prob", "-c", "-x", "ir", ir.string(), "-o", object.string()});
  return run(words, object);
}

std::string processor() {
  for (const std::string& word : words_of("compile"))
    if (word.starts_with("-march=")) return word.substr(word.find('=') + 1);
  return "native";
}

std::optional<std::string> link(const fs::path& object, const fs::path& binary, const Plan& plan, unsigned shuffle) {
  const std::vector<std::string> compiler = words_of("compile");
  if (compiler.empty()) return toolchain_missing();
  std::vector<std::string> words{compiler[0], object.string(), "-o", binary.string()};
  // Without the second word the machine code of DPDK's objects is linked, without a word about their bitcode.
  if (plan.link == Link::lto) words.insert(words.end(), {"-flto=full", "-Wl,--fat-lto-objects"});
  if (shuffle != 0) words.push_back(fmt::format("-Wl,--shuffle-sections=.text*={}", shuffle));
  for (std::string& word : words_of("link")) words.push_back(std::move(word));
  return run(words, binary);
}

}  // namespace packetmill::mill
