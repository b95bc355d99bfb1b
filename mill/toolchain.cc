#include "mill/toolchain.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>

#include <chrono>
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

std::optional<std::string> compile(const fs::path& source, const fs::path& binary, const Plan& plan, Timing& timing) {
  const auto seconds_since = [](std::chrono::steady_clock::time_point start) {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  };
  const fs::path object = source.string() + ".o";
  const fs::path log = source.string() + ".log";
  const bool lto = plan.link == Link::lto;
  auto start = std::chrono::steady_clock::now();
  std::vector<std::string> words = words_of("compile");
  if (words.empty()) return fmt::format("{} is missing: build the project again", PACKETMILL_TOOLCHAIN);
  if (lto) words.emplace_back("-flto=thin");
  words.insert(words.end(), {"-c", source.string(), "-o", object.string()});
  if (auto wrong = run(words, log)) return wrong;
  timing.compile = seconds_since(start);

  start = std::chrono::steady_clock::now();
  std::vector<std::string> link{words[0], object.string(), "-o", binary.string()};
  if (lto) link.emplace_back("-flto=thin");
  for (std::string& word : words_of("link")) link.push_back(std::move(word));
  auto wrong = run(link, log);
  fs::remove(object);
  timing.link = seconds_since(start);
  return wrong;
}

}  // namespace packetmill::mill
