#include "graph/diagnostic.h"

#include <algorithm>

namespace packetmill {
namespace {

/// Line `number` (from 1) of `text`, without its end; empty if there is none.
std::string_view line_of(std::string_view text, int number) {
  while (true) {
    const std::size_t end = std::min(text.find_first_of("\r\n"), text.size());
    if (--number == 0) return text.substr(0, end);
    if (end == text.size()) return {};
    text.remove_prefix(end + (text.substr(end).starts_with("\r\n") ? 2 : 1));
  }
}

}  // namespace

std::string_view Diagnostics::line(const Location& where) const {
  if (where.line <= 0) return {};
  if (const auto parts = renumbered_.find(where.file); parts != renumbered_.end())
    if (auto part = parts->second.upper_bound(where.line); part != parts->second.begin()) {
      --part;
      if (const auto found = line_of(part->second, where.line - part->first + 1); !found.empty()) return found;
    }
  const auto source = sources_.find(where.file);
  return source == sources_.end() ? std::string_view() : line_of(source->second, where.line);
}

}  // namespace packetmill
