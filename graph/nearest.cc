#include "graph/nearest.h"

#include <algorithm>
#include <cctype>

namespace packetmill {
namespace {

bool same_letter(char a, char b) {
  return std::tolower(static_cast<unsigned char>(a)) == std::tolower(static_cast<unsigned char>(b));
}

/// Optimal string alignment distance; gives up, with a value above `limit`, once no alignment can stay within it.
std::size_t distance(std::string_view a, std::string_view b, std::size_t limit) {
  std::vector<std::size_t> before_last(b.size() + 1);
  std::vector<std::size_t> last(b.size() + 1);
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) last[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (same_letter(a[i - 1], b[j - 1]) ? 0 : 1)});
      if (i > 1 && j > 1 && same_letter(a[i - 1], b[j - 2]) && same_letter(a[i - 2], b[j - 1]))
        row[j] = std::min(row[j], before_last[j - 2] + 1);
    }
    if (*std::min_element(row.begin(), row.end()) > limit) return limit + 1;
    std::swap(before_last, last);
    std::swap(last, row);
  }
  return last[b.size()];
}

}  // namespace

std::string did_you_mean(std::string_view name, const std::vector<std::string_view>& candidates) {
  constexpr std::size_t kLongestName = 64;  // nobody mistypes more; it also bounds the work on hostile input
  if (name.size() > kLongestName) return {};
  std::string_view best;
  std::size_t limit = std::max<std::size_t>(1, name.size() / 3);
  for (const std::string_view candidate : candidates) {
    if (candidate.size() > name.size() + limit || name.size() > candidate.size() + limit) continue;
    const std::size_t d = distance(name, candidate, limit);
    if (d > limit || (d == limit && !best.empty())) continue;
    best = candidate;
    limit = d;
  }
  if (best.empty() || limit >= name.size()) return {};
  return "did you mean '" + std::string(best) + "'?";
}

}  // namespace packetmill
