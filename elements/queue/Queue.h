#pragma once

#include "elements/queue/fifo.h"

namespace packetmill {

/// Queue: stores packets, first in, first out.
///
/// Ports:     1 push input. Output 0 (pull): the packets in their order. Output 1 (push, optional): packets that find
///            the queue full; dropped where it is not connected.
/// Keywords:  CAPACITY (default 1000): how many packets it stores at most.
/// Handlers:  length, highwater_length (read): packets now, and the most that there have been. capacity (read/write):
///            a lower one drops the newest packets. drops (read): packets that found it full. reset_counts (write):
///            sets drops to zero and highwater_length to the length. reset (write): drops all packets.
/// Drops:     overflow; flushed (reset, or a lower capacity).
/// Notes:     tasks that pull from an empty Queue sleep until a packet comes; sources that heed it sleep while it is
///            full. Any number of cores may push and pull. Also called FullNoteQueue.
/// See also:  SimpleQueue, Unqueue, PrioSched, RoundRobinSched
struct Queue : FifoElement {
  static constexpr ElementInfo info{.name = "Queue", .ports = "1/1-2", .processing = "h/lh"};
  static constexpr bool keeps_bytes = true;
  static constexpr std::array<std::string_view, 1> aliases{"FullNoteQueue"};
  static constexpr bool notes_full = true;

  static Output process(auto& context, In, auto& packet) { return store(context, packet, info.name); }
};

}  // namespace packetmill
