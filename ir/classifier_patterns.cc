#include "ir/classifier_patterns.h"

#include <algorithm>
#include <cctype>
#include <limits>

namespace packetmill::ir {
namespace {

constexpr std::string_view kBlanks = " \t\r\n\v\f";

std::optional<uint8_t> hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  const char lower = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  if (lower >= 'a' && lower <= 'f') return lower - 'a' + 10;
  return {};
}

/// Reads one clause without its "!"; offsets in errors count from `clause`.
std::optional<PatternError> parse_clause(std::string_view clause, Formula& out) {
  const size_t slash = clause.find('/');
  if (slash == std::string_view::npos) return PatternError{"expected OFFSET/VALUE", 0};
  uint64_t offset = 0;
  for (size_t i = 0; i < slash; ++i) {
    if (clause[i] < '0' || clause[i] > '9') return PatternError{"the offset is not a decimal number", i};
    offset = std::min<uint64_t>(offset * 10 + static_cast<uint64_t>(clause[i] - '0'), 1u << 20);
  }
  if (slash == 0) return PatternError{"expected an offset before '/'", 0};

  const size_t percent = std::min(clause.find('%'), clause.size());
  const std::string_view value = clause.substr(slash + 1, percent - slash - 1);
  const std::string_view mask = clause.substr(std::min(percent + 1, clause.size()));
  if (value.empty()) return PatternError{"expected a value after '/'", slash + 1};
  if (value.size() % 2 != 0) return PatternError{"the value has an odd number of hex digits", slash + 1};
  if (percent < clause.size() && mask.size() != value.size()) {
    return PatternError{"the mask must have as many hex digits as the value", percent + 1};
  }
  if (offset + value.size() / 2 > std::numeric_limits<uint16_t>::max()) {
    return PatternError{"the offset is out of range, bound 65535", 0};
  }

  std::vector<Formula> words;
  uint32_t word = 0;
  uint32_t care = 0;
  unsigned begin = static_cast<unsigned>(offset);  // of the word that is being read
  for (size_t i = 0; i < value.size(); ++i) {
    const auto nibble = value[i] == '?' ? std::optional<uint8_t>(0) : hex_digit(value[i]);
    if (!nibble) return PatternError{"the value has a character that is neither a hex digit nor '?'", slash + 1 + i};
    const auto limit = mask.empty() ? std::optional<uint8_t>(0xf) : hex_digit(mask[i]);
    if (!limit) return PatternError{"the mask has a character that is not a hex digit", percent + 1 + i};
    word = word << 4 | *nibble;
    care = care << 4 | (value[i] == '?' ? 0u : *limit);
    const auto end = static_cast<unsigned>(offset + (i + 1) / 2);
    if (i % 2 == 1 && (end % 4 == 0 || i + 1 == value.size())) {
      words.push_back(field(Base::packet, begin, end - begin, Relation::equal, care, word & care));
      word = care = 0;
      begin = end;
    }
  }
  out = all_of(std::move(words));
  return {};
}

}  // namespace

std::optional<PatternError> parse_classifier_pattern(std::string_view text, Formula& out) {
  std::vector<Formula> clauses;
  size_t at = std::min(text.find_first_not_of(kBlanks), text.size());
  while (at < text.size()) {
    size_t end = std::min(text.find_first_of(kBlanks, at), text.size());
    if (text.substr(at, end - at) == "-") {
      if (!clauses.empty() || text.find_first_not_of(kBlanks, end) != std::string_view::npos) {
        return PatternError{"'-' must be a pattern of its own", at};
      }
      break;
    }
    const bool negated = text[at] == '!';
    if (negated) {
      at = std::min(text.find_first_not_of(kBlanks, at + 1), text.size());
      end = std::min(text.find_first_of(kBlanks, at), text.size());
    }
    Formula clause;
    if (auto error = parse_clause(text.substr(at, end - at), clause)) {
      error->offset += at;
      return error;
    }
    clauses.push_back(negated ? !std::move(clause) : std::move(clause));
    at = std::min(text.find_first_not_of(kBlanks, end), text.size());
  }
  // INTERPRETATION: a pattern without clauses has nothing that could fail, so it matches every packet.
  out = all_of(std::move(clauses));
  return {};
}

}  // namespace packetmill::ir
