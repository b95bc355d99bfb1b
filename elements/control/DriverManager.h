#pragma once

#include "elements/control/Script.h"

namespace packetmill {

/// DriverManager: a Script of TYPE DRIVER, which decides when the driver stops.
///
/// Elements ask the driver to stop, as FromDump with STOP true does at the end of its file. Without a DriverManager the
/// driver obeys. With one, each request is a step: it passes the instruction at which the script stands (`pause`, or
/// `wait`, which leaves the request to the next `pause`), and the driver stops when the script ends or comes to `stop`.
/// DriverManager() is DriverManager(pause, stop).
///
/// Ports:     none. A configuration can have one DriverManager.
/// Handlers:  those of Script.
/// Example:   DriverManager(pause, write k.cleanup, wait 0.1s, print k.count, stop)
/// See also:  Script
struct DriverManager : Script {
  static constexpr ElementInfo info{.name = "DriverManager", .ports = "0/0", .processing = "a/a"};

  static void configure(Configuration& configuration, Parameters& parameters) {
    set_up(configuration, parameters, ScriptType::driver);
  }
};

}  // namespace packetmill
