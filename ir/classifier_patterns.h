#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "ir/formula.h"

namespace packetmill::ir {

/// What is wrong with a pattern, and where: `offset` counts bytes from the pattern's first character.
struct PatternError {
  std::string message;
  size_t offset = 0;
  std::string hint = {};  ///< what may have been meant; may be empty
};

/// One pattern of Click's Classifier: "12/0806 20/0001", "!0/ffffffffffff", "12/08??", "12/0806%ffff", or "-" for every
/// packet. Offsets count from the beginning of the packet.
std::optional<PatternError> parse_classifier_pattern(std::string_view text, Formula& out);

}  // namespace packetmill::ir
