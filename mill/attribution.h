#pragma once

#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "mill/network.h"
#include "mill/program_code.h"

namespace packetmill::mill {

/// Says whose code it is. An element's struct is a template argument of nearly every function that runs its source, so
/// that the innermost frame that names an element, by a template argument or by its place in the generated source, tells.
class Attribution {
 public:
  /// `source` is what emit wrote for `network`, in the file of that path.
  Attribution(const Network& network, std::string_view source, std::string file);

  /// The element, by its number; -1 where it is none's.
  [[nodiscard]] int element_of(std::span<const Frame> frames);
  /// The element that a function or an object belongs to, by its name alone.
  [[nodiscard]] int element_named_in(std::string_view name);
  /// The lines of the source about an element, in its struct.
  [[nodiscard]] const std::vector<std::string_view>& lines_of(int element) const {
    return lines_[static_cast<std::size_t>(element)];
  }

 private:
  [[nodiscard]] int element_of_word(std::string_view word) const;

  std::string file_;
  std::unordered_map<std::string_view, int> numbers_;  ///< by identifier
  std::unordered_map<std::string_view, int> known_;    ///< names that have been looked at
  std::vector<int> owner_of_line_;
  std::vector<std::vector<std::string_view>> lines_;
};

}  // namespace packetmill::mill
