#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <thread>

#include "runtime/control_plane.h"

namespace packetmill {

/// Where a ControlSocket listens, and what it allows.
struct ControlServerOptions {
  bool tcp = true;
  std::uint16_t port = 0;        ///< TCP
  bool or_a_later_port = false;  ///< the next free one, from `port` on
  bool localhost = false;        ///< TCP: connections from this machine only
  std::string path;              ///< Unix
  bool read_only = false;
  bool verbose = false;
  std::string proxy;  ///< handlers are looked for behind this element: PROXY.ELEMENT.HANDLER
  int retries = 0;
  bool retry_warnings = true;
};

/// Serves Click's ControlSocket protocol, version 1.3, in a thread of its own.
class ControlServer {
 public:
  ControlServer(ControlServerOptions options, std::string name, ControlPlane& control_plane);
  /// Answers the command that is under way, and closes all connections.
  ~ControlServer();
  ControlServer(const ControlServer&) = delete;
  ControlServer& operator=(const ControlServer&) = delete;

  /// Opens the socket and starts to serve; what is wrong, where it cannot and is not to try again.
  [[nodiscard]] std::optional<std::string> start();

  /// The TCP port, 0 before it is open.
  [[nodiscard]] std::uint16_t port() const { return port_; }

 private:
  std::optional<std::string> open();
  std::optional<std::string> bind_tcp(int socket);
  std::optional<std::string> bind_unix(int socket);
  bool retry();
  void serve();

  ControlServerOptions options_;
  std::string name_;
  ControlPlane& control_plane_;
  int listener_ = -1;
  int wakeup_ = -1;
  bool made_file_ = false;
  std::atomic<std::uint16_t> port_{0};
  std::atomic<bool> done_{false};
  std::thread thread_;
};

}  // namespace packetmill
