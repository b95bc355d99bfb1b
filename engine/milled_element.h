#pragma once

#include "engine/core.h"

namespace packetmill::engine {

class Node;
struct Observed;

/// What generated code brings for one element of the configuration: where it lives, and what its tasks and its timer
/// run. Everything else (arguments, handlers, what happens at the start and the end) is the interpreter's node.
struct MilledElement {
  Node** node = nullptr;  ///< told where the node is
  // The element's own place (Parts<E> and Slot<E>[cores]); or, where it lives with its node, who is told where.
  void* parts = nullptr;
  void* slots = nullptr;
  void** parts_found = nullptr;
  void** slots_found = nullptr;
  // What of these the element has.
  void (*push)(Core& core, int port, Batch& batch) = nullptr;
  bool (*run)(Core& core, int task) = nullptr;
  void (*fire)(Core& core) = nullptr;
  const Observed* observed = nullptr;  ///< one a core, where the plan observes
};

}  // namespace packetmill::engine
