#include "frontends/click/lexer.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <utility>

#include "runtime/arguments/split.h"

namespace packetmill::click {
namespace {

bool is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_name(char c) { return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

/// Letters, digits, `_`, `@` and `/`; not beginning or ending with a slash, no two slashes, and a comment ends it.
std::size_t identifier_length(std::string_view text) {
  std::size_t i = 0;
  while (i < text.size()) {
    const bool slash = text[i] == '/' && i > 0 && i + 1 < text.size() && (is_name(text[i + 1]) || text[i + 1] == '@');
    if (!slash && !is_name(text[i]) && text[i] != '@') break;
    ++i;
  }
  return i;
}

std::size_t variable_length(std::string_view text) {
  return static_cast<std::size_t>(std::find_if_not(text.begin(), text.end(), is_name) - text.begin());
}

TokenKind word_kind(std::string_view word) {
  if (std::all_of(word.begin(), word.end(), is_digit)) return TokenKind::number;
  if (word == "define") return TokenKind::keyword_define;
  if (word == "elementclass") return TokenKind::keyword_elementclass;
  if (word == "provide") return TokenKind::keyword_provide;
  if (word == "require") return TokenKind::keyword_require;
  return TokenKind::identifier;
}

/// The longest come first.
constexpr std::array<std::pair<std::string_view, TokenKind>, 14> kSymbols{{
    {"...", TokenKind::ellipsis},
    {"->", TokenKind::arrow},
    {"=>", TokenKind::double_arrow},
    {"::", TokenKind::declares},
    {"||", TokenKind::double_bar},
    {"|", TokenKind::bar},
    {";", TokenKind::semicolon},
    {",", TokenKind::comma},
    {"(", TokenKind::open_parenthesis},
    {")", TokenKind::close_parenthesis},
    {"[", TokenKind::open_bracket},
    {"]", TokenKind::close_bracket},
    {"{", TokenKind::open_brace},
    {"}", TokenKind::close_brace},
}};

/// Up to the closing parenthesis that has no partner; `terminated` tells whether there is one.
std::size_t balanced_length(std::string_view text, bool& terminated) {
  std::size_t length = 0;
  std::size_t depth = 0;
  while (length < text.size()) {
    const Piece piece = next_piece(text.substr(length));
    if (piece.kind == PieceKind::plain) {
      if (piece.text[0] == ')' && depth-- == 0) {
        terminated = true;
        return length;
      }
      if (piece.text[0] == '(') ++depth;
    }
    length += piece.text.size();
  }
  terminated = false;
  return length;
}

}  // namespace

bool is_configuration(std::string_view text) {
  bool terminated = false;
  const std::string closed = std::string(text) + ")";
  return balanced_length(closed, terminated) == text.size() && terminated;
}

std::string_view Lexer::take(std::size_t length) {
  const std::string_view text = rest_.substr(0, length);
  place_ = advance(std::move(place_), text);
  rest_.remove_prefix(text.size());
  if (!text.empty()) line_start_ = text.back() == '\n' || text.back() == '\r';
  return text;
}

/// `# 12 "file"`, `#line 12 "file"` or `#!` (a script's interpreter), the whole line.
void Lexer::line_directive() {
  const Location where = place_;
  std::string_view line = rest_.substr(0, rest_.find_first_of("\n\r"));
  const std::string_view whole = line;
  const auto skip = [&] { line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size())); };
  line.remove_prefix(1);
  const bool interpreter = line.starts_with('!');
  skip();
  if (line.starts_with("line")) line.remove_prefix(4);
  skip();
  int number = 0;
  const auto [end, failure] = std::from_chars(line.data(), line.data() + line.size(), number);
  line.remove_prefix(static_cast<std::size_t>(end - line.data()));
  skip();
  take(whole.size());
  take(rest_.starts_with("\r\n") ? 2 : 1);
  if (interpreter) return;
  constexpr int kLastLine = 1'000'000'000;  // lines are counted on from here, so leave room
  if (failure != std::errc{} || number < 0 || number > kLastLine) {
    diagnostics_.error(where, "unknown preprocessor directive", "a line directive has the form: # 12 \"file\"");
    return;
  }
  // An empty name would be no place.
  if (line.starts_with('"'))
    if (std::string file = unquote(next_piece(line).text); !file.empty()) place_.file = std::move(file);
  place_.line = number;
  diagnostics_.add_source_from(place_.file, number, std::string(rest_));
}

void Lexer::skip_space() {
  while (!rest_.empty()) {
    if (rest_[0] == '#' && line_start_) {
      line_directive();
      continue;
    }
    if (is_space(rest_[0])) {
      take(rest_.starts_with("\r\n") ? 2 : 1);
      continue;
    }
    if (rest_[0] != '/') return;
    const Piece piece = next_piece(rest_);
    if (piece.kind != PieceKind::comment) return;
    if (!piece.terminated) diagnostics_.error(place_, "unterminated comment");
    take(piece.text.size());
  }
}

Token Lexer::lex() {
  skip_space();
  const Location where = place_;
  if (rest_.empty()) return {TokenKind::end, "end of file", where};
  if (const std::size_t length = identifier_length(rest_)) {
    const std::string_view word = take(length);
    return {word_kind(word), std::string(word), where};
  }
  if (rest_[0] == '$') {
    if (const std::size_t length = variable_length(rest_.substr(1)))
      return {TokenKind::variable, std::string(take(length + 1).substr(1)), where};
  }
  for (const auto& [symbol, kind] : kSymbols)
    if (rest_.starts_with(symbol)) return {kind, std::string(take(symbol.size())), where};
  return {TokenKind::invalid, std::string(take(1)), where};
}

const Token& Lexer::peek(std::size_t ahead) {
  while (lookahead_.size() <= ahead) lookahead_.push_back(lex());
  return lookahead_[ahead];
}

Token Lexer::next() {
  peek();
  Token token = std::move(lookahead_.front());
  lookahead_.pop_front();
  return token;
}

Configuration Lexer::configuration() {
  const Token open = next();
  Configuration configuration{{}, place_};
  bool terminated = false;
  configuration.text = take(balanced_length(rest_, terminated));
  line_start_ = false;
  if (terminated)
    take(1);
  else
    diagnostics_.error(open.where, "this configuration string has no end", "a ')' or a closing quote is missing");
  return configuration;
}

void Lexer::skip_parentheses() {
  next();
  if (!lookahead_.empty() || unbalanced_) return;
  bool terminated = false;
  const std::size_t length = balanced_length(rest_, terminated);
  if (terminated) take(length + 1);
  unbalanced_ = !terminated;
}

}  // namespace packetmill::click
