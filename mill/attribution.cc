#include "mill/attribution.h"

#include <algorithm>
#include <utility>

namespace packetmill::mill {
namespace {

constexpr bool in_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/// Calls `see` with each word of C++, until it returns false.
void each_word(std::string_view text, auto see) {
  for (std::size_t begin = 0; begin < text.size();) {
    std::size_t end = begin;
    while (end < text.size() && in_word(text[end])) ++end;
    if (end > begin && !see(text.substr(begin, end - begin))) return;
    begin = std::max(end, begin + 1);
  }
}

}  // namespace

Attribution::Attribution(const Network& network, std::string_view source, std::string file)
    : file_(std::move(file)), lines_(network.sites.size()) {
  for (const Site& site : network.sites) numbers_.emplace(site.id, static_cast<int>(numbers_.size()));
  // What begins at the left margin begins something: an element's struct, its section of the walk, a function of its own,
  // or what is nobody's.
  owner_of_line_.push_back(-1);  // lines count from one
  int owner = -1;
  bool in_struct = false;
  while (!source.empty()) {
    const std::size_t end = std::min(source.find('\n'), source.size());
    const std::string_view line = source.substr(0, end);
    source.remove_prefix(std::min(end + 1, source.size()));
    if (!line.empty() && line[0] != ' ' && line[0] != '}') {
      owner = -1;
      each_word(line, [&](std::string_view word) { return (owner = element_of_word(word)) < 0; });
      in_struct = line.starts_with("struct ");
    }
    owner_of_line_.push_back(owner);
    if (in_struct && owner >= 0) lines_[static_cast<std::size_t>(owner)].push_back(line);
  }
}

int Attribution::element_of_word(std::string_view word) const {
  for (const std::string_view driver : {"", "run_", "fire_"})
    if (word.starts_with(driver))
      if (const auto found = numbers_.find(word.substr(driver.size())); found != numbers_.end()) return found->second;
  return -1;
}

int Attribution::element_named_in(std::string_view name) {
  if (const auto known = known_.find(name); known != known_.end()) return known->second;
  int element = -1;
  each_word(name, [&](std::string_view word) { return (element = element_of_word(word)) < 0; });
  return element;
}

int Attribution::element_of(std::span<const Frame> frames) {
  for (const Frame& frame : frames) {
    const auto known = known_.find(frame.function);
    const int named = known != known_.end()
                          ? known->second
                          : known_.emplace(frame.function, element_named_in(frame.function)).first->second;
    if (named >= 0) return named;
    const auto line = static_cast<std::size_t>(frame.line);
    if (line < owner_of_line_.size() && frame.file == file_ && owner_of_line_[line] >= 0) return owner_of_line_[line];
  }
  return -1;
}

}  // namespace packetmill::mill
