#pragma once

#include <span>

#include "ir/formula.h"

namespace packetmill::ir {

/// The same as `compile(rules)`, but no path repeats a test or makes one that the tests before it decide, equal parts
/// are shared, and tests come in one order on every path: by base and offset, and then equalities in the order of the
/// rules.
///
/// Ordering may multiply nodes where many rules overlap. Beyond a bound of work the result is `compile`'s own.
DecisionProgram optimise(std::span<const Rule> rules);

}  // namespace packetmill::ir
