#pragma once

#include "engine/core.h"

namespace packetmill::engine {

class Node;

/// What generated code brings for one element of the configuration: where it lives, and what its tasks and its timer
/// run. Everything else (arguments, handlers, what happens at the start and the end) is the interpreter's node.
struct MilledElement {
  Node** node = nullptr;   ///< told where the node is
  void* parts = nullptr;   ///< Parts<E>; null: the node has its own
  void* slots = nullptr;   ///< Slot<E>[cores]
  bool (*run)(Core& core, int task) = nullptr;
  void (*fire)(Core& core) = nullptr;
};

}  // namespace packetmill::engine
