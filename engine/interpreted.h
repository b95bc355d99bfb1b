#pragma once

#include "engine/paths.h"

namespace packetmill::engine {

/// Where the outputs of an element lead: one virtual call per batch.
class NodeExit {
 public:
  using Batch = engine::Batch;
  NodeExit(Core& core, Node& node) : core_(core), node_(node) {}
  [[nodiscard]] int batch_size() const { return core_.batch_size; }
  void forward(int output, Batch& batch) const {
    if (static_cast<std::size_t>(output) < node_.outputs.size() && node_.outputs[output].node != nullptr) {
      const Target& target = node_.outputs[output];
      target.node->push(core_, target.port, batch);
    } else {
      node_.drop_unconnected(core_, batch);
    }
  }

 private:
  Core& core_;
  Node& node_;
};

/// Where an element of the interpreter stands: everything is found through pointers, at run time.
template <class E>
class Interpreted {
 public:
  using Element = E;
  using Live = Packet;
  using Touched = AllFields;
  struct Code {};
  static constexpr bool kOverlays = false;
  static constexpr bool kMayExchange = false;
  static constexpr bool kAsksNic = false;
  static constexpr bool kTrustsNic = false;

  Interpreted(Node& node, const Parts<E>& parts, Slot<E>& slot, Core& core, Emission<NodeExit>* emission, int task = 0)
      : node_(node), parts_(parts), slot_(slot), core_(core), emission_(emission), task_(task) {}

  [[nodiscard]] Node& node() const { return node_; }
  [[nodiscard]] const ParametersOf<E>& parameters() const { return parts_.parameters; }
  [[nodiscard]] const ControlOf<E>& control() const { return parts_.control; }
  [[nodiscard]] Slot<E>& slot() const { return slot_; }
  [[nodiscard]] Core& core() const { return core_; }
  [[nodiscard]] int cores() const { return core_.cores; }
  [[nodiscard]] int task() const { return task_; }
  [[nodiscard]] int inputs() const { return static_cast<int>(node_.input_is_pull.size()); }
  [[nodiscard]] int outputs() const { return static_cast<int>(node_.output_is_pull.size()); }
  [[nodiscard]] bool connected(int output) const {
    return output < outputs() && (node_.output_is_pull[output] || node_.outputs[output].node != nullptr);
  }
  void emit(int output, Owned<Packet> packet) const { emission_->append(output, std::move(packet)); }
  [[nodiscard]] int decide(const ir::DecisionGraph& graph, auto& bytes_from) const {
    return ir::evaluate(graph, bytes_from);
  }
  [[nodiscard]] Packet* pull(int input) const {
    const Target& from = node_.inputs[input];
    return from.node->pull(core_, from.port);
  }

 private:
  Node& node_;
  const Parts<E>& parts_;
  Slot<E>& slot_;
  Core& core_;
  Emission<NodeExit>* emission_;
  int task_;
};

}  // namespace packetmill::engine
