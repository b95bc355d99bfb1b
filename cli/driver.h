#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <string>
#include <vector>

#include "engine/router.h"

namespace packetmill::cli {

/// Whose words the command speaks: a script that calls `click` may look for them.
enum class Voice { packetmill, click, milled };

/// The options of Click's user-level driver that are not about where the configuration comes from; and a few of ours.
struct DriverOptions {
  std::vector<std::string> ports;
  std::vector<std::string> unix_sockets;
  std::vector<std::string> handlers;
  std::string exit_handler;
  std::string output;
  std::string stats;
  std::string simulated_time;  ///< seconds; empty: the machine's clock. As text: CLI11 only counts flags of numbers
  std::string open_loop;       ///< an OpenLoopOrder as JSON; empty: nobody measures
  std::uint64_t seed = 1;
  int threads = 1;
  int batch = 32;
  bool affinity = false;
  bool quit = false;
  bool time = false;
  bool no_warnings = false;
};

/// Takes what stands between `--dpdk` and `--` out of the words: the EAL reads it.
void take_dpdk_arguments(std::vector<std::string>& words);

void add_driver_options(CLI::App& command, DriverOptions& options);

/// Runs `graph`, whose errors so far are in `diagnostics`, and returns the exit status. `engine` says how, but for what
/// the options say.
int drive(const DriverOptions& options, Graph graph, engine::Options engine, Diagnostics& diagnostics, Voice voice);

}  // namespace packetmill::cli
