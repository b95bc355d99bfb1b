#include "ports/trace_stream.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

namespace packetmill {
namespace {

/// A stream over `standard` for "-", over the file otherwise.
std::FILE* open_stream(const std::string& path, int standard, const char* mode) {
  if (path != "-") return std::fopen(path.c_str(), mode);
  const int copy = fcntl(standard, F_DUPFD_CLOEXEC, 0);  // closing the stream shall not close the standard one
  return copy < 0 ? nullptr : fdopen(copy, mode);
}

/// The command that makes a compressed file readable, by its first bytes (RFC 1952, 2.3.1; bzip2's format); null where
/// it is not compressed.
const char* decompressor_for(std::FILE* file) {
  unsigned char magic[3] = {};
  if (pread(fileno(file), magic, sizeof(magic), 0) != sizeof(magic)) return nullptr;
  if (magic[0] == 0x1f && magic[1] == 0x8b) return "zcat";
  if (std::memcmp(magic, "BZh", 3) == 0) return "bzcat";
  return nullptr;
}

/// Starts `command` with `file` as its input, and replaces `file` by its output; the process, or -1.
pid_t read_through(const char* command, std::FILE*& file) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return -1;
  std::FILE* const output = fdopen(ends[0], "rb");
  if (output == nullptr) {
    close(ends[0]);
    close(ends[1]);
    return -1;
  }
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, fileno(file), STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
  char* const arguments[] = {const_cast<char*>(command), nullptr};
  pid_t child = -1;
  const int error = posix_spawnp(&child, command, &actions, nullptr, arguments, environ);
  posix_spawn_file_actions_destroy(&actions);
  close(ends[1]);
  std::fclose(std::exchange(file, output));
  errno = error;
  return error == 0 ? child : -1;
}

}  // namespace

std::optional<TraceStream> TraceStream::open(const std::string& path, std::string& wrong) {
  std::FILE* file = open_stream(path, STDIN_FILENO, "rbe");
  if (file == nullptr) {
    wrong = path + ": " + std::strerror(errno);
    return {};
  }
  pid_t decompressor = 0;
  if (const char* command = decompressor_for(file)) {
    decompressor = read_through(command, file);
    if (decompressor < 0) {
      wrong = path + ": " + command + ": " + std::strerror(errno);
      std::fclose(file);
      return {};
    }
  }
  std::setvbuf(file, nullptr, _IOFBF, kTraceBuffer);
  return TraceStream(file, decompressor);
}

TraceStream::TraceStream(TraceStream&& other) noexcept
    : file_(std::exchange(other.file_, nullptr)),
      decompressor_(std::exchange(other.decompressor_, 0)),
      file_given_away_(other.file_given_away_) {}

TraceStream& TraceStream::operator=(TraceStream&& other) noexcept {
  std::swap(file_, other.file_);
  std::swap(decompressor_, other.decompressor_);
  std::swap(file_given_away_, other.file_given_away_);
  return *this;
}

TraceStream::~TraceStream() {
  if (file_ != nullptr && !file_given_away_) std::fclose(file_);
  if (decompressor_ > 0) waitpid(decompressor_, nullptr, 0);  // one that still writes ends by SIGPIPE
}

std::optional<std::uint64_t> TraceStream::size() const {
  struct stat status{};
  if (fstat(fileno(file_), &status) != 0 || !S_ISREG(status.st_mode)) return {};
  return static_cast<std::uint64_t>(status.st_size);
}

std::optional<std::uint64_t> TraceStream::position() const {
  const off_t position = ftello(file_);
  return position < 0 ? std::optional<std::uint64_t>() : static_cast<std::uint64_t>(position);
}

std::FILE* open_trace_output(const std::string& path) { return open_stream(path, STDOUT_FILENO, "wbe"); }

}  // namespace packetmill
