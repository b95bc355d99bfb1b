#pragma once

#include "runtime/element.h"

namespace packetmill {

/// Error: always fails to initialize, so that the configuration does not run.
///
/// Ports:     any number of inputs and outputs (push or pull).
/// Keywords:  anything.
struct Error {
  static constexpr ElementInfo info{.name = "Error", .ports = "-/-"};

  struct Parameters {};
  static void configure(Configuration& configuration, Parameters&) { (void)configuration.take_rest(); }
  static Refusal check(auto&) { return "an Error element always fails"; }
};

}  // namespace packetmill
