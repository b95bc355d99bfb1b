#pragma once

#include <string>

#include "graph/graph.h"
#include "mill/network.h"
#include "plan/plan.h"

namespace packetmill::mill {

/// The whole program as one C++ source: what each element of the configuration is, how packets walk from one to the
/// next, and main. Nothing of the configuration's text is in it but literals (ir/literal.h) and identifiers
/// (mill/network.cc).
[[nodiscard]] std::string emit(const Graph& graph, const Network& network, const Plan& plan);

}  // namespace packetmill::mill
