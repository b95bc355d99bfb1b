#pragma once

#include <sys/types.h>

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <thread>

#include "elements/control/control_session.h"

namespace packetmill {

/// Where a ControlSocket listens, and how.
struct ControlServerOptions {
  bool tcp = true;
  std::uint16_t port = 0;        ///< TCP
  bool or_a_later_port = false;  ///< the first free one, from `port` on
  bool localhost = false;        ///< TCP: connections from this machine only
  std::string path;              ///< Unix
  bool verbose = false;
  int retries = 0;
  bool retry_warnings = true;
  ControlSession::Options session;
};

/// Serves ControlSessions, in a thread of its own.
class ControlServer {
 public:
  ControlServer(ControlServerOptions options, std::string name, ControlPlane& control_plane);
  /// Answers the command that is under way, and closes all connections.
  ~ControlServer();
  ControlServer(const ControlServer&) = delete;
  ControlServer& operator=(const ControlServer&) = delete;

  /// Opens the socket and starts to serve; what is wrong, where that fails and is not to be tried again.
  [[nodiscard]] std::optional<std::string> start();

  /// The TCP port, 0 while it is not open.
  [[nodiscard]] std::uint16_t port() const { return port_; }

 private:
  struct Connection;

  std::optional<std::string> open();
  std::optional<std::string> bind_tcp();
  std::optional<std::string> bind_unix();
  bool open_at_last();
  void serve();
  bool exchange(Connection& connection, short events);
  void say(const std::string& text);

  ControlServerOptions options_;
  std::string name_;
  ControlPlane& control_plane_;
  int listener_ = -1;
  int wakeup_ = -1;  ///< an eventfd that ends the thread's waiting
  bool made_file_ = false;
  std::atomic<std::uint16_t> port_{0};
  std::atomic<bool> done_{false};
  std::thread thread_;
};

}  // namespace packetmill
