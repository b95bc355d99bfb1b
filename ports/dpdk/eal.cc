#include "ports/dpdk/eal.h"

#include <fcntl.h>
#include <rte_eal.h>
#include <rte_errno.h>
#include <rte_lcore.h>
#include <rte_log.h>
#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <mutex>

#include "ports/dpdk/exchange.h"

namespace packetmill::dpdk {
namespace {

/// DPDK's log: handed on line by line; the last lines are kept, so that an error can quote them.
class Log {
 public:
  void set_sink(LogSink sink) {
    const std::lock_guard lock(mutex_);
    sink_ = std::move(sink);
  }

  void write(std::string_view text) {
    const std::lock_guard lock(mutex_);
    partial_ += text;
    for (std::size_t end; (end = partial_.find('\n')) != std::string::npos; partial_.erase(0, end + 1)) {
      const std::string_view line = std::string_view(partial_).substr(0, end);
      if (sink_) sink_(line);
      recent_.emplace_back(line);
      if (recent_.size() > kRecent) recent_.erase(recent_.begin());
    }
  }

  std::string take_recent() {
    const std::lock_guard lock(mutex_);
    std::string text;
    for (const std::string& line : recent_) text += (text.empty() ? "" : "; ") + line;
    recent_.clear();
    return text;
  }

  /// The stream that DPDK writes to, made when first asked for. It is never closed: DPDK logs until the process ends.
  FILE* stream() {
    static FILE* const stream = [this] {
      cookie_io_functions_t functions{};
      functions.write = [](void* self, const char* text, std::size_t size) {
        static_cast<Log*>(self)->write({text, size});
        return static_cast<ssize_t>(size);
      };
      return fopencookie(this, "w", functions);
    }();
    return stream;
  }

 private:
  static constexpr std::size_t kRecent = 8;
  std::mutex mutex_;
  LogSink sink_;
  std::string partial_;
  std::vector<std::string> recent_;
};

Log& log() {
  static Log* const log = new Log;  // outlives every thread of DPDK's
  return *log;
}

/// DPDK prints its usage text to standard output when it does not like an argument; a library must not.
class SilencedOutput {
 public:
  SilencedOutput() {
    std::fflush(stdout);
    saved_ = dup(STDOUT_FILENO);
    const int null = open("/dev/null", O_WRONLY | O_CLOEXEC);
    if (null >= 0) {
      dup2(null, STDOUT_FILENO);
      close(null);
    }
  }
  ~SilencedOutput() {
    std::fflush(stdout);
    if (saved_ < 0) return;
    dup2(saved_, STDOUT_FILENO);
    close(saved_);
  }
  SilencedOutput(const SilencedOutput&) = delete;
  SilencedOutput& operator=(const SilencedOutput&) = delete;

 private:
  int saved_;
};

bool hugepages_free() {
  std::error_code ignored;
  for (const auto& size : std::filesystem::directory_iterator("/sys/kernel/mm/hugepages", ignored)) {
    long free = 0;
    std::ifstream(size.path() / "free_hugepages") >> free;
    if (free > 0) return true;
  }
  return false;
}

/// The processors of this process in EAL's notation: "0,1,5".
std::string allowed_processors() {
  cpu_set_t set;
  CPU_ZERO(&set);
  sched_getaffinity(0, sizeof set, &set);
  std::string text;
  for (int i = 0; i < CPU_SETSIZE; ++i)
    if (CPU_ISSET(i, &set)) text += (text.empty() ? "" : ",") + std::to_string(i);
  return text;
}

std::mutex start_mutex;
std::optional<std::vector<std::string>> started_with;
std::optional<std::string> failure;  ///< who could not start the first time cannot be asked again

}  // namespace

void set_log_sink(LogSink sink) { log().set_sink(std::move(sink)); }

std::string take_recent_log() { return log().take_recent(); }

std::vector<std::string> default_arguments(const std::vector<std::string>& arguments, bool hugepages) {
  // "-l", "-l0-3", "--lcores", "--lcores=..." all give an option.
  const auto given = [&](std::initializer_list<std::string_view> options) {
    return std::any_of(arguments.begin(), arguments.end(), [&](const std::string& argument) {
      return std::any_of(options.begin(), options.end(), [&](std::string_view option) {
        if (!argument.starts_with(option)) return false;
        return !option.starts_with("--") || argument.size() == option.size() || argument[option.size()] == '=';
      });
    });
  };
  std::vector<std::string> defaults;
  const auto add = [&](std::initializer_list<std::string_view> words) {
    defaults.insert(defaults.end(), words.begin(), words.end());
  };
  if (!given({"-l", "-c", "--lcores"})) add({"--lcores", "0@(" + allowed_processors() + ")"});
  if (!given({"--telemetry", "--no-telemetry"})) add({"--no-telemetry"});
  if (!given({"--log-level"})) add({"--log-level", "*:warning"});
  const bool sharing = given({"--file-prefix", "--proc-type", "--huge-dir"});
  if (given({"--no-huge"}) || (!hugepages && !sharing)) {
    if (!given({"--no-huge"})) add({"--no-huge"});
    // Memory is committed when it is touched, so that a generous size costs nothing.
    if (!given({"-m", "--socket-mem"})) add({"-m", "1024"});
    if (!given({"--no-shconf"})) add({"--no-shconf"});
    // A NIC's addresses cannot be had from ordinary memory without an IOMMU: whoever has one names the device.
    if (!given({"-a", "--allow", "-b", "--block", "--no-pci"})) add({"--no-pci"});
  } else if (!sharing && !given({"--in-memory", "--legacy-mem"})) {
    add({"--in-memory"});
  }
  return defaults;
}

std::optional<std::string> start_eal(const std::vector<std::string>& arguments) {
  const std::lock_guard lock(start_mutex);
  if (failure) return failure;
  if (started_with) {
    if (*started_with == arguments) return std::nullopt;
    return "DPDK is already running, with other EAL arguments";
  }
  for (const std::string& argument : arguments)
    if (argument == "-h" || argument == "--help" || argument == "--log-level=help" || argument == "help")
      return "EAL argument '" + argument + "' asks for help; see the EAL parameters in DPDK's documentation";

  std::vector<std::string> words{"packetmill"};
  const std::vector<std::string> defaults = default_arguments(arguments, hugepages_free());
  words.insert(words.end(), defaults.begin(), defaults.end());
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  const int count = static_cast<int>(argv.size());
  argv.push_back(nullptr);

  rte_openlog_stream(log().stream());
  int parsed;
  {
    const SilencedOutput silenced;
    parsed = rte_eal_init(count, argv.data());
  }
  const std::string said = log().take_recent();
  if (parsed < 0) return failure = "DPDK does not start: " + (said.empty() ? rte_strerror(rte_errno) : said);
  started_with = arguments;
  if (parsed < count - 1)
    return "unknown EAL argument '" + std::string(argv[static_cast<std::size_t>(parsed) + 1]) + "'";
  return std::nullopt;
}

bool eal_started() {
  const std::lock_guard lock(start_mutex);
  return started_with.has_value();
}

ThreadRegistration::ThreadRegistration() {
  spares.open();
  // The thread that started DPDK has an identity already, and keeps it.
  registered_ = eal_started() && rte_lcore_id() == LCORE_ID_ANY && rte_thread_register() == 0;
}

ThreadRegistration::~ThreadRegistration() {
  spares.close();
  if (registered_) rte_thread_unregister();
}

}  // namespace packetmill::dpdk
