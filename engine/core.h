#pragma once

#include <cstdint>

#include "engine/batch.h"
#include "engine/observe.h"
#include "runtime/control_plane.h"
#include "runtime/pool.h"
#include "runtime/scheduler.h"

namespace packetmill::engine {

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
  Trace trace;  ///< where the plan samples
};

}  // namespace packetmill::engine
