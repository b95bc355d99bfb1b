#include "ports/pcap/dump_file.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace packetmill::pcap {
namespace {

/// Reading a trace is copying: the standard library's few kilobytes at a time would make it system calls.
constexpr std::size_t kBuffer = std::size_t{1} << 18U;

std::string system_error(const std::string& path) { return path + ": " + std::strerror(errno); }

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
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, fileno(file), STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
  char* const arguments[] = {const_cast<char*>(command), nullptr};
  pid_t child = -1;
  if (const int error = posix_spawnp(&child, command, &actions, nullptr, arguments, environ); error != 0) {
    errno = error;
    child = -1;
  }
  posix_spawn_file_actions_destroy(&actions);
  close(ends[1]);
  std::fclose(file);
  file = fdopen(ends[0], "rb");
  return child;
}

/// Unsigned arithmetic, because a file may claim any time.
Timestamp time_of(const timeval& time) {
  return {static_cast<std::int64_t>(static_cast<std::uint64_t>(time.tv_sec) * kNanosecondsPerSecond +
                                    static_cast<std::uint64_t>(time.tv_usec))};
}

}  // namespace

std::unique_ptr<DumpReader> DumpReader::open(const std::string& path, std::string& wrong) {
  std::FILE* file = open_stream(path, STDIN_FILENO, "rbe");
  if (file == nullptr) {
    wrong = system_error(path);
    return nullptr;
  }
  pid_t decompressor = 0;
  if (const char* command = decompressor_for(file)) {
    decompressor = read_through(command, file);
    if (decompressor < 0) {
      wrong = path + ": " + command + ": " + std::strerror(errno);
      std::fclose(file);
      return nullptr;
    }
  }
  std::setvbuf(file, nullptr, _IOFBF, kBuffer);
  char error[PCAP_ERRBUF_SIZE];
  pcap_t* pcap = pcap_fopen_offline_with_tstamp_precision(file, PCAP_TSTAMP_PRECISION_NANO, error);
  if (pcap == nullptr) {
    wrong = path + ": " + error;
    std::fclose(file);
    if (decompressor > 0) waitpid(decompressor, nullptr, 0);
    return nullptr;
  }
  return std::unique_ptr<DumpReader>(new DumpReader(pcap, decompressor));
}

DumpReader::~DumpReader() {
  pcap_close(pcap_);  // and the stream; a decompressor that still writes ends by SIGPIPE
  if (decompressor_ > 0) waitpid(decompressor_, nullptr, 0);
}

std::optional<Record> DumpReader::next(std::string& wrong) {
  pcap_pkthdr* header = nullptr;
  const u_char* data = nullptr;
  switch (pcap_next_ex(pcap_, &header, &data)) {
    case 1:
      return Record{data, header->caplen, std::max(header->caplen, header->len), time_of(header->ts)};
    case PCAP_ERROR_BREAK:  // the end
      return {};
    default:
      wrong = pcap_geterr(pcap_);
      return {};
  }
}

std::optional<std::uint64_t> DumpReader::size() const {
  struct stat status{};
  if (fstat(fileno(pcap_file(pcap_)), &status) != 0 || !S_ISREG(status.st_mode)) return {};
  return static_cast<std::uint64_t>(status.st_size);
}

std::optional<std::uint64_t> DumpReader::position() const {
  const off_t position = ftello(pcap_file(pcap_));
  return position < 0 ? std::optional<std::uint64_t>() : static_cast<std::uint64_t>(position);
}

bool DumpReader::seek(std::uint64_t position) {
  return position <= INT64_MAX && fseeko(pcap_file(pcap_), static_cast<off_t>(position), SEEK_SET) == 0;
}

std::unique_ptr<DumpWriter> DumpWriter::open(const std::string& path, const Format& format, std::string& wrong) {
  std::FILE* file = open_stream(path, STDOUT_FILENO, "wbe");
  if (file == nullptr) {
    wrong = system_error(path);
    return nullptr;
  }
  if (format.unbuffered)
    std::setvbuf(file, nullptr, _IONBF, 0);
  else
    std::setvbuf(file, nullptr, _IOFBF, kBuffer);
  pcap_t* pcap = pcap_open_dead_with_tstamp_precision(
      format.link_type, static_cast<int>(format.snap_length),
      format.nanoseconds ? PCAP_TSTAMP_PRECISION_NANO : PCAP_TSTAMP_PRECISION_MICRO);
  pcap_dumper_t* dumper = pcap_dump_fopen(pcap, file);
  if (dumper == nullptr) {  // the header could not be written; the stream is closed
    wrong = path + ": " + pcap_geterr(pcap);
    pcap_close(pcap);
    return nullptr;
  }
  return std::unique_ptr<DumpWriter>(new DumpWriter(pcap, dumper, format));
}

DumpWriter::~DumpWriter() {
  pcap_dump_close(dumper_);
  pcap_close(pcap_);
}

bool DumpWriter::write(const Record& record) {
  std::int64_t seconds = record.time.nanoseconds / kNanosecondsPerSecond;
  std::int64_t fraction = record.time.nanoseconds % kNanosecondsPerSecond;
  if (fraction < 0) {
    --seconds;
    fraction += kNanosecondsPerSecond;
  }
  pcap_pkthdr header{};
  header.ts = {seconds, format_.nanoseconds ? fraction : fraction / 1000};
  header.caplen = std::min(record.captured, format_.snap_length);
  header.len = record.length;
  pcap_dump(reinterpret_cast<u_char*>(dumper_), &header, record.data);
  return std::ferror(pcap_dump_file(dumper_)) == 0;
}

}  // namespace packetmill::pcap
