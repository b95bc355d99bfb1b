#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/values/time.h"

namespace packetmill {

/// A handler as others see it.
struct HandlerInfo {
  std::string name;
  bool readable = false;
  bool writable = false;
  bool local = false;  ///< reaches beyond the router (files, processes): not for those who come in by a network
};

/// What control elements (Script, DriverManager, ControlSocket), the command line and tests may do to a running network
/// function; the same in every engine. Calls wait until every core stands between two bursts.
class ControlPlane {
 public:
  struct Answer {
    bool ok = false;
    std::string text;  ///< the value, or what is wrong
  };

  virtual ~ControlPlane() = default;

  /// `handler` is "element.name", or a global handler's "name"; `relative_to` is the element that asks, whose compound
  /// is searched first, as in Click. `parameter` is given to handlers that take one ("lookup 1.0.0.1").
  virtual Answer read(std::string_view handler, std::string_view parameter = {}, std::string_view relative_to = {}) = 0;
  virtual Answer write(std::string_view handler, std::string_view value, std::string_view relative_to = {}) = 0;

  [[nodiscard]] virtual std::vector<std::string> elements() const = 0;
  /// Handlers of `element`; the global ones where it is empty.
  [[nodiscard]] virtual std::vector<HandlerInfo> handlers(std::string_view element) const = 0;

  /// What a name that read() or write() takes stands for.
  struct Found {
    std::optional<HandlerInfo> handler;
    std::string element;  ///< its full name; empty for a global handler
    std::string wrong;    ///< why there is no such handler
    std::string hint;     ///< the nearest name that there is, if it is near
    bool element_exists = true;
  };
  [[nodiscard]] virtual Found find_handler(std::string_view handler, std::string_view relative_to = {}) = 0;

  /// One request to stop the driver, as FromDump's STOP, Script's `stop` and the `stop` handler make.
  virtual void request_stop() = 0;
  /// A DriverManager (or a Script of type DRIVER) answers stop requests instead of the driver. `on_stop_request` is
  /// called at each, from any core in the middle of its burst; the driver ends when somebody calls `finish`. One
  /// element only may ask for this.
  virtual void manage_stops(std::function<void()> on_stop_request) = 0;
  /// Takes one pending stop request; false where there is none.
  virtual bool take_stop_request() = 0;
  virtual void finish(int exit_status) = 0;
  /// `handler` is called, from an ordinary thread, when the process gets signal `number`. For `start`.
  virtual void on_signal(int number, std::function<void()> handler) = 0;

  /// A line of text for the user: Print and its kind on standard error, Script's `print` on standard output.
  virtual void message(std::string_view line) = 0;
  virtual void output(std::string_view text) = 0;

  /// What several elements share under a name (the DPDK ports, say): made empty when first asked for, destroyed after
  /// all elements.
  [[nodiscard]] virtual std::shared_ptr<void>& resource(std::string_view name) = 0;

  [[nodiscard]] virtual Timestamp now() = 0;
  /// Runs `function` while no core is in a burst.
  virtual void exclusive(const std::function<void()>& function) = 0;

  /// The element that may hold most packets, and how many all may hold together; nobody where nothing is stored.
  struct Stores {
    std::string most;  ///< "'q' (router.click:3:1)"
    std::uint64_t held_by_most = 0;
    std::uint64_t held = 0;
  };
  [[nodiscard]] virtual Stores stores() const = 0;
};

}  // namespace packetmill
