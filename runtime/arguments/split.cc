#include "runtime/arguments/split.h"

#include <algorithm>
#include <utility>

namespace packetmill {
namespace {

bool is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
bool is_octal(char c) { return c >= '0' && c <= '7'; }

int hex_value(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

Piece delimited(PieceKind kind, std::string_view text, std::size_t opening, std::string_view closing) {
  const std::size_t end = text.find(closing, opening);
  if (end == std::string_view::npos) return {kind, text, false};
  return {kind, text.substr(0, end + closing.size()), true};
}

Piece double_quoted(std::string_view text) {
  for (std::size_t i = 1; i < text.size(); ++i) {
    if (text[i] == '"') return {PieceKind::double_quoted, text.substr(0, i + 1), true};
    if (text[i] == '\\') ++i;
  }
  return {PieceKind::double_quoted, text, false};
}

/// `\<48 45 4C>`: pairs of hexadecimal digits, anything else ignored.
/// INTERPRETATION: a digit without a partner is ignored too.
std::string data_bytes(std::string_view data) {
  std::string bytes;
  int high = -1;
  for (const char c : data) {
    const int digit = hex_value(c);
    if (digit < 0) continue;
    if (high >= 0) bytes += static_cast<char>(high * 16 + digit);
    high = high >= 0 ? -1 : digit;
  }
  return bytes;
}

/// Carries out the backslash substitution at the front of `rest`; returns how many characters it took.
std::size_t substitute_backslash(std::string_view rest, std::string& result) {
  if (rest.size() == 1) {
    result += '\\';
    return 1;
  }
  const char c = rest[1];
  constexpr std::string_view kLetters = "abtnvfr";
  constexpr std::string_view kMeanings = "\a\b\t\n\v\f\r";
  if (const std::size_t letter = kLetters.find(c); letter != std::string_view::npos) {
    result += kMeanings[letter];
    return 2;
  }
  if (is_octal(c)) {
    std::size_t end = 1;
    int value = 0;
    while (end < rest.size() && end < 4 && is_octal(rest[end])) value = value * 8 + (rest[end++] - '0');
    result += static_cast<char>(value);
    return end;
  }
  if (c == 'x' && rest.size() > 2 && hex_value(rest[2]) >= 0) {
    std::size_t end = 2;
    int value = 0;
    while (end < rest.size() && hex_value(rest[end]) >= 0) value = (value * 16 + hex_value(rest[end++])) & 0xff;
    result += static_cast<char>(value);
    return end;
  }
  if (c == '<') {
    const Piece data = delimited(PieceKind::data, rest, 2, ">");
    result += data_bytes(data.text);
    return data.text.size();
  }
  if (c == '\r') return rest.size() > 2 && rest[2] == '\n' ? 3 : 2;
  if (c != '\n') result += c;
  return 2;
}

void trim_right(std::string& text) {
  while (!text.empty() && is_space(text.back())) text.pop_back();
}

}  // namespace

Piece next_piece(std::string_view text) {
  const char second = text.size() > 1 ? text[1] : '\0';
  switch (text[0]) {
    case '\'':
      return delimited(PieceKind::single_quoted, text, 1, "'");
    case '"':
      return double_quoted(text);
    case '\\':
      if (second == '<') return delimited(PieceKind::data, text, 2, ">");
      break;
    case '/':
      if (second == '*') return delimited(PieceKind::comment, text, 2, "*/");
      if (second == '/') {
        const std::size_t end = text.find_first_of("\n\r");
        return {PieceKind::comment, text.substr(0, end == std::string_view::npos ? end : end + 1), true};
      }
      break;
    default:
      break;
  }
  return {PieceKind::plain, text.substr(0, 1), true};
}

Location advance(Location from, std::string_view text) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\n' || (text[i] == '\r' && (i + 1 == text.size() || text[i + 1] != '\n'))) {
      ++from.line;
      from.column = 1;
    } else {
      ++from.column;
    }
  }
  return from;
}

