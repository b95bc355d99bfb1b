#pragma once

#include <sys/types.h>

#include <cstdint>
#include <cstdio>
#include <memory>
#include <optional>
#include <string>

namespace packetmill {

/// A trace's bytes for reading: a file, standard input ("-"), or the output of zcat(1) or bzcat(1) where the file
/// begins as gzip's or bzip2's do.
class TraceStream {
 public:
  /// No stream, and the reason in `wrong`, where the file cannot be read.
  static std::optional<TraceStream> open(const std::string& path, std::string& wrong);
  TraceStream(TraceStream&& other) noexcept;
  TraceStream& operator=(TraceStream&& other) noexcept;
  ~TraceStream();

  [[nodiscard]] std::FILE* file() const { return file_; }
  /// Somebody else closes the file from now on, before this object ends.
  void give_away_file() { file_given_away_ = true; }
  /// In bytes; none where the file is compressed or not a regular one.
  [[nodiscard]] std::optional<std::uint64_t> size() const;
  /// Of the uncompressed bytes; none likewise.
  [[nodiscard]] std::optional<std::uint64_t> position() const;

 private:
  TraceStream(std::FILE* file, pid_t decompressor) : file_(file), decompressor_(decompressor) {}

  std::FILE* file_;
  pid_t decompressor_;  ///< 0: none
  bool file_given_away_ = false;
};

/// A file to write a trace to; "-" is standard output. Null, and errno, where that fails. Closing it leaves standard
/// output open.
std::FILE* open_trace_output(const std::string& path);

/// Reading a trace is copying: the C library's few kilobytes at a time would make it system calls.
inline constexpr std::size_t kTraceBuffer = std::size_t{1} << 18U;

}  // namespace packetmill
