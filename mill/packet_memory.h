#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "mill/program_code.h"

namespace packetmill::mill {

/// A packet of engine/registers.h that a function has in memory in spite of its plan.
struct PacketInMemory {
  std::string function;  ///< demangled
  /// It is a copy for the calls that take it: the function itself never reads it. Such spill records are filled where a
  /// packet leaves the hot way, and leave the packet itself where it is.
  bool is_spill = false;
  /// A call that takes it.
  struct Call {
    std::string callee;         ///< demangled; "a function that is known only at run time"
    std::vector<Frame> frames;  ///< where the call stands, innermost first
  };
  std::vector<Call> calls;
};

/// Looks for them in optimised IR (mill/toolchain.h: compile_to_ir), whose text must outlive the result.
[[nodiscard]] std::vector<PacketInMemory> packets_in_memory(std::string_view ir);

}  // namespace packetmill::mill
