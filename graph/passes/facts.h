#pragma once

#include <bitset>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "graph/graph.h"

namespace packetmill {

/// The parts of a packet that elements read and write: bit 0 is its frame (bytes, length, place in the buffer), then a
/// bit for each byte of the annotation area, then one for each other field.
using Parts = std::bitset<128>;
inline constexpr std::size_t kFramePart = 0;

/// What passes may know of an element as it is configured and connected.
struct Facts {
  bool starts = false;  ///< something happens here without a packet coming in: it has a task or a timer
  std::vector<bool> input_is_pull;
  std::vector<bool> output_is_pull;

  bool known = false;        ///< the element says what it does; the next three are the worst that is possible where not
  bool drops = true;         ///< some packets may end here
  bool observable = true;    ///< that a packet has passed may be seen
  Parts reads;               ///< what it looks at
  Parts writes;              ///< what it may change
  Parts sets;                ///< what has a new value in all packets that leave by output 0, whatever it was
  bool keeps_bytes = false;  ///< changes no byte of a frame, though perhaps which of them are the frame
  std::int64_t front = 0;    ///< does nothing but remove so many bytes, or put so many back
  std::vector<std::uint32_t> least;  ///< per output: packets that leave by it have at least so many bytes

  /// The configuration with which the element also removes so many bytes first (negative: removes so many fewer); none
  /// where there is no such configuration.
  std::function<std::optional<std::string>(std::int64_t bytes)> after_strip = [](auto) { return std::nullopt; };

  /// Nothing but the packet itself tells whether it has passed, and it always passes.
  [[nodiscard]] bool pure() const { return known && !drops && !observable; }
  [[nodiscard]] bool one_way() const { return input_is_pull.size() == 1 && output_is_pull.size() == 1; }
  /// Whether packets are the same whichever of the two has them first.
  [[nodiscard]] bool commutes_with(const Facts& other) const {
    return (writes & (other.reads | other.writes)).none() && (reads & other.writes).none();
  }
};

/// Where passes ask for them; mill/facts.h has those of real elements. A pass may change an element's configuration, so
/// the answer is of the element as it now is.
class ElementFacts {
 public:
  virtual ~ElementFacts() = default;
  [[nodiscard]] virtual const Facts& of(const Graph::Element& element) = 0;
};

}  // namespace packetmill
