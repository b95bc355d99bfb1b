#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "bench/open_loop.h"
#include "ports/dpdk/port_pair.h"

namespace packetmill::cli {

/// What `packetmill latency` asks of a program that it has milled, by the hidden option --open-loop: to run as the far end
/// of a pair of ports, its own being number 0, with a generator at the near end.
struct OpenLoopOrder {
  dpdk::Wire wire = dpdk::Wire::ring;
  bench::Arrivals arrivals = bench::Arrivals::poisson;
  double gap = 0;              ///< cycles between two frames in the mean; 0: as fast as the port takes them
  std::uint64_t duration = 0;  ///< cycles
  std::uint64_t seed = 1;
  int cpu = 0;  ///< the generator's

  [[nodiscard]] std::string to_json() const;
  /// Of a program that is to follow the order.
  [[nodiscard]] std::vector<std::string> arguments() const;
};
/// The wire of that name, of `--port`.
[[nodiscard]] dpdk::Wire wire_named(const std::string& name);

/// What such a program prints at the end, times in cycles.
struct OpenLoopReport {
  std::uint64_t offered = 0;
  std::uint64_t refused = 0;
  std::uint64_t delivered = 0;
  std::uint64_t cycles = 0;
  std::uint64_t p50 = 0;
  std::uint64_t p99 = 0;
  std::uint64_t p999 = 0;
  std::uint64_t late_p99 = 0;  ///< the generator's own delay in sending

  /// Null where the text is something else.
  [[nodiscard]] static std::optional<OpenLoopReport> from_json(const std::string& text);
  [[nodiscard]] std::string to_json() const;
};

/// The generator in its own thread, beside a router that is to run.
class OpenLoopThread {
 public:
  /// Makes the ports, before the router opens its own. Null, and what is wrong in `error`.
  static std::unique_ptr<OpenLoopThread> make(const std::string& order, std::string& error);
  ~OpenLoopThread();
  OpenLoopThread(const OpenLoopThread&) = delete;
  OpenLoopThread& operator=(const OpenLoopThread&) = delete;

  /// Offers the load, the router having been initialised; then calls `on_end`, which ends the router's run. What went
  /// wrong, where nothing was started.
  [[nodiscard]] std::optional<std::string> start(std::function<void()> on_end);
  /// After the router's run, and before its ports are closed. What was measured; or nothing, and why in `error`.
  [[nodiscard]] std::optional<OpenLoopReport> finish(std::string& error);

 private:
  OpenLoopThread() = default;
  void run();

  OpenLoopOrder order_;
  dpdk::Ports ports_;
  dpdk::Port* port_ = nullptr;
  std::unique_ptr<bench::OpenLoop> loop_;
  std::thread thread_;
  std::optional<OpenLoopReport> report_;
};

}  // namespace packetmill::cli
