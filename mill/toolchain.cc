#include "mill/toolchain.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>

#include <fstream>
#include <iterator>
#include <vector>

extern char** environ;  // NOLINT(readability-redundant-declaration): POSIX has no header for it

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

/// Runs a program; what it printed, where it failed.
std::optional<std::string> run(const std::vector<std::string>& words, const fs::path& log) {
  std::vector<char*> arguments;
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 1, log.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0644);
  posix_spawn_file_actions_adddup2(&actions, 1, 2);
  pid_t child = 0;
  const int failure = posix_spawnp(&child, arguments[0], &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (failure != 0) return fmt::format("{}: {}", words[0], std::error_code(failure, std::system_category()).message());
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  std::ifstream file(log);
  std::string said{std::istreambuf_iterator<char>(file), {}};
  fs::remove(log);
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return std::nullopt;
  return fmt::format("{} failed\n{}", words[0], said);
}

}  // namespace

std::optional<std::string> compile(const fs::path& source, const fs::path& object, const Plan& plan) {
  std::vector<std::string> words = words_of("compile");
  if (words.empty()) return fmt::format("{} is missing: build the project again", PACKETMILL_TOOLCHAIN);
  if (plan.link == Link::lto) words.emplace_back("-flto=thin");
  words.insert(words.end(), {"-c", source.string(), "-o", object.string()});
  return run(words, object.string() + ".log");
}

std::optional<std::string> link(const fs::path& object, const fs::path& binary, const Plan& plan, unsigned shuffle) {
  const std::vector<std::string> compiler = words_of("compile");
  if (compiler.empty()) return fmt::format("{} is missing: build the project again", PACKETMILL_TOOLCHAIN);
  std::vector<std::string> words{compiler[0], object.string(), "-o", binary.string()};
  if (plan.link == Link::lto) words.emplace_back("-flto=thin");
  if (shuffle != 0) words.push_back(fmt::format("-Wl,--shuffle-sections=.text*={}", shuffle));
  for (std::string& word : words_of("link")) words.push_back(std::move(word));
  return run(words, binary.string() + ".log");
}

}  // namespace packetmill::mill
