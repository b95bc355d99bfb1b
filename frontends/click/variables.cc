#include "frontends/click/variables.h"

#include <algorithm>
#include <optional>

#include "runtime/arguments/split.h"

namespace packetmill::click {
namespace {

bool is_name(char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

bool is_hexadecimal(char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }

/// A reference to a variable at the front of a text.
struct Reference {
  std::string_view text;  ///< the whole of it, from the dollar sign
  std::string name;
  std::optional<std::string_view> otherwise;  ///< of `${name-otherwise}`
};

std::optional<Reference> reference(std::string_view text) {
  if (text.empty() || text[0] != '$') return std::nullopt;
  const bool braces = text.size() > 1 && text[1] == '{';
  const std::string_view rest = text.substr(braces ? 2 : 1);
  const auto length = static_cast<std::size_t>(std::find_if_not(rest.begin(), rest.end(), is_name) - rest.begin());
  if (length == 0) return std::nullopt;
  const std::string name(rest.substr(0, length));
  if (!braces) return Reference{text.substr(0, length + 1), name, std::nullopt};
  const std::size_t end = rest.find('}', length);
  if (end == std::string_view::npos) return std::nullopt;
  const std::string_view whole = text.substr(0, end + 3);
  if (end == length) return Reference{whole, name, std::nullopt};
  if (rest[length] != '-') return std::nullopt;
  return Reference{whole, name, rest.substr(length + 1, end - length - 1)};
}

/// The value as it has to be written inside double quotes.
std::string inside_double_quotes(std::string_view value) {
  std::string result;
  for (const char c : unquote(value)) {
    if (c == '"' || c == '\\' || c == '$') result += '\\';
    result += c;
  }
  return result;
}

std::string inside_data(std::string_view value) {
  std::string result;
  for (const char c : unquote(value))
    if (is_hexadecimal(c) || c == ' ') result += c;
  return result;
}

std::string as_it_is(std::string_view value) { return std::string(value); }

}  // namespace

void Variables::set(const std::string& name, std::string value) {
  variables_[name] = {std::move(value), {}, State::final};
}

bool Variables::define(const std::string& name, std::string value, Location where) {
  return variables_.try_emplace(name, Variable{std::move(value), std::move(where), State::raw}).second;
}

bool Variables::is_set(const std::string& name) const {
  const auto found = variables_.find(name);
  return found != variables_.end() && found->second.state == State::final;
}

const std::string* Variables::find(const std::string& name, const Location& where, Diagnostics& diagnostics) {
  Variables* scope = this;
  while (scope && !scope->variables_.contains(name)) scope = scope->outer_;
  if (!scope) return nullptr;
  Variable& variable = scope->variables_[name];
  if (variable.state == State::raw) {
    if (limits_.depth == 0) {
      diagnostics.error(where, "'$" + name + "' is defined through too many other parameters");
      return &variable.value;
    }
    variable.state = State::being_substituted;
    --limits_.depth;
    variable.value = scope->substitute(variable.value, variable.where, diagnostics);
    ++limits_.depth;
    variable.state = State::final;
  } else if (variable.state == State::being_substituted) {
    diagnostics.error(variable.where, "'$" + name + "' is defined in terms of itself");
  }
  return &variable.value;
}

void Variables::replace(std::string_view text, std::string (*written)(std::string_view), std::string& result,
                        const Location& where, Diagnostics& diagnostics) {
  while (!text.empty()) {
    if (text[0] == '\\') {  // only inside double quotes and data, where it guards the next character
      result += text.substr(0, 2);
      text.remove_prefix(std::min<std::size_t>(2, text.size()));
      continue;
    }
    const std::optional<Reference> found = reference(text);
    if (!found) {
      result += text[0];
      text.remove_prefix(1);
      continue;
    }
    text.remove_prefix(found->text.size());
    const std::string* value = find(found->name, where, diagnostics);
    const std::string replacement = value              ? written(*value)
                                    : found->otherwise ? written(substitute(*found->otherwise, where, diagnostics))
                                                       : std::string(found->text);
    if (replacement.size() > limits_.bytes) {
      if (limits_.bytes > 0) diagnostics.error(where, "the configuration is too large once parameters are substituted");
      limits_.bytes = 0;
      continue;
    }
    limits_.bytes -= replacement.size();
    result += replacement;
  }
}

std::string Variables::substitute(std::string_view text, const Location& where, Diagnostics& diagnostics) {
  std::string result;
  while (!text.empty()) {
    Piece piece = next_piece(text);
    switch (piece.kind) {
      case PieceKind::plain:
        if (const std::optional<Reference> found = reference(text)) {
          piece.text = found->text;
          replace(piece.text, as_it_is, result, where, diagnostics);
        } else {
          result += piece.text;
        }
        break;
      case PieceKind::double_quoted:
        replace(piece.text, inside_double_quotes, result, where, diagnostics);
        break;
      case PieceKind::data:
        result += piece.text.substr(0, 2);
        replace(piece.text.substr(2), inside_data, result, where, diagnostics);
        break;
      case PieceKind::single_quoted:
      case PieceKind::comment:
        result += piece.text;
        break;
    }
    text.remove_prefix(piece.text.size());
  }
  return result;
}

}  // namespace packetmill::click
