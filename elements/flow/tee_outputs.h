#pragma once

#include <optional>
#include <string>

#include "runtime/element.h"

namespace packetmill {

/// What Tee and PullTee have in common: N, and how a copy goes out.
struct TeeOutputs {
  struct Parameters {
    std::optional<std::int32_t> n;
  };
  static constexpr auto keywords = describe(positional<&Parameters::n>("N"));

  static void configure(Configuration& configuration, Parameters& parameters) {
    const int outputs = configuration.outputs();
    if (parameters.n && *parameters.n != outputs)
      configuration.error(std::to_string(outputs) + " outputs are connected, N is " + std::to_string(*parameters.n));
  }

 protected:
  static void copy_to(auto& context, int port, auto& packet) {
    if (auto copy = context.clone(packet)) context.emit(port, std::move(copy));
  }
};

}  // namespace packetmill
