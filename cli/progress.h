#pragma once

#include <fmt/format.h>
#include <unistd.h>

namespace packetmill::cli {

/// A line that says how far long work is, on a terminal; nothing elsewhere. An empty text takes it away.
class Progress {
 public:
  template <class... T>
  void operator()(fmt::format_string<T...> format, T&&... arguments) const {
    if (terminal_) fmt::print(stderr, "\r\033[K{}", fmt::format(format, std::forward<T>(arguments)...));
  }

 private:
  bool terminal_ = isatty(STDERR_FILENO) != 0;
};

}  // namespace packetmill::cli
