#pragma once

#include <array>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "ports/dpdk/eal.h"
#include "ports/dpdk/port.h"
#include "runtime/control_plane.h"

namespace packetmill::dpdk {

/// The DPDK ports of one network function. FromDPDKDevice and ToDPDKDevice first say what each wants of a port; the
/// port is set up once, with all of it, when the first of them starts it.
class Devices {
 public:
  /// What the command line gives after `--dpdk`; for the whole process, before the first network function.
  static void set_arguments(std::vector<std::string> arguments);
  /// Starts DPDK with them; whoever needs a port does that. Returns what went wrong.
  [[nodiscard]] static std::optional<std::string> start_dpdk();

  /// Whether ports are to exchange buffers with their drivers (X-Change), and whether the user is told of one that cannot;
  /// for the whole process, as a plan says.
  struct Exchange {
    bool wanted = false;
    bool expected = false;
  };
  static void set_exchange(Exchange exchange);
  /// Whether buffers under exchange were missing when the last network function had ended: which ports', and how many.
  [[nodiscard]] static const std::optional<std::string>& lost();

  Devices() = default;
  /// Closes the ports. By now no packet is held anywhere.
  ~Devices();
  Devices(const Devices&) = delete;
  Devices& operator=(const Devices&) = delete;

  /// Whether ports are to check the checksums of what they receive, as far as they can; for the whole process.
  static void set_asks_nic(bool asks);

  /// What one element wants of a port.
  struct Wish {
    unsigned receive_queues = 0;
    unsigned transmit_queues = 0;
    unsigned receive_descriptors = 0;
    unsigned transmit_descriptors = 0;
    std::uint32_t max_frame = 0;  ///< 0: the port's default
    std::optional<std::array<std::uint8_t, 6>> mac = {};
    bool promiscuous = false;
  };
  /// Whether there is such a port; a virtual device is made by its name.
  [[nodiscard]] bool exists(const std::string& device);
  /// Makes `device` known (see Ports::open) and adds to what is wanted of it. Returns what went wrong.
  [[nodiscard]] std::optional<std::string> claim(const std::string& device, const Wish& wish);
  /// Buffers of each port that is set up from now on, beyond those in its descriptor rings.
  void set_buffers(std::uint32_t buffers) { buffers_ = buffers; }
  /// The port, set up and running; null, and what went wrong in `error`. What the user should know of it is in `note`,
  /// the first time. Ports that exchange have buffers for all that `cores` threads and `stores` may hold.
  [[nodiscard]] Port* start(const std::string& device, unsigned cores, const ControlPlane::Stores& stores,
                            std::string& error, std::string& note);

 private:
  [[nodiscard]] std::optional<std::string> make_shared_pool(unsigned cores, const ControlPlane::Stores& stores);

  Pool shared_pool_;  ///< of all ports, where one exchanges: a buffer may go out by another than it came by
  std::optional<Ports> ports_{std::in_place};
  std::map<Port*, Wish> wishes_;
  std::uint32_t buffers_ = PortConfiguration{}.buffers;
};

/// What FromDPDKDevice and ToDPDKDevice do when they start: set the port up, if the other has not.
std::optional<std::string> start_port(auto& element, Devices& devices) {
  std::string error;
  std::string note;
  element.control().device =
      devices.start(std::string(element.parameters().port), static_cast<unsigned>(element.cores()),
                    element.control_plane().stores(), error, note);
  if (!note.empty()) element.control_plane().message(note);
  return element.control().device == nullptr ? std::optional(error) : std::nullopt;
}

/// What `function` says of the port of FromDPDKDevice or ToDPDKDevice; nothing where it has none (ALLOW_NONEXISTENT).
auto of_port(const auto& element, auto function) -> decltype(function(*element.control().device)) {
  const Port* port = element.control().device;
  if (port == nullptr) return {};
  return function(*port);
}

}  // namespace packetmill::dpdk
