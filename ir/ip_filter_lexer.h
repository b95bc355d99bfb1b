#pragma once

#include <algorithm>
#include <string_view>
#include <vector>

namespace packetmill::ir {

struct IpToken {
  std::string_view text;  ///< empty at the end
  size_t offset = 0;
};

/// The tokens of an IP pattern, with an empty one at the end. A colon is part of a word: of an address, or a name such
/// as "mazu:ip". That is why the one of "?:" must stand alone.
inline std::vector<IpToken> split_ip_pattern(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\r\n\v\f";
  constexpr std::string_view kSymbols = "()[]!&|?=<>";
  constexpr std::string_view kPairs[] = {"&&", "||", "==", "!=", "<=", ">="};
  std::vector<IpToken> tokens;
  size_t at = 0;
  while ((at = text.find_first_not_of(kBlanks, at)) != std::string_view::npos) {
    size_t size = 1;
    if (std::ranges::find(kPairs, text.substr(at, 2)) != std::end(kPairs)) {
      size = 2;
    } else if (kSymbols.find(text[at]) == std::string_view::npos) {
      while (at + size < text.size() &&
             (kBlanks.find(text[at + size]) & kSymbols.find(text[at + size])) == std::string_view::npos) {
        ++size;
      }
    }
    tokens.push_back({text.substr(at, size), at});
    at += size;
  }
  tokens.push_back({{}, text.size()});
  return tokens;
}

}  // namespace packetmill::ir
