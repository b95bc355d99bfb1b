#include "frontends/click/classes.h"

#include <algorithm>
#include <iterator>

#include "frontends/click/ports.h"
#include "graph/nearest.h"

namespace packetmill::click {
namespace {

/// The argument's first word, if it is followed by something or nothing: `COUNT 3`.
std::string_view first_word(std::string_view argument) {
  return argument.substr(0, argument.find_first_of(" \t\n\v\f\r"));
}

std::string_view after_first_word(std::string_view argument) {
  argument.remove_prefix(first_word(argument).size());
  argument.remove_prefix(std::min(argument.find_first_not_of(" \t\n\v\f\r"), argument.size()));
  return argument;
}

/// "Foo(2 arguments, 1 input, 0 outputs)": what a use has.
std::string signature(std::string_view name, std::size_t arguments, std::size_t inputs, std::size_t outputs) {
  return std::string(name) + "(" + counted(arguments, "argument") + ", " + counted(inputs, "input") + ", " +
         counted(outputs, "output") + ")";
}

/// "Foo($a, KEY $b, 1 input, 0 outputs)": what a definition wants.
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

/// All definitions in the order in which they are tried.
std::vector<Overload> overloads(const ResolvedClass& element_class) {
  std::vector<Overload> all;
  for (const ResolvedClass* owner = &element_class; owner; owner = owner->extended) {
    if (!owner->definition) {
      all.push_back({nullptr, owner, {}, {}});
    } else {
      for (const ast::Compound& compound : owner->definition->compounds) all.push_back({&compound, owner, {}, {}});
    }
  }
  return all;
}

}  // namespace

const ResolvedClass* ClassTable::find(const std::string& name, const Environment& environment) {
  for (const ClassBinding* binding = environment.classes; binding; binding = binding->next)
    if (binding->name == name) return binding->resolved;
  if (!primitives_.find(name)) return nullptr;
  const ResolvedClass*& primitive = found_primitives_[name];
  if (!primitive) primitive = &resolved_.emplace_back(ResolvedClass{name, nullptr, nullptr, {}});
  return primitive;
}

const ResolvedClass* ClassTable::resolve(const ast::Class& element_class, const std::string& bound_name,
                                         const Environment& environment) {
  if (!element_class.name.empty()) {
    const ResolvedClass* found = find(element_class.name, environment);
    if (!found)
      diagnostics_.error(element_class.where, "unknown element class '" + element_class.name + "'",
                         did_you_mean(element_class.name, names(environment)));
    return found;
  }
  ResolvedClass& resolved = resolved_.emplace_back();
  resolved.definition = &element_class;
  resolved.environment = environment;
  if (element_class.extends) {
    resolved.extended = find(bound_name, environment);
    if (!resolved.extended)
      diagnostics_.error(element_class.where, "'...' has no element class to extend",
                         "it extends an earlier class of the same name");
  }
  return &resolved;
}

void ClassTable::bind(const std::string& name, const ResolvedClass* resolved, Environment& environment) {
  environment.classes = &bindings_.emplace_back(ClassBinding{name, resolved, environment.classes});
}

std::vector<std::string_view> ClassTable::names(const Environment& environment) const {
  std::vector<std::string_view> known = primitives_.names();
  for (const ClassBinding* binding = environment.classes; binding; binding = binding->next)
    known.push_back(binding->name);
  return known;
}

Overload choose_overload(const ResolvedClass& element_class, const std::string& class_name,
                         const std::vector<std::string>& arguments, int inputs, int outputs) {
  const std::vector<Overload> candidates = overloads(element_class);
  std::string list;
  for (const Overload& candidate : candidates) {
    if (!candidate.compound) return candidate;
    const auto problem = assign_arguments(*candidate.compound, arguments, nullptr);
    const std::string wanted = signature(class_name, *candidate.compound);
    if (candidates.size() == 1 && problem) return {nullptr, nullptr, *problem, "the definition is " + wanted};
    const ast::PseudoPorts& ports = candidate.compound->ports;
    const bool ports_match = std::ssize(ports.inputs) == inputs && std::ssize(ports.outputs) == outputs;
    if (!problem && (ports_match || candidates.size() == 1)) return candidate;
    list += (list.empty() ? "" : ", ") + wanted;
  }
  const auto count = [](int n) { return static_cast<std::size_t>(n); };
  return {nullptr, nullptr,
          "no match for '" + signature(class_name, arguments.size(), count(inputs), count(outputs)) + "'",
          "candidates are: " + list};
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

}  // namespace packetmill::click
