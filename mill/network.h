#pragma once

#include <string>
#include <vector>

#include "engine/router.h"
#include "plan/plan.h"

namespace packetmill::mill {

/// An end of a connection; element -1 where there is none.
struct End {
  int element = -1;
  int port = 0;
};

/// One element as the emitter sees it.
struct Site {
  std::string id;  ///< its name as an identifier, and unlike all others: "c0_7"
  const engine::Node* node = nullptr;
  const engine::Factory* factory = nullptr;
  std::vector<End> outputs;  ///< of push outputs
  std::vector<End> inputs;   ///< of pull inputs: where packets are taken from
  std::vector<bool> output_is_pull;
  int push_feeders = 0;  ///< connections that push into it
  bool has_task = false;
  bool has_timer = false;
  bool starts_walks = false;  ///< packets set out here: a task or a timer pushes
};

/// A configured graph, numbered as in the configuration, with what the emitter asks of it.
struct Network {
  std::vector<Site> sites;
  /// The metadata fields that some element touches, once each.
  std::vector<engine::FieldInfo> fields;

  /// The elements that packets set out from `start` may pass, by push outputs, in the order of the configuration.
  [[nodiscard]] std::vector<int> reachable(int start) const;
};

[[nodiscard]] Network network_of(const engine::Router& outline);

/// Why no region of the graph can have its metadata in registers; empty where all can.
[[nodiscard]] std::string why_not_registers(const Network& network);

}  // namespace packetmill::mill
