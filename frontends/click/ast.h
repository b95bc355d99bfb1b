#pragma once

#include <memory>
#include <optional>
#include <set>
#include <string>
#include <variant>
#include <vector>

#include "frontends/click/lexer.h"
#include "runtime/arguments/split.h"

// The syntax tree; each structure is a rule of click(5) "BNF GRAMMAR".

namespace packetmill::click::ast {

struct Statement;
using Statements = std::vector<Statement>;

/// Which ports of the pseudo-elements `input` and `output` the statements of a compound or a group use.
struct PseudoPorts {
  std::set<int> inputs;   ///< outputs of `input`: the inputs of the whole
  std::set<int> outputs;  ///< inputs of `output`
};

/// formal ::= parameter | identifier parameter
struct Formal {
  std::string keyword;
  std::string variable;
  Location where;
};

/// compound ::= stmts | opt-formals "|" stmts
struct Compound {
  Location where;
  std::vector<Formal> formals;
  Statements statements;
  PseudoPorts ports;
};

/// class ::= identifier | "{" compounds "}" | "{" compounds "||" "..." "}"
struct Class {
  Location where;
  std::string name;  ///< empty for a compound
  std::vector<Compound> compounds;
  bool extends = false;  ///< ends with "..."
};

/// opt-port ::= "[" ports "]" | empty
struct Ports {
  std::vector<int> numbers;
  Location where;
};

/// group ::= "(" stmts ")"
struct Group {
  Statements statements;
  PseudoPorts ports;
};

/// element ::= opt-port element-reference opt-port
struct Element {
  enum class Kind {
    reference,    ///< a name, which may be an element's or a class's
    declaration,  ///< name :: class
    anonymous,    ///< class (configuration), or a compound in place
    group,
    implicit,  ///< nothing: `input` at the beginning of a connection, `output` at its end
  };
  Kind kind = Kind::implicit;
  Location where;
  std::string name;
  std::shared_ptr<const Class> element_class;  ///< of a declaration or an anonymous element
  Configuration configuration;
  std::shared_ptr<const Group> group;
  std::optional<Ports> inputs;
  std::optional<Ports> outputs;
};

/// arrow ::= "->" | "=>"
struct Arrow {
  bool many_to_many = false;
  Location where;
};

/// connection ::= elements opt-conntail; there is one arrow less than there are lists of elements
struct Connection {
  std::vector<std::vector<Element>> elements;
  std::vector<Arrow> arrows;
};

struct ElementClassStatement {
  std::string name;
  std::shared_ptr<const Class> element_class;
};

struct RequireStatement {
  std::vector<Argument> requirements;
};

struct ProvideStatement {
  std::vector<Argument> provisions;
};

struct DefineStatement {
  struct Definition {
    std::string variable;
    std::string value;
    Location where;
  };
  std::vector<Definition> definitions;
};

struct Statement {
  std::variant<Connection, ElementClassStatement, RequireStatement, ProvideStatement, DefineStatement> content;
};

}  // namespace packetmill::click::ast
