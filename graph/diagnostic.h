#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

namespace packetmill {

/// A place in a source text. Lines and columns count from 1; line 0 means that the file as a whole is meant.
struct Location {
  std::string file;
  int line = 0;
  int column = 0;
};

enum class Severity { error, warning };

/// One thing that is wrong, said once: where, what, and (in `hint`) what to do about it.
struct Diagnostic {
  Severity severity = Severity::error;
  Location where;
  std::string message;
  std::string hint;     ///< e.g. "did you mean 'Discard'?"; may be empty
  std::string element;  ///< "While configuring 'x :: Class'", where an element is at fault; may be empty
};

/// What the compiler has to say. The library only collects; cli/ prints and decides the exit status. What is said twice
/// of the same place and element, as of a compound element's body that is expanded twice, is kept once.
class Diagnostics {
 public:
  void error(Location where, std::string message, std::string hint = {}, std::string element = {}) {
    if (add({Severity::error, std::move(where), std::move(message), std::move(hint), std::move(element)})) ++errors_;
  }
  void warning(Location where, std::string message, std::string hint = {}, std::string element = {}) {
    add({Severity::warning, std::move(where), std::move(message), std::move(hint), std::move(element)});
  }

  /// Remembers the text of a source file, so that a diagnostic can be shown with its line and a caret.
  void add_source(const std::string& file, std::string text) { sources_[file] = std::move(text); }
  /// The same for a line directive: `text` is what follows it, and counts as `file` from `first_line` on.
  void add_source_from(const std::string& file, int first_line, std::string text) {
    renumbered_[file][first_line] = std::move(text);
  }
  /// The line at `where`, without its end; nothing where there is none.
  [[nodiscard]] std::string_view line(const Location& where) const;

  [[nodiscard]] int errors() const { return errors_; }
  [[nodiscard]] const std::vector<Diagnostic>& list() const { return list_; }
  [[nodiscard]] const std::map<std::string, std::string>& sources() const { return sources_; }

 private:
  bool add(Diagnostic diagnostic) {
    const Location& where = diagnostic.where;
    if (!seen_.insert({where.file, where.line, where.column, diagnostic.message, diagnostic.element}).second)
      return false;
    list_.push_back(std::move(diagnostic));
    return true;
  }

  std::vector<Diagnostic> list_;
  std::set<std::tuple<std::string, int, int, std::string, std::string>> seen_;
  std::map<std::string, std::string> sources_;
  std::map<std::string, std::map<int, std::string>> renumbered_;  ///< by file and first line
  int errors_ = 0;
};

}  // namespace packetmill
