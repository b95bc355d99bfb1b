#include "engine/observe.h"

#include <algorithm>

#include "engine/node.h"

namespace packetmill::engine {

std::string Trace::text() const {
  std::string text;
  for (std::uint64_t i = next_ - std::min<std::uint64_t>(next_, kKept); i < next_; ++i) {
    const Way& way = ways_[i % kKept];
    for (std::size_t step = 0; step < way.count; ++step) {
      const auto& [node, output] = way.steps[step];
      if (step > 0) text += " > ";
      text += node->name;
      if (output.port > 0) text += "[" + std::to_string(output.port) + "]";
      if (output.port == Output::dropped) text += " dropped: " + std::string(node->drops()[output.reason].reason);
      if (output.port == Output::gone_out) text += " sent";
      if (output.port == Output::used_up) text += " consumed";
      if (output.port == Output::kept) text += " held";
    }
    text += "\n";
  }
  return text;
}

}  // namespace packetmill::engine
