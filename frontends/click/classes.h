#pragma once

#include <deque>
#include <map>
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

/// The classes of one configuration.
class ClassTable {
 public:
  ClassTable(const ElementClasses& primitives, Diagnostics& diagnostics)
      : primitives_(primitives), diagnostics_(diagnostics) {}

  /// What a name stands for; null if nobody knows it.
  const ResolvedClass* find(const std::string& name, const Environment& environment);

  /// What a class in the text stands for; null, and an error, if it is an unknown name. `bound_name` is the name that
  /// an elementclass statement is about to give to it, whose old meaning "..." extends.
  const ResolvedClass* resolve(const ast::Class& element_class, const std::string& bound_name,
                               const Environment& environment);

  /// Gives the class a name from now on.
  void bind(const std::string& name, const ResolvedClass* resolved, Environment& environment);

  [[nodiscard]] std::vector<std::string_view> names(const Environment& environment) const;

 private:
  const ElementClasses& primitives_;
  Diagnostics& diagnostics_;
  // What bindings point to; a deque does not move its elements.
  std::deque<ResolvedClass> resolved_;
  std::deque<ClassBinding> bindings_;
  std::map<std::string, const ResolvedClass*> found_primitives_;
};

/// The definition that an element is expanded to.
struct Overload {
  const ast::Compound* compound = nullptr;  ///< null: the primitive class of `owner`
  const ResolvedClass* owner = nullptr;     ///< null: there is none, see `problem`
  std::string problem;
  std::string hint;
};

/// "Click will choose the first definition that matches the provided number of input ports, number of output ports, and
/// configuration arguments." Where there is just one, ports do not decide: unconnected ones are no reason to refuse it.
Overload choose_overload(const ResolvedClass& element_class, const std::string& class_name,
                         const std::vector<std::string>& arguments, int inputs, int outputs);

/// Binds the arguments of a use to a compound's formal parameters. Returns what is wrong with them, if anything;
/// `variables` may be null if only that is of interest.
std::optional<std::string> assign_arguments(const ast::Compound& compound, const std::vector<std::string>& arguments,
                                            Variables* variables);

}  // namespace packetmill::click
