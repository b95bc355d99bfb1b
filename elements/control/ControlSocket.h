#pragma once

#include <memory>

#include "elements/control/control_server.h"
#include "runtime/element.h"

namespace packetmill {

/// ControlSocket: lets other programs call handlers, by Click's ControlSocket protocol, version 1.3.
///
/// Ports:     none.
/// Arguments: ControlSocket(TCP, PORT) listens on a TCP port; "PORT+" takes the first free one from PORT on.
///            ControlSocket(UNIX, FILENAME) listens on a Unix socket.
/// Keywords:  READONLY (default false): no write handlers. PROXY: an element; handler E.H is then PROXY.E.H. VERBOSE
///            (default false): says when connections come and go. LOCALHOST (default false): TCP connections from this
///            machine only. RETRIES (default 0): how often to try again, once a second, where the socket cannot be
///            opened; then the router stops. RETRY_WARNINGS (default true): says so each time.
/// Commands:  READ HANDLER [ARGS], READDATA HANDLER BYTES, READUNTIL HANDLER [TERMINATOR], WRITE, WRITEDATA,
///            WRITEUNTIL, CHECKREAD HANDLER, CHECKWRITE HANDLER, HELP, QUIT. A handler is ELEMENT.NAME, with an
///            element's number from 1 on for its name, or a global handler's NAME.
/// Answers:   200 OK; 500 syntax error; 501 no such command; 510 no such element; 511 no such handler; 520 the handler
///            says what is wrong; 521 too much data; 530 not permitted.
/// Handlers:  port (read; TCP), filename (read; UNIX).
/// Example:   ControlSocket(UNIX, /run/router.sock) // printf 'READ c.count\r\n' | nc -U /run/router.sock
/// See also:  Script, DriverManager; packetmill run --port and --unix-socket
struct ControlSocket {
  static constexpr ElementInfo info{.name = "ControlSocket", .ports = "0/0", .processing = "a/a"};

  struct Parameters {
    Text type;
    Text address;
    Text proxy;
    std::uint16_t port = 0;
    bool or_a_later_port = false;
    bool read_only = false;
    bool verbose = false;
    bool localhost = false;
    int retries = 0;
    bool retry_warnings = true;
  };
  struct State {
    std::unique_ptr<ControlServer> server;
  };
  static constexpr Scope scope = Scope::pinned;
  static constexpr auto keywords =
      describe(mandatory<&Parameters::type>("TYPE"), mandatory<&Parameters::address>("PORT"),
               keyword<&Parameters::read_only>("READONLY"), keyword<&Parameters::proxy>("PROXY"),
               keyword<&Parameters::verbose>("VERBOSE"), keyword<&Parameters::localhost>("LOCALHOST"),
               keyword<&Parameters::retries>("RETRIES"), keyword<&Parameters::retry_warnings>("RETRY_WARNINGS"));

  static constexpr bool is_tcp(const Parameters& p) { return p.type == "TCP" || p.type == "tcp"; }

  static void configure(Configuration& configuration, Parameters& p) {
    if (is_tcp(p)) {
      std::string_view number = p.address;
      p.or_a_later_port = number.ends_with('+');
      if (p.or_a_later_port) number.remove_suffix(1);
      if (auto wrong = parse(number, p.port)) configuration.error("PORT: " + *wrong);
    } else if (p.type != "UNIX" && p.type != "unix" && !p.type.empty()) {
      configuration.error("TYPE: expected TCP or UNIX");
    }
  }

  static Refusal start(auto& element) {
    const Parameters& p = element.parameters();
    element.state().server = std::make_unique<ControlServer>(
        ControlServerOptions{.tcp = is_tcp(p),
                             .port = p.port,
                             .or_a_later_port = p.or_a_later_port,
                             .localhost = p.localhost,
                             .path = std::string(is_tcp(p) ? "" : p.address),
                             .verbose = p.verbose,
                             .retries = p.retries,
                             .retry_warnings = p.retry_warnings,
                             .session = {.read_only = p.read_only, .proxy = std::string(p.proxy)}},
        std::string(element.name()), element.control_plane());
    return element.state().server->start();
  }
  static void cleanup(auto& element) { element.state().server.reset(); }

  static constexpr auto handlers =
      describe(read("port",
                    [](const auto& element, std::string_view) -> ControlPlane::Answer {
                      if (!ControlSocket::is_tcp(element.parameters())) return {false, "not a TCP socket"};
                      return {true, std::to_string(element.state().server->port())};
                    }),
               read("filename", [](const auto& element, std::string_view) -> ControlPlane::Answer {
                 if (ControlSocket::is_tcp(element.parameters())) return {false, "not a UNIX socket"};
                 return {true, std::string(element.parameters().address)};
               }));
};

}  // namespace packetmill
