#pragma once

#include "elements/queue/fifo.h"

namespace packetmill {

/// SimpleQueue: stores packets, first in, first out, and tells no source when it is full.
///
/// Ports:     1 push input. Output 0 (pull): the packets in their order. Output 1 (push, optional): packets that find
///            the queue full; dropped where it is not connected.
/// Keywords:  CAPACITY (default 1000): how many packets it stores at most.
/// Handlers:  as Queue's.
/// Drops:     overflow; flushed (reset, or a lower capacity).
/// See also:  Queue
struct SimpleQueue : FifoElement {
  static constexpr ElementInfo info{.name = "SimpleQueue", .ports = "1/1-2", .processing = "h/lh"};
  static constexpr bool keeps_bytes = true;

  // INTERPRETATION: Click's SimpleQueue makes tasks poll it; here they sleep while it is empty, as with any store. What
  // they pull and when they pull it is the same.
  static Output process(auto& context, In, auto& packet) { return store(context, packet, info.name); }
};

}  // namespace packetmill
