#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "graph/diagnostic.h"

// Configuration strings, as click(5) "CONFIGURATION STRINGS" describes them: arguments separated by commas, words
// separated by spaces, quotes and comments. The front-end splits what stands between parentheses, handlers split what
// is written to them at run time; both do it here.

namespace packetmill {

/// One argument of a configuration string, still quoted, without comments and surrounding space.
struct Argument {
  std::string text;
  Location where;  ///< of the argument's first character; of the comma or end after it if the argument is empty
};

/// Splits at every comma outside quotes, `\<...>` and comments. A comment counts as one space. A last argument that is
/// empty is ignored, so `1, ` has one argument; an empty argument before another is kept.
std::vector<std::string> split_arguments(std::string_view configuration);

/// The same with places; `start` is the place of the configuration's first character.
std::vector<Argument> split_arguments(std::string_view configuration, Location start);

/// Splits at white space and comments outside quotes and `\<...>`. The words are still quoted.
std::vector<std::string> split_words(std::string_view text);

/// Removes quotes and carries out the substitutions of click(5) "Backslash Substitutions": inside double quotes all of
/// them, outside quotes only `\<...>`, inside single quotes none. Adjacent parts are joined: `a"b"'c'` is `abc`.
std::string unquote(std::string_view text);

/// Quotes `text`, where that is needed, so that it is one word of one argument: unquote(quote(text)) == text.
std::string quote(std::string_view text);

/// What a configuration string is made of, lexically.
enum class PieceKind { plain, single_quoted, double_quoted, data, comment };

struct Piece {
  PieceKind kind = PieceKind::plain;
  std::string_view
      text;  ///< with its delimiters; a plain piece is one character, a line comment ends after its newline
  bool terminated = true;  ///< false where the text ends before the closing delimiter
};

/// The first piece of `text`, which must not be empty.
Piece next_piece(std::string_view text);

/// The place that follows `text`, where `text` begins at `from`. Columns count bytes; LF, CR and CRLF end a line.
Location advance(Location from, std::string_view text);

}  // namespace packetmill
