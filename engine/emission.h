#pragma once

#include <limits>

#include "engine/core.h"

namespace packetmill::engine {

/// Hands each packet of a batch to its output: outputs in ascending order, packets of one output in theirs. `mixed`: not
/// all of them take the same. `Exit` knows where outputs lead: forward(output, batch).
template <class Exit>
void distribute(Exit exit, Batch& batch, const std::int16_t* ports, bool mixed) {
  if (!mixed) [[likely]] {
    exit.forward(ports[0], batch);
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
    batch_.packets[batch_.count++] = packet.release();
    if (batch_.count >= exit_.batch_size()) flush();
  }
  void flush() {
    if (batch_.count == 0) return;
    distribute(exit_, batch_, ports_, mixed_);
    batch_.count = 0;
    mixed_ = false;
  }

 private:
  Exit exit_;
  Batch batch_;
  std::int16_t ports_[kMaxBatch];
  bool mixed_ = false;
};

}  // namespace packetmill::engine
