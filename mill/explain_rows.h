#pragma once

#include <string>
#include <vector>

#include "mill/explain.h"

namespace packetmill::mill {

/// What an explanation says, in words: the text and the page say the same.
struct Row {
  std::string label;
  std::vector<std::string> lines;
};

[[nodiscard]] std::vector<Row> rows_of_program(const Explanation& explanation);
[[nodiscard]] std::vector<Row> rows_of(const Explanation& explanation, const Explanation::Element& element);
[[nodiscard]] std::vector<Row> rows_of(const Explanation& explanation, const Explanation::Region& region);

/// What stands below everything that has an estimate in it.
[[nodiscard]] std::string about_estimates(const Explanation& explanation);

}  // namespace packetmill::mill
