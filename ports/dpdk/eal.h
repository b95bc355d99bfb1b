#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace packetmill::dpdk {

/// Receives what DPDK logs, a line at a time, without the newline. May be called from any thread, one at a time.
using LogSink = std::function<void(std::string_view line)>;

/// Starts DPDK's environment abstraction layer, which a process can do once.
///
/// `arguments` are EAL arguments as a DPDK program takes them ("-a", "0000:3b:00.0", ...). What they leave open is
/// chosen so that it works without preparation and without leaving files behind: see `default_arguments`. Returns what
/// went wrong, in DPDK's words; never exits and never prints (arguments that would make DPDK do so are refused).
/// Calling it again with the same arguments is fine; with others it is an error.
[[nodiscard]] std::optional<std::string> start_eal(const std::vector<std::string>& arguments);

[[nodiscard]] bool eal_started();

/// What `start_eal` adds to the user's arguments: one logical core that floats over the processors this process may use
/// (threads are the engine's), no telemetry socket, warnings only, and without hugepages ordinary memory and no PCI
/// devices.
[[nodiscard]] std::vector<std::string> default_arguments(const std::vector<std::string>& arguments, bool hugepages);

/// Where DPDK's log goes from now on; by default nowhere.
void set_log_sink(LogSink sink);

/// The last lines that DPDK logged since this was last called: what an error message quotes. May be empty.
[[nodiscard]] std::string take_recent_log();

/// Makes the calling thread known to DPDK as long as it lives: buffer pools then give it a cache of its own, and it may
/// keep spare buffers of exchanges (Spares). A thread that DPDK has no room for (128 threads) works all the same, only
/// slower.
class ThreadRegistration {
 public:
  ThreadRegistration();
  ~ThreadRegistration();
  ThreadRegistration(const ThreadRegistration&) = delete;
  ThreadRegistration& operator=(const ThreadRegistration&) = delete;

 private:
  bool registered_ = false;
};

/// Makes the calling thread one of DPDK's at its first call; before a thread's first frame.
inline void register_thread() { static thread_local const ThreadRegistration registration; }

}  // namespace packetmill::dpdk