std::vector<Argument> split_arguments(std::string_view configuration, Location start) {
  std::vector<Argument> arguments;
  Argument current{{}, start};
  Location place = std::move(start);
  const auto finish = [&] {
    trim_right(current.text);
    if (current.text.empty()) current.where = place;
    arguments.push_back(std::exchange(current, {}));
  };
  while (!configuration.empty()) {
    const Piece piece = next_piece(configuration);
    const bool space = piece.kind == PieceKind::comment || (piece.kind == PieceKind::plain && is_space(piece.text[0]));
    if (piece.kind == PieceKind::plain && piece.text[0] == ',') {
      finish();
    } else if (!space || !current.text.empty()) {
      if (current.text.empty()) current.where = place;
      current.text += piece.kind == PieceKind::comment ? " " : piece.text;
    }
    // A CRLF may lie across two pieces; the CR's line end is then counted with the LF.
    const bool split_crlf = piece.text.back() == '\r' && configuration.substr(piece.text.size()).starts_with('\n');
    place = advance(std::move(place), split_crlf ? piece.text.substr(0, piece.text.size() - 1) : piece.text);
    configuration.remove_prefix(piece.text.size());
  }
  trim_right(current.text);
  if (!current.text.empty()) finish();
  return arguments;
}

std::vector<std::string> split_arguments(std::string_view configuration) {
  std::vector<std::string> texts;
  for (Argument& argument : split_arguments(configuration, Location{})) texts.push_back(std::move(argument.text));
  return texts;
}

std::vector<std::string> split_words(std::string_view text) {
  std::vector<std::string> words;
  bool inside = false;
  while (!text.empty()) {
    const Piece piece = next_piece(text);
    text.remove_prefix(piece.text.size());
    if (piece.kind == PieceKind::comment || (piece.kind == PieceKind::plain && is_space(piece.text[0]))) {
      inside = false;
      continue;
    }
    if (!std::exchange(inside, true)) words.emplace_back();
    words.back() += piece.text;
  }
  return words;
}

std::string unquote(std::string_view text) {
  std::string result;
  while (!text.empty()) {
    const Piece piece = next_piece(text);
    text.remove_prefix(piece.text.size());
    const std::string_view inner = piece.text.substr(1, piece.text.size() - (piece.terminated ? 2 : 1));
    switch (piece.kind) {
      case PieceKind::single_quoted:
        result += inner;
        break;
      case PieceKind::double_quoted:
        for (std::size_t i = 0; i < inner.size();) {
          if (inner[i] == '\\')
            i += substitute_backslash(inner.substr(i), result);
          else
            result += inner[i++];
        }
        break;
      case PieceKind::data:
        result += data_bytes(piece.text);
        break;
      case PieceKind::plain:
      case PieceKind::comment:
        result += piece.text;
        break;
    }
  }
  return result;
}

std::string quote(std::string_view text) {
  const auto plain = [](char c) {
    return static_cast<unsigned char>(c) > ' ' && c != 0x7f &&
           std::string_view("\"'\\,()$/#").find(c) == std::string_view::npos;
  };
  // A slash alone is harmless; only "//" and "/*" would begin a comment.
  const auto word = [&](char c) { return plain(c) || c == '/'; };
  const bool comment = text.find("//") != std::string_view::npos || text.find("/*") != std::string_view::npos;
  if (!text.empty() && !comment && std::all_of(text.begin(), text.end(), word)) return std::string(text);

  constexpr std::string_view kHex = "0123456789ABCDEF";
  std::string result = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\' || c == '$') {
      result += '\\';
      result += c;
    } else if (byte < ' ' || byte == 0x7f) {
      result += "\\<";
      result += kHex[byte >> 4];
      result += kHex[byte & 15];
      result += '>';
    } else {
      result += c;
    }
  }
  return result + '"';
}

}  // namespace packetmill
