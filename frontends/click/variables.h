#pragma once

#include <map>
#include <string>
#include <string_view>

#include "graph/diagnostic.h"

namespace packetmill::click {

/// Substitution can double a text at every step, and definitions can be chained: both have bounds for one
/// configuration.
struct SubstitutionLimits {
  std::size_t bytes = 64 << 20;  ///< that values may still add
  int depth = 100;               ///< of definitions in terms of others, still to go
};

/// The parameters of one lexical scope: the file, or one expansion of a compound element. All definitions of a scope
/// hold in all of it, wherever they stand (click(5) "PARAMETER DEFINITIONS").
class Variables {
 public:
  /// `outer` is the enclosing scope, or null; it must live longer, as must `limits`, which all scopes share.
  Variables(Variables* outer, SubstitutionLimits& limits) : outer_(outer), limits_(limits) {}

  /// Sets a value that is final: an argument, already substituted where it was written, or one of the command line.
  void set(const std::string& name, std::string value);

  /// Sets a value that is itself to be substituted in this scope; returns false if the name is taken.
  bool define(const std::string& name, std::string value, Location where);

  /// Whether set() gave the value of a variable of this scope.
  [[nodiscard]] bool is_set(const std::string& name) const;

  /// Replaces `$x`, `${x}` and `${x-default}`: not in single quotes and comments; in double quotes by the unquoted
  /// value, with backslashes where needed; in `\<...>` by its hexadecimal digits. What is not defined stays as it is:
  /// it may mean something to the element, as in Script. `where` is for errors.
  std::string substitute(std::string_view text, const Location& where, Diagnostics& diagnostics);

 private:
  enum class State { raw, being_substituted, final };
  struct Variable {
    std::string value;
    Location where;
    State state = State::final;
  };

  /// The value of a variable here or further out, or null.
  const std::string* find(const std::string& name, const Location& where, Diagnostics& diagnostics);
  /// Copies `text` to `result`, the references to variables replaced by `written(value)`.
  void replace(std::string_view text, std::string (*written)(std::string_view), std::string& result,
               const Location& where, Diagnostics& diagnostics);

  std::map<std::string, Variable> variables_;
  Variables* outer_;
  SubstitutionLimits& limits_;
};

}  // namespace packetmill::click
