#pragma once

#include <cstdint>

#include "runtime/control_plane.h"
#include "runtime/pool.h"
#include "runtime/scheduler.h"

namespace packetmill::engine {

/// The most packets that one call hands on.
inline constexpr int kMaxBatch = 256;

/// A vector of packets on its way from one element to the next. Whoever is handed a batch owns its packets.
struct Batch {
  // NOLINTNEXTLINE(modernize-use-equals-default): not even Batch{} may clear the array; `count` says what is there
  Batch() {}
  int count = 0;
  Packet* packets[kMaxBatch];
};

/// What one core has to itself.
struct Core {
  Core(int index, int cores, int batch_size, Clock& clock, Gate& gate, PacketDepot& depot, ControlPlane& control_plane)
      : index(index),
        cores(cores),
        batch_size(batch_size),
        scheduler(clock, gate),
        pool(depot),
        control_plane(control_plane) {}

  int index;
  int cores;
  int batch_size;  ///< 1: each packet goes all its way before the next one starts (Click's own semantics)
  Scheduler scheduler;
  PacketPool pool;
  ControlPlane& control_plane;
};

}  // namespace packetmill::engine
