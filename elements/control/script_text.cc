#include "elements/control/script_text.h"

#include <cctype>

#include "runtime/arguments/split.h"

namespace packetmill {
namespace {

bool in_name(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

/// The length of the text up to the parenthesis that closes the one before it; npos where there is none.
std::size_t to_closing_parenthesis(std::string_view text) {
  int depth = 1;
  for (std::size_t i = 0; i < text.size();) {
    const Piece piece = next_piece(text.substr(i));
    if (piece.kind == PieceKind::plain && text[i] == '(') ++depth;
    if (piece.kind == PieceKind::plain && text[i] == ')' && --depth == 0) return i;
    i += piece.text.size();
  }
  return std::string_view::npos;
}

/// A reference at the front of a text.
struct Reference {
  std::size_t length = 0;  ///< with its `$`; 0: there is none
  std::string_view name;
  bool is_handler = false;
};

Reference reference_at(std::string_view text) {
  if (text.size() < 2 || text[0] != '$') return {};
  const std::string_view rest = text.substr(1);
  if (rest[0] == '(') {
    const std::size_t length = to_closing_parenthesis(rest.substr(1));
    if (length == std::string_view::npos) return {};
    return {length + 3, rest.substr(1, length), true};
  }
  if (rest[0] == '{') {
    const std::size_t end = rest.find('}');
    if (end == std::string_view::npos) return {};
    return {end + 2, rest.substr(1, end - 1)};
  }
  if (rest[0] == '?' || rest[0] == '#' || rest[0] == '$') return {2, rest.substr(0, 1)};
  std::size_t length = 0;
  while (length < rest.size() && in_name(rest[length])) ++length;
  if (length == 0) return {};
  return {length + 1, rest.substr(0, length)};
}

std::string escaped(std::string_view value) {
  std::string result;
  for (const char c : value) {
    if (c == '"' || c == '\\' || c == '$') result += '\\';
    result += c;
  }
  return result;
}

}  // namespace

std::string substitute(std::string_view text, const ScriptReferences& references) {
  std::string result;
  bool in_double_quotes = false;
  for (std::size_t i = 0; i < text.size();) {
    const std::string_view rest = text.substr(i);
    if (rest[0] == '"') {
      in_double_quotes = !in_double_quotes;
    } else if (rest[0] == '\'' && !in_double_quotes) {
      const std::string_view quoted = next_piece(rest).text;
      result += quoted;
      i += quoted.size();
      continue;
    } else if (rest[0] == '\\' && in_double_quotes && rest.size() > 1) {
      result += rest.substr(0, 2);
      i += 2;
      continue;
    } else if (const Reference reference = reference_at(rest); reference.length > 0) {
      std::optional<std::string> value = reference.is_handler
                                             ? references.handler(substitute(reference.name, references))
                                             : references.variable(reference.name);
      if (value) {
        result += in_double_quotes ? escaped(*value) : *value;
        i += reference.length;
        continue;
      }
    }
    result += rest[0];
    ++i;
  }
  return result;
}

}  // namespace packetmill
