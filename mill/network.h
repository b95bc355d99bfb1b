#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "engine/router.h"
#include "plan/plan.h"

namespace packetmill::mill {

/// An end of a connection; element -1 where there is none.
struct End {
  int element = -1;
  int port = 0;
};

/// One element as the emitter sees it: on the packet path as the plan's passes have left it, or off it.
struct Site {
  std::string id;                            ///< its name as an identifier, and unlike all others: "c0_7"
  std::shared_ptr<const engine::Node> node;  ///< as a pass has configured it, or as the configuration says
  bool on_path = false;                      ///< packets may come to it; if not, it has handlers and no code
  bool keeps_bytes = false;                  ///< packets that it passes on have the bytes that they came with
  bool rewritten = false;                    ///< its configuration is a pass's: its parameters are constants
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

/// The router's elements, connected as the plan's passes leave them. `outline` must outlive it.
[[nodiscard]] Network network_of(engine::Router& outline, const Plan& plan);

/// The graph as the plan's passes leave it, `last` being the last of them that is run; where that is empty, all are.
[[nodiscard]] Graph reduced(engine::Router& outline, const Plan& plan, std::string_view last = {});

/// Why no region of the graph can have its metadata in registers; empty where all can.
[[nodiscard]] std::string why_not_registers(const Network& network);

}  // namespace packetmill::mill
