#pragma once

#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "frontends/click/ast.h"
#include "frontends/click/variables.h"
#include "graph/element_class.h"

// Element classes as names stand for them at one place of the text. "Element classes are nonrecursive and lexically
// scoped" (click(5)): a name is bound from the end of its definition to the end of the enclosing scope, so the names
// visible at a place are a list that grows at the front and never changes behind it.

namespace packetmill::click {

struct ClassBinding;

/// What is visible where a compound is written: its body is expanded in this, wherever it is used.
struct Environment {
  const ClassBinding* classes = nullptr;  ///< the latest first
  Variables* variables = nullptr;
};

/// A class: a primitive one, or a chain of overloads that may end in a primitive one.
struct ResolvedClass {
  std::string primitive;  ///< name of the primitive class, if `definition` is null
  const ast::Class* definition = nullptr;
  const ResolvedClass* extended = nullptr;  ///< what "..." stands for
  Environment environment;                  ///< of the definition
};

struct ClassBinding {
  std::string name;
  const ResolvedClass* resolved;
  const ClassBinding* next;
};

/// One definition that an element of a class may be expanded to.
struct Overload {
  const ast::Compound* compound = nullptr;  ///< null: the primitive class of `owner`
  const ResolvedClass* owner = nullptr;
};

/// All overloads of a class in the order in which they are tried.
std::vector<Overload> overloads(const ResolvedClass& element_class);

/// Binds the arguments of a use to a compound's formal parameters. Returns what is wrong with them, if anything;
/// `variables` may be null if only that is of interest.
std::optional<std::string> assign_arguments(const ast::Compound& compound, const std::vector<std::string>& arguments,
                                            Variables* variables);

/// "Foo(2 arguments, 1 input, 0 outputs)", for messages about overloads.
std::string signature(std::string_view name, std::size_t arguments, std::size_t inputs, std::size_t outputs);
std::string signature(std::string_view name, const ast::Compound& compound);

}  // namespace packetmill::click
