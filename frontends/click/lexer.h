#pragma once

#include <deque>
#include <string>
#include <string_view>

#include "frontends/click/click.h"

namespace packetmill::click {

/// click(5) "LEXICAL ISSUES".
enum class TokenKind {
  end,
  identifier,
  number,    ///< an identifier of digits only: a port number
  variable,  ///< `$name`, text without the dollar sign
  keyword_define,
  keyword_elementclass,
  keyword_provide,
  keyword_require,
  arrow,         // ->
  double_arrow,  // =>
  declares,      // ::
  ellipsis,      // ...
  bar,
  double_bar,
  semicolon,
  comma,
  open_parenthesis,
  close_parenthesis,
  open_bracket,
  close_bracket,
  open_brace,
  close_brace,
  invalid,
};

struct Token {
  TokenKind kind = TokenKind::end;
  std::string text;
  Location where;
};

/// A configuration string: the text between parentheses, as written.
struct Configuration {
  std::string text;
  Location where;  ///< of its first character
};

/// Cuts a text into tokens. White space, comments and line directives are skipped.
class Lexer {
 public:
  Lexer(const Source& source, Diagnostics& diagnostics)
      : rest_(source.text), place_{source.file, 1, 1}, diagnostics_(diagnostics) {}

  const Token& peek(std::size_t ahead = 0);
  Token next();

  /// Takes an opening parenthesis, which peek() has just shown, the configuration string and the closing parenthesis.
  Configuration configuration();

  /// Takes an opening parenthesis and everything up to its partner, if it has one; for error recovery.
  void skip_parentheses();

  /// How many characters are left, to see whether there was progress.
  [[nodiscard]] std::size_t remaining() const { return rest_.size() + lookahead_.size(); }

 private:
  Token lex();
  void skip_space();
  void line_directive();
  std::string_view take(std::size_t length);

  std::string_view rest_;
  Location place_;
  bool line_start_ = true;
  bool unbalanced_ = false;  ///< a partner was missing before: do not look again from each further parenthesis
  std::deque<Token> lookahead_;
  Diagnostics& diagnostics_;
};

/// Whether `text`, between parentheses, would be read as one configuration string.
bool is_configuration(std::string_view text);

}  // namespace packetmill::click
