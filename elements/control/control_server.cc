#include "elements/control/control_server.h"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <list>
#include <vector>

namespace packetmill {
namespace {

constexpr int kBacklog = 16;
constexpr int kPortsToTry = 100;  ///< for PORT+
constexpr std::size_t kChunk = 64 << 10;

std::string failure(const char* call) { return fmt::format("{}: {}", call, std::strerror(errno)); }

}  // namespace

struct ControlServer::Connection {
  int socket;
  ControlSession session;
  bool input_closed = false;
};

ControlServer::ControlServer(ControlServerOptions options, std::string name, ControlPlane& control_plane)
    : options_(std::move(options)), name_(std::move(name)), control_plane_(control_plane) {}

ControlServer::~ControlServer() {
  done_ = true;
  if (thread_.joinable()) {
    eventfd_write(wakeup_, 1);
    thread_.join();
  }
  if (listener_ >= 0) close(listener_);
  if (wakeup_ >= 0) close(wakeup_);
  if (made_file_) unlink(options_.path.c_str());
}

std::optional<std::string> ControlServer::start() {
  wakeup_ = eventfd(0, EFD_CLOEXEC);
  if (wakeup_ < 0) return failure("eventfd");
  if (auto wrong = open()) {
    if (options_.retries <= 0) return wrong;
    if (options_.retry_warnings) say(*wrong + ", trying again");
  }
  thread_ = std::thread([this] {
    if (listener_ >= 0 || open_at_last()) serve();
  });
  return std::nullopt;
}

std::optional<std::string> ControlServer::open() {
  listener_ = socket(options_.tcp ? AF_INET : AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (listener_ < 0) return failure("socket");
  auto wrong = options_.tcp ? bind_tcp() : bind_unix();
  if (!wrong && listen(listener_, kBacklog) != 0) wrong = failure("listen");
  if (wrong) {
    close(listener_);
    listener_ = -1;
  }
  return wrong;
}

std::optional<std::string> ControlServer::bind_tcp() {
  const int yes = 1;
  setsockopt(listener_, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  // What does not listen to others cannot be reached by them.
  address.sin_addr.s_addr = htonl(options_.localhost ? INADDR_LOOPBACK : INADDR_ANY);
  for (int i = 0;; ++i) {
    address.sin_port = htons(static_cast<std::uint16_t>(options_.port + i));
    if (bind(listener_, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0) break;
    if (!options_.or_a_later_port || errno != EADDRINUSE || i == kPortsToTry || options_.port + i == 65535)
      return failure("bind");
  }
  socklen_t length = sizeof address;
  getsockname(listener_, reinterpret_cast<sockaddr*>(&address), &length);
  port_ = ntohs(address.sin_port);
  return std::nullopt;
}

std::optional<std::string> ControlServer::bind_unix() {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (options_.path.size() >= sizeof address.sun_path) return "filename too long";
  std::memcpy(address.sun_path, options_.path.c_str(), options_.path.size());
  const auto* const generic = reinterpret_cast<sockaddr*>(&address);
  if (bind(listener_, generic, sizeof address) == 0) {
    made_file_ = true;
    return std::nullopt;
  }
  if (errno != EADDRINUSE) return failure("bind");
  // A socket that nobody listens to any more is left from a run that was killed.
  const int probe = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (probe < 0) return failure("socket");
  const bool abandoned = connect(probe, generic, sizeof address) != 0 && errno == ECONNREFUSED;
  close(probe);
  errno = EADDRINUSE;
  if (!abandoned || unlink(options_.path.c_str()) != 0 || bind(listener_, generic, sizeof address) != 0)
    return failure("bind");
  made_file_ = true;
  return std::nullopt;
}

/// "It will attempt to open the socket once a second until it succeeds, or until RETRIES unsuccessful attempts (after
/// which it will stop the router)."
bool ControlServer::open_at_last() {
  for (int attempt = 1; attempt <= options_.retries; ++attempt) {
    pollfd wakeup{wakeup_, POLLIN, 0};
    if (poll(&wakeup, 1, 1000) != 0) return false;
    const auto wrong = open();
    if (!wrong) return true;
    if (options_.retry_warnings || attempt == options_.retries) say(*wrong);
  }
  control_plane_.request_stop();
  return false;
}

void ControlServer::serve() {
  std::list<Connection> connections;
  while (!done_) {
    std::vector<pollfd> waits{{wakeup_, POLLIN, 0}, {listener_, POLLIN, 0}};
    for (Connection& c : connections) {
      const int wants =
          (c.input_closed || c.session.finished() ? 0 : POLLIN) | (c.session.output().empty() ? 0 : POLLOUT);
      waits.push_back({c.socket, static_cast<short>(wants), 0});
    }
    if (poll(waits.data(), waits.size(), -1) < 0 && errno != EINTR) break;

    std::size_t i = 2;
    for (auto connection = connections.begin(); connection != connections.end();) {
      const bool alive = exchange(*connection, waits[i++].revents);
      if (!alive) {
        close(connection->socket);
        if (options_.verbose) say("closed connection " + std::to_string(connection->socket));
      }
      connection = alive ? std::next(connection) : connections.erase(connection);
    }
    if ((waits[1].revents & POLLIN) == 0) continue;
    const int accepted = accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK);
    if (accepted < 0) continue;
    if (options_.verbose) say("opened connection " + std::to_string(accepted));
    connections.push_back({accepted, ControlSession(options_.session, control_plane_)});
    exchange(connections.back(), POLLOUT);
  }
  for (const Connection& connection : connections) close(connection.socket);
}

/// Reads, carries out and writes what can be; false where the connection is to be closed.
bool ControlServer::exchange(Connection& connection, short events) {
  if ((events & (POLLERR | POLLNVAL)) != 0) return false;
  if ((events & (POLLIN | POLLHUP)) != 0 && !connection.input_closed && !connection.session.finished()) {
    char buffer[kChunk];
    const ssize_t length = recv(connection.socket, buffer, sizeof buffer, 0);
    if (length > 0)
      connection.session.receive({buffer, static_cast<std::size_t>(length)});
    else if (length == 0)
      connection.input_closed = true;
    else if (errno != EAGAIN && errno != EINTR)
      return false;
  }
  std::string& output = connection.session.output();
  while (!output.empty()) {
    const ssize_t sent = send(connection.socket, output.data(), output.size(), MSG_NOSIGNAL);
    if (sent < 0) return errno == EAGAIN || errno == EINTR;
    output.erase(0, static_cast<std::size_t>(sent));
  }
  return !connection.input_closed && !connection.session.finished();
}

void ControlServer::say(const std::string& text) { control_plane_.message(name_ + ": " + text); }

}  // namespace packetmill
