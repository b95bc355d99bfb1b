#include "frontends/click/classes.h"

#include <algorithm>

namespace packetmill::click {
namespace {

std::string counted(std::size_t count, const std::string& noun) {
  return std::to_string(count) + " " + noun + (count == 1 ? "" : "s");
}

/// The argument's first word, if it is followed by something or nothing: `COUNT 3`.
std::string_view first_word(std::string_view argument) {
  return argument.substr(0, argument.find_first_of(" \t\n\v\f\r"));
}

std::string_view after_first_word(std::string_view argument) {
  argument.remove_prefix(first_word(argument).size());
  argument.remove_prefix(std::min(argument.find_first_not_of(" \t\n\v\f\r"), argument.size()));
  return argument;
}

}  // namespace

std::vector<Overload> overloads(const ResolvedClass& element_class) {
  std::vector<Overload> all;
  for (const ResolvedClass* owner = &element_class; owner; owner = owner->extended) {
    if (!owner->definition)
      all.push_back({nullptr, owner});
    else
      for (const ast::Compound& compound : owner->definition->compounds) all.push_back({&compound, owner});
  }
  return all;
}

std::optional<std::string> assign_arguments(const ast::Compound& compound, const std::vector<std::string>& arguments,
                                            Variables* variables) {
  std::vector<bool> taken(arguments.size());
  const auto set = [&](const ast::Formal& formal, std::string_view value) {
    if (variables) variables->set(formal.variable, std::string(value));
  };
  std::size_t positional = 0;
  bool takes_rest = false;
  for (const ast::Formal& formal : compound.formals) {
    if (formal.keyword.empty()) {
      if (positional == arguments.size()) return "too few arguments";
      taken[positional] = true;
      set(formal, arguments[positional++]);
    } else if (formal.keyword == "__REST__") {
      std::string rest;
      for (std::size_t i = 0; i < arguments.size(); ++i)
        if (!taken[i]) rest += (rest.empty() ? "" : ", ") + arguments[i];
      set(formal, rest);
      takes_rest = true;
    } else {
      // INTERPRETATION: of a keyword given twice the last one counts, as with the arguments of primitive elements.
      std::optional<std::string_view> value;
      for (std::size_t i = positional; i < arguments.size(); ++i) {
        if (first_word(arguments[i]) != formal.keyword) continue;
        taken[i] = true;
        value = after_first_word(arguments[i]);
      }
      if (!value) return "missing '" + formal.keyword + "' parameter";
      set(formal, *value);
    }
  }
  if (!takes_rest && std::ranges::find(taken, false) != taken.end()) return "too many arguments";
  return std::nullopt;
}

std::string signature(std::string_view name, std::size_t arguments, std::size_t inputs, std::size_t outputs) {
  return std::string(name) + "(" + counted(arguments, "argument") + ", " + counted(inputs, "input") + ", " +
         counted(outputs, "output") + ")";
}

std::string signature(std::string_view name, const ast::Compound& compound) {
  std::string formals;
  for (const ast::Formal& formal : compound.formals) {
    if (!formals.empty()) formals += ", ";
    if (!formal.keyword.empty()) formals += formal.keyword + " ";
    formals += "$" + formal.variable;
  }
  return std::string(name) + "(" + (formals.empty() ? "no arguments" : formals) + ", " +
         counted(compound.ports.inputs.size(), "input") + ", " + counted(compound.ports.outputs.size(), "output") + ")";
}

}  // namespace packetmill::click
