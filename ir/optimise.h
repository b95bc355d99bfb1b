#pragma once

#include "ir/decision_graph.h"

namespace packetmill::ir {

/// An equal program in which no path repeats a test or makes one that the tests before it decide, equal parts are
/// shared, and tests come in one order (by base and offset) on every path. `program` must be as `compile` makes it.
///
/// Ordering may multiply nodes where many rules overlap. Beyond a bound of work the given program is returned as it is.
DecisionProgram optimise(DecisionProgram program);

}  // namespace packetmill::ir
