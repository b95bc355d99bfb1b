#pragma once

#include <limits>

#include "engine/core.h"

namespace packetmill::engine {

/// Hands each packet of a batch to its output: outputs in ascending order, packets of one output in theirs. `mixed`: not
/// all of them take the same. `Exit` knows where outputs lead: Batch, forward(output, batch).
template <class Exit>
void distribute(Exit exit, typename Exit::Batch& batch, std::int16_t* ports, bool mixed) {
  if (!mixed) [[likely]] {
    exit.forward(ports[0], batch);
    return;
  }
  while (batch.count > 0) {
    int port = std::numeric_limits<std::int16_t>::max();
    for (int i = 0; i < batch.count; ++i) port = std::min<int>(port, ports[i]);
    typename Exit::Batch part;
    int i = 0;
    int others = 0;
    batch.sift([&](Packet* packet) {
      const std::int16_t its = ports[i++];
      if (its == port) {
        part.add(packet);
        return false;
      }
      ports[others++] = its;
      return true;
    });
    exit.forward(port, part);
  }
}

/// Packets on their way out of one element, each with its output, in the order in which the element gave them. They go
/// on as batches: when as many have come together as the batch size says, and when the element has had all of its
/// burst. At a batch size of one each packet leaves at once, which is Click's own depth-first order.
template <class Exit>
class Emission {
 public:
  explicit Emission(Exit exit) : exit_(exit) {}

  void append(int port, Owned<Packet> packet) {
    ports_[batch_.count] = static_cast<std::int16_t>(port);
    mixed_ |= port != ports_[0];
    batch_.add(packet.release());
    if (batch_.count >= exit_.batch_size()) flush();
  }
  void flush() {
    if (batch_.count == 0) return;
    distribute(exit_, batch_, ports_, mixed_);
    batch_.clear();
    mixed_ = false;
  }

 private:
  Exit exit_;
  typename Exit::Batch batch_;
  std::int16_t ports_[kMaxBatch];
  bool mixed_ = false;
};

}  // namespace packetmill::engine
