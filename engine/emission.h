#pragma once

#include "engine/node.h"

namespace packetmill::engine {

/// Packets on their way out of one element, each with its output, in the order in which the element gave them. They go
/// on as batches: when as many have come together as the batch size says, and when the element has had all of its
/// burst. At a batch size of one each packet leaves at once, which is Click's own depth-first order.
class Emission {
 public:
  Emission(Core& core, Node& node) : core_(core), node_(node) {}

  void append(int port, Packet* packet) {
    ports_[batch_.count] = static_cast<std::int16_t>(port);
    mixed_ |= port != ports_[0];
    batch_.packets[batch_.count++] = packet;
    if (batch_.count >= core_.batch_size) flush();
  }
  void flush() {
    if (batch_.count == 0) return;
    distribute(core_, node_, batch_, ports_, mixed_);
    batch_.count = 0;
    mixed_ = false;
  }

  /// Hands each packet to its output: outputs in ascending order, packets of one output in theirs. `mixed`: not all of
  /// them take the same.
  static void distribute(Core& core, Node& node, Batch& batch, const std::int16_t* ports, bool mixed) {
    if (!mixed) [[likely]] {
      forward(core, node, ports[0], batch);
      return;
    }
    const int count = batch.count;
    for (int done = 0, port = -1; done < count;) {
      int next = std::numeric_limits<std::int16_t>::max();
      for (int i = 0; i < count; ++i)
        if (ports[i] > port && ports[i] < next) next = ports[i];
      port = next;
      Batch part;
      for (int i = 0; i < count; ++i)
        if (ports[i] == port) part.packets[part.count++] = batch.packets[i];
      done += part.count;
      forward(core, node, port, part);
    }
  }

  static void forward(Core& core, Node& node, int port, Batch& batch) {
    if (static_cast<std::size_t>(port) < node.outputs.size() && node.outputs[port].node != nullptr) {
      const Target& target = node.outputs[port];
      target.node->push(core, target.port, batch);
    } else {
      node.drop_unconnected(core, batch);
    }
  }

 private:
  Core& core_;
  Node& node_;
  Batch batch_;
  std::int16_t ports_[kMaxBatch];
  bool mixed_ = false;
};

}  // namespace packetmill::engine
