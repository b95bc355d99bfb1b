#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/control_plane.h"

namespace packetmill {

/// One client of a ControlSocket, in Click's protocol 1.3: bytes in, bytes out, no sockets.
class ControlSession {
 public:
  struct Options {
    bool read_only = false;
    std::string proxy;  ///< handlers are looked for behind this element: PROXY.ELEMENT.HANDLER
  };
  ControlSession(Options options, ControlPlane& control_plane);

  /// Takes what the client has sent, and carries out the commands that are whole by now.
  void receive(std::string_view bytes);
  /// What is to be sent; the caller removes what it has sent.
  [[nodiscard]] std::string& output() { return output_; }
  /// The client has said QUIT, or what cannot be understood any more: to be closed when all output is sent.
  [[nodiscard]] bool finished() const { return finished_; }

 private:
  /// A handler is called with data that follow its command's line.
  struct Pending {
    bool writes = false;
    std::string handler;
    std::optional<std::size_t> bytes;  ///< so many; none: lines up to `terminator`
    std::string terminator;
    std::string data;
  };

  bool step();
  bool take_data();
  std::optional<std::string> take_line();
  void execute(const std::string& line);
  void expect_data(const std::vector<std::string_view>& words);
  void expect_lines(const std::vector<std::string_view>& words, std::string_view rest);
  void read(const std::string& handler, std::string_view parameter);
  void write(const std::string& handler, std::string_view value);
  void check(const std::string& handler, bool for_writing);
  std::optional<std::string> permitted(const std::string& handler, bool for_writing);
  std::string full_name(const std::string& handler);
  void call(const Pending& pending);
  void answer(int code, std::string_view message);
  void help();

  Options options_;
  ControlPlane& control_plane_;
  std::string input_;
  std::string output_;
  std::optional<Pending> pending_;
  bool after_carriage_return_ = false;  ///< a line feed that comes now belongs to the line before
  bool finished_ = false;
};

}  // namespace packetmill
