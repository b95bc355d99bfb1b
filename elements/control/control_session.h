#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "elements/control/control_server.h"

namespace packetmill {

/// One client of a ControlSocket: bytes in, bytes out, no sockets.
class ControlSession {
 public:
  ControlSession(const ControlServerOptions& options, ControlPlane& control_plane);

  /// Takes what the client has sent, and carries out the commands that are whole by now.
  void receive(std::string_view bytes);
  /// What is to be sent; the caller removes what it has sent.
  [[nodiscard]] std::string& output() { return output_; }
  /// The client has said QUIT, or what cannot be understood any more: close when all output is sent.
  [[nodiscard]] bool finished() const { return finished_; }

 private:
  struct Command;

  bool execute_next();
  std::optional<std::string> take_line(std::size_t& position) const;
  void execute(const std::string& line, std::size_t& position, bool& incomplete);
  void read(const std::string& handler, std::string_view parameter);
  void write(const std::string& handler, std::string_view value);
  void check(const std::string& handler, bool for_writing);
  void help();

  /// The full name of a handler that exists and may be used so; empty, and the answer given, otherwise.
  std::string permitted(const std::string& handler, bool for_writing);
  void answer(int code, std::string_view message);
  void failure(std::string_view first, const std::string& messages);

  static constexpr std::size_t kLongestLine = 64 << 10;
  static constexpr std::size_t kMostData = 64 << 20;

  const ControlServerOptions& options_;
  ControlPlane& control_plane_;
  std::string input_;
  std::string output_;
  bool finished_ = false;
};

}  // namespace packetmill
