#include "graph/passes/codes.h"

#include <algorithm>
#include <charconv>
#include <limits>
#include <memory>
#include <set>
#include <utility>

namespace packetmill {
namespace {

constexpr int kUnlimited = std::numeric_limits<int>::max();

std::pair<std::string_view, std::string_view> sides(std::string_view code) {
  const std::size_t slash = code.find('/');
  if (slash == std::string_view::npos) return {code, code};
  return {code.substr(0, slash), code.substr(slash + 1)};
}

struct Range {
  int low = 0;
  int high = kUnlimited;
  [[nodiscard]] int fit(int used) const { return std::clamp(used, low, high); }
};

Range range(std::string_view part) {
  Range result;
  const char* const begin = std::to_address(part.begin());
  const char* const end = std::to_address(part.end());
  const auto [after, failure] = std::from_chars(begin, end, result.low);
  if (after == end) {
    result.high = result.low;
  } else if (*after == '-') {
    std::from_chars(after + 1, end, result.high);
  }
  return result;
}

/// The letters of one port, or all but those.
struct Letters {
  bool negated = false;
  std::set<int> listed;
};

constexpr int kFirstPortLetter = 256;  // '#' of port n is this + n

Letters letters(std::string_view part, int port) {
  Letters result;
  for (int current = 0; !part.empty(); ++current) {
    result = {};
    if (part[0] == '[') {
      const std::size_t end = std::min(part.find(']'), part.size() - 1);
      std::string_view inside = part.substr(1, end - 1);
      part.remove_prefix(end + 1);
      if (inside.starts_with('^')) {
        result.negated = true;
        inside.remove_prefix(1);
      }
      for (const char c : inside) result.listed.insert(c == '#' ? kFirstPortLetter + port : c);
    } else {
      result.listed.insert(part[0] == '#' ? kFirstPortLetter + port : part[0]);
      part.remove_prefix(1);
    }
    if (current == port) break;
  }
  return result;
}

}  // namespace

PortCounts port_counts(std::string_view code, PortCounts used) {
  const auto [input_part, output_part] = sides(code);
  if (!output_part.starts_with('=')) return {range(input_part).fit(used.inputs), range(output_part).fit(used.outputs)};
  const int more = static_cast<int>(output_part.size()) - 1;
  const int inputs = range(input_part).fit(std::max(used.inputs, used.outputs - more));
  return {inputs, inputs + more};
}

char processing_code(std::string_view code, bool output, int port) {
  const std::string_view part = output ? sides(code).second : sides(code).first;
  if (part.empty()) return 'a';
  return part[std::min(static_cast<std::size_t>(port), part.size() - 1)];
}

bool flows(std::string_view code, int input, int output) {
  const auto [input_part, output_part] = sides(code);
  const Letters in = letters(input_part, input);
  const Letters out = letters(output_part, output);
  if (in.negated && out.negated) return true;
  const Letters& positive = in.negated ? out : in;
  const Letters& other = in.negated ? in : out;
  return std::ranges::any_of(positive.listed, [&](int c) { return other.listed.contains(c) != other.negated; });
}

std::vector<int> reachable_outputs(std::string_view flow_code, int input, int outputs) {
  std::vector<int> reached;
  for (int output = 0; output < outputs; ++output)
    if (flows(flow_code, input, output)) reached.push_back(output);
  return reached;
}

}  // namespace packetmill
