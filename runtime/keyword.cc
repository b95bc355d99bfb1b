#include "runtime/keyword.h"

#include <algorithm>
#include <cctype>

#include "graph/nearest.h"

namespace packetmill {
namespace {

/// The length of the word that `text` begins with, if that word could be a keyword: it does not begin as a number or an
/// address does, and is followed by a value.
std::size_t keyword_length(std::string_view text) {
  const auto in_keyword = [](unsigned char c) {
    return std::isalnum(c) != 0 || c == '_' || c == ':' || c == '.' || c == '?' || c == '!';
  };
  const auto in_space = [](unsigned char c) { return std::isspace(c) != 0; };
  if (text.empty() || std::isdigit(static_cast<unsigned char>(text.front())) != 0) return 0;
  const auto word_end = std::find_if_not(text.begin(), text.end(), in_keyword);
  const auto value = std::find_if_not(word_end, text.end(), in_space);
  if (value == word_end || value == text.end()) return 0;
  return static_cast<std::size_t>(word_end - text.begin());
}

}  // namespace

Configuration::Configuration(const std::string& text, Location where, std::string element, PortCounts ports,
                             const Names& names, Arena& arena, Diagnostics& diagnostics)
    : where_(std::move(where)),
      element_(std::move(element)),
      ports_(ports),
      names_(names),
      arena_(arena),
      diagnostics_(diagnostics) {
  for (Argument& argument : split_arguments(text, where_)) {
    const std::size_t word = keyword_length(argument.text);
    pending_.push_back({std::move(argument), word});
  }
}

void Configuration::take(const Keyword* keywords, std::size_t count, std::initializer_list<Object> objects) {
  for (std::size_t k = 0; k < count; ++k) {
    const Keyword& keyword = keywords[k];
    known_.push_back(keyword.name);

    // By name: the last one counts, as in Click.
    Pending* found = nullptr;
    Pending* position =
        nullptr;  // the next argument in order, unless something stands before it that looks like a keyword
    bool position_known = false;
    for (Pending& pending : pending_) {
      if (!position_known && pending.state != Pending::taken_by_place) {
        position_known = true;
        if (pending.state == Pending::open) position = &pending;
      }
      if (pending.state == Pending::open && pending.word > 0 &&
          std::string_view(pending.argument.text).substr(0, pending.word) == keyword.name) {
        found = &pending;
        pending.state = Pending::taken_by_name;
      }
    }
    // By place; a mandatory argument that is still missing takes even what looks like a keyword.
    bool by_place = false;
    if (keyword.positional && position != nullptr && position->state == Pending::open &&
        (position->word == 0 || (found == nullptr && keyword.mandatory))) {
      position->state = Pending::taken_by_place;
      if (found == nullptr || found < position) {
        found = position;
        by_place = true;
      }
    }

    if (found == nullptr) {
      if (keyword.mandatory) error(std::string(keyword.name) + ": required argument missing");
      continue;
    }
    std::string_view value = found->argument.text;
    if (!by_place) {
      value.remove_prefix(found->word);
      while (!value.empty() && std::isspace(static_cast<unsigned char>(value.front())) != 0) value.remove_prefix(1);
    }
    for (const Object& object : objects) {
      if (object.tag != keyword.object) continue;
      if (const ParseError wrong = keyword.parse(value, object.address, names_)) {
        // What was taken by place may have been meant by name, and misspelt.
        std::vector<std::string_view> names;
        for (std::size_t i = 0; by_place && i < count; ++i) names.push_back(keywords[i].name);
        error(found->argument, std::string(keyword.name) + ": " + *wrong,
              did_you_mean(std::string_view(found->argument.text).substr(0, found->word), names));
      }
    }
  }
}

void Configuration::unknown_keyword(const Pending& pending) {
  const std::string word = pending.argument.text.substr(0, pending.word);
  error(pending.argument, word + ": unknown argument", did_you_mean(word, known_));
}

void Configuration::refuse_unknown_keywords() {
  for (Pending& pending : pending_) {
    const std::string_view word = std::string_view(pending.argument.text).substr(0, pending.word);
    const auto in_capitals = [](unsigned char c) { return std::isupper(c) != 0 || std::isdigit(c) != 0 || c == '_'; };
    if (pending.state != Pending::open || word.empty() || !std::ranges::all_of(word, in_capitals)) continue;
    unknown_keyword(pending);
    pending.state = Pending::taken_by_name;
  }
}

std::vector<Argument> Configuration::take_rest() {
  std::vector<Argument> rest;
  for (Pending& pending : pending_) {
    if (pending.state != Pending::open) continue;
    pending.state = Pending::taken_by_place;
    rest.push_back(pending.argument);
  }
  return rest;
}

void Configuration::finish() {
  const Pending* surplus = nullptr;
  for (const Pending& pending : pending_) {
    if (pending.state != Pending::open) continue;
    if (pending.word == 0) {
      if (surplus == nullptr) surplus = &pending;
      continue;
    }
    unknown_keyword(pending);
  }
  if (surplus != nullptr) error(surplus->argument, "too many arguments");
}

void Configuration::error_at(const Location& where, std::string message, std::string hint) {
  diagnostics_.error(where, std::move(message), std::move(hint), element_);
}

}  // namespace packetmill
