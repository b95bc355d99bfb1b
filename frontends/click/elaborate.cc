#include "frontends/click/elaborate.h"

#include <algorithm>
#include <deque>
#include <utility>

#include "frontends/click/classes.h"
#include "frontends/click/ports.h"
#include "frontends/click/tunnels.h"
#include "graph/nearest.h"

// A block is the file or one expansion of a compound element. It is elaborated in two steps. First its statements are
// walked in the order of the text, because names mean what was declared before them; this gives the block's elements
// and connections. Then each element of a compound class is expanded, as a block of its own: only now it is known how
// many of its ports are connected, and overloads are chosen by that.

namespace packetmill::click {
namespace {

constexpr int kDeepest = 100;                // expansions in one another
constexpr std::size_t kMostNodes = 1 << 18;  // expansion can double at every step
constexpr std::size_t kMostWires = 1 << 20;

std::string at(const Location& where) {
  return where.file + ":" + std::to_string(where.line) + ":" + std::to_string(where.column);
}

/// What `input` and `output` mean: nodes, or -1 where they are ordinary names.
struct Pseudo {
  int input = -1;
  int output = -1;
};

/// An element of a compound class, to be expanded.
struct Instance {
  int node;
  const ResolvedClass* element_class;
  std::vector<std::string> arguments;
};

struct Block {
  std::string prefix;  ///< of the elements' names: "", "router/", ...
  Environment environment;
  std::map<std::string, int> names;
  std::vector<int> nodes;  ///< those declared, in order
  std::vector<Instance> instances;
};

class Elaborator {
 public:
  Elaborator(const ElementClasses& classes, Diagnostics& diagnostics)
      : classes_(classes, diagnostics), diagnostics_(diagnostics) {}

  Graph run(const ast::Statements& statements, const std::map<std::string, std::string>& variables);

 private:
  void collect_definitions(const ast::Statements& statements, Variables& variables, bool file_scope);
  void walk(const ast::Statements& statements, const Pseudo& pseudo, Block& block);
  void define_class(const ast::ElementClassStatement& statement, Block& block);
  void connection(const ast::Connection& connection, const Pseudo& pseudo, Block& block);
  std::vector<std::vector<int>> declared_nodes(const ast::Connection& connection, const Pseudo& pseudo, Block& block);
  void connect(const std::vector<int>& before, const std::vector<int>& after, const ArrowPorts& ports,
               const ast::Arrow& arrow);
  bool has_room(std::size_t wires, const Location& where);
  void check_ends(const ast::Connection& connection);
  void check_group(const ast::Element& element, const std::vector<int>& inputs, const std::vector<int>& outputs);

  int element(const ast::Element& element, bool first, const Pseudo& pseudo, Block& block);
  int reference(const ast::Element& element, const Pseudo& pseudo, Block& block);
  int group(const ast::Element& element, Block& block);
  int declare(const ast::Element& element, const std::string& name, const Location& where, const Pseudo& pseudo,
              Block& block);
  int declare(const std::string& name, const Location& where, const ResolvedClass* resolved,
              const std::string& class_name, const Configuration& configuration, const Pseudo& pseudo, Block& block);
  Pseudo tunnels(const std::string& name, const Location& where);
  Pseudo tunnels(int outside);
  std::string anonymous_name(const std::string& class_name, const Block& block);

  void expand(Block& block, int depth);
  void expand(const Instance& instance, int depth);
  void check_instance_ports(const Instance& instance, const Overload& overload);

  Network::Node& node(int index) { return network_.nodes[static_cast<std::size_t>(index)]; }
  std::string declaration(int index) { return node(index).element.name + " :: " + node(index).element.class_name; }

  ClassTable classes_;
  Diagnostics& diagnostics_;
  Network network_;
  SubstitutionLimits limits_;
  std::deque<Variables> variables_;  // which do not move: environments point to them
  std::vector<Argument> requirements_;
  std::vector<std::string> provisions_;
  bool too_large_ = false;
  bool complete_ = true;
};

Graph Elaborator::run(const ast::Statements& statements, const std::map<std::string, std::string>& variables) {
  Variables& scope = variables_.emplace_back(nullptr, limits_);
  for (const auto& [name, value] : variables) scope.set(name, value);
  collect_definitions(statements, scope, true);
  Block block;
  block.environment.variables = &scope;
  walk(statements, {}, block);
  expand(block, 0);
  Graph graph;
  network_.flatten(graph, diagnostics_);
  graph.complete = complete_ && !too_large_;
  for (const Argument& requirement : requirements_)
    if (std::ranges::find(provisions_, requirement.text) == provisions_.end() &&
        std::ranges::find(graph.requirements, requirement.text) == graph.requirements.end())
      graph.requirements.push_back(requirement.text);
  return graph;
}

/// A group is not a scope, so its definitions are the block's.
void Elaborator::collect_definitions(const ast::Statements& statements, Variables& variables, bool file_scope) {
  for (const ast::Statement& statement : statements) {
    if (const auto* define = std::get_if<ast::DefineStatement>(&statement.content)) {
      for (const auto& [name, value, where] : define->definitions) {
        if (variables.define(name, value, where) || (file_scope && variables.is_set(name))) continue;
        diagnostics_.error(where, "parameter '$" + name + "' multiply defined");
      }
    } else if (const auto* connection = std::get_if<ast::Connection>(&statement.content)) {
      for (const auto& list : connection->elements)
        for (const ast::Element& element : list)
          if (element.group) collect_definitions(element.group->statements, variables, file_scope);
    }
  }
}

void Elaborator::walk(const ast::Statements& statements, const Pseudo& pseudo, Block& block) {
  for (const ast::Statement& statement : statements) {
    if (const auto* connected = std::get_if<ast::Connection>(&statement.content))
      connection(*connected, pseudo, block);
    else if (const auto* definition = std::get_if<ast::ElementClassStatement>(&statement.content))
      define_class(*definition, block);
    else if (const auto* require = std::get_if<ast::RequireStatement>(&statement.content))
      requirements_.insert(requirements_.end(), require->requirements.begin(), require->requirements.end());
    else if (const auto* provide = std::get_if<ast::ProvideStatement>(&statement.content))
      for (const Argument& provision : provide->provisions) provisions_.push_back(provision.text);
  }
}

void Elaborator::define_class(const ast::ElementClassStatement& statement, Block& block) {
  if (const ResolvedClass* resolved = classes_.resolve(*statement.element_class, statement.name, block.environment))
    classes_.bind(statement.name, resolved, block.environment);
}

// Connections

void Elaborator::connection(const ast::Connection& connection, const Pseudo& pseudo, Block& block) {
  const std::vector<std::vector<int>> nodes = declared_nodes(connection, pseudo, block);
  check_ends(connection);
  const std::size_t lists = nodes.size();
  std::vector<std::vector<std::vector<int>>> inputs(lists);  // the ports that are connected, for each list and element
  std::vector<std::vector<std::vector<int>>> outputs(lists);
  for (std::size_t i = 0; i < lists; ++i) {
    inputs[i].resize(nodes[i].size());
    outputs[i].resize(nodes[i].size());
  }
  for (std::size_t i = 0; i < connection.arrows.size(); ++i) {
    ArrowPorts ports = arrow_ports(connection, i);
    connect(nodes[i], nodes[i + 1], ports, connection.arrows[i]);
    outputs[i] = std::move(ports.outputs);
    inputs[i + 1] = std::move(ports.inputs);
  }
  for (std::size_t i = 0; i < lists; ++i)
    for (std::size_t j = 0; j < nodes[i].size(); ++j)
      if (connection.elements[i][j].group) check_group(connection.elements[i][j], inputs[i][j], outputs[i][j]);
}

/// Declares what the connection declares. In a statement without arrows, `a, b :: Queue(10)`, names without a class
/// take the next one; in a connection each declaration is for one name (click(5) "Many-to-one connections").
std::vector<std::vector<int>> Elaborator::declared_nodes(const ast::Connection& connection, const Pseudo& pseudo,
                                                         Block& block) {
  using Kind = ast::Element::Kind;
  std::vector<std::vector<int>> nodes;
  for (const auto& list : connection.elements) {
    nodes.emplace_back();
    for (auto it = list.begin(); it != list.end(); ++it) {
      const ast::Element* declaration = nullptr;
      if (connection.arrows.empty() && it->kind == Kind::reference) {
        const auto named = std::find_if(it, list.end(), [](const auto& e) { return e.kind != Kind::reference; });
        if (named != list.end() && named->kind == Kind::declaration) declaration = &*named;
      }
      nodes.back().push_back(declaration ? declare(*declaration, it->name, it->where, pseudo, block)
                                         : element(*it, &list == &connection.elements.front(), pseudo, block));
    }
  }
  return nodes;
}

void Elaborator::check_ends(const ast::Connection& connection) {
  for (const ast::Element& element : connection.elements.front())
    if (element.inputs) diagnostics_.error(element.inputs->where, "input port useless at start of chain");
  for (const ast::Element& element : connection.elements.back())
    if (element.outputs) diagnostics_.error(element.outputs->where, "output port useless at end of chain");
}

/// INTERPRETATION: click(5) describes `->` with one port on one side; with several on both, each is connected to each.
void Elaborator::connect(const std::vector<int>& before, const std::vector<int>& after, const ArrowPorts& ports,
                         const ast::Arrow& arrow) {
  const auto joined = [](const std::vector<int>& nodes, const std::vector<std::vector<int>>& lists) {
    std::vector<Graph::Port> all;
    for (std::size_t i = 0; i < nodes.size(); ++i)
      for (const int port : lists[i]) all.push_back({nodes[i], port});
    return all;
  };
  const auto wrong = [&](const std::string& message) {
    complete_ = false;
    diagnostics_.error(arrow.where, message);
  };
  const std::vector<Graph::Port> from = joined(before, ports.outputs);
  const std::vector<Graph::Port> to = joined(after, ports.inputs);
  if (from.empty() || to.empty() || (arrow.many_to_many && from.size() != to.size())) {
    wrong("connection mismatch: " + counted(from.size(), "output port") + " but " + counted(to.size(), "input port"));
    return;
  }
  for (const Graph::Port source : from)
    if (node(source.element).role == Network::Role::output) wrong("pseudoelement 'output' may only be used as input");
  for (const Graph::Port sink : to)
    if (node(sink.element).role == Network::Role::input) wrong("pseudoelement 'input' may only be used as output");
  const std::size_t wires = arrow.many_to_many ? from.size() : from.size() * to.size();
  if (!has_room(wires, arrow.where)) return;
  for (std::size_t i = 0; i < from.size(); ++i) {
    if (arrow.many_to_many)
      network_.connect(from[i], to[i], arrow.where);
    else
      for (const Graph::Port sink : to) network_.connect(from[i], sink, arrow.where);
  }
}

/// Every port of a group has to be connected.
void Elaborator::check_group(const ast::Element& element, const std::vector<int>& inputs,
                             const std::vector<int>& outputs) {
  const auto check = [&](const std::set<int>& existing, const std::vector<int>& connected, const std::string& side) {
    const std::set<int> used(connected.begin(), connected.end());
    for (const int port : existing)
      if (!used.contains(port))
        diagnostics_.error(element.where, "element group " + side + " " + std::to_string(port) + " unused");
    for (const int port : used)
      if (!existing.contains(port))
        diagnostics_.error(element.where, "element group has no " + side + " " + std::to_string(port));
  };
  check(element.group->ports.inputs, inputs, "input");
  check(element.group->ports.outputs, outputs, "output");
}

bool Elaborator::has_room(std::size_t wires, const Location& where) {
  if (too_large_) return false;
  too_large_ = network_.nodes.size() >= kMostNodes || network_.wires.size() + wires > kMostWires;
  if (too_large_) diagnostics_.error(where, "the configuration is too large once compound elements are expanded");
  return !too_large_;
}

// Elements

int Elaborator::element(const ast::Element& element, bool first, const Pseudo& pseudo, Block& block) {
  using Kind = ast::Element::Kind;
  switch (element.kind) {
    case Kind::implicit:
      return first ? pseudo.input : pseudo.output;
    case Kind::group:
      return group(element, block);
    case Kind::declaration:
      return declare(element, element.name, element.where, pseudo, block);
    case Kind::anonymous:
      return declare(element, anonymous_name(element.element_class->name, block), element.where, pseudo, block);
    case Kind::reference:
      break;
  }
  return reference(element, pseudo, block);
}

/// A name is an element's, or else a class's: then an anonymous element is meant.
int Elaborator::reference(const ast::Element& element, const Pseudo& pseudo, Block& block) {
  if (pseudo.input >= 0 && element.name == "input") return pseudo.input;
  if (pseudo.output >= 0 && element.name == "output") return pseudo.output;
  if (const auto found = block.names.find(element.name); found != block.names.end()) return found->second;
  if (const ResolvedClass* resolved = classes_.find(element.name, block.environment))
    return declare(anonymous_name(element.name, block), element.where, resolved, element.name, {{}, element.where},
                   pseudo, block);
  std::vector<std::string_view> known = classes_.names(block.environment);
  for (const auto& [name, index] : block.names)
    if (!node(index).element.class_name.empty()) known.push_back(name);
  diagnostics_.error(element.where, "undeclared element '" + element.name + "' (first use this block)",
                     did_you_mean(element.name, known));
  // It stays in the graph, without a class, so that nothing is said of its neighbours' ports.
  return declare(element.name, element.where, nullptr, {}, {{}, element.where}, pseudo, block);
}

int Elaborator::group(const ast::Element& element, Block& block) {
  const Pseudo inside = tunnels("element group", element.where);
  walk(element.group->statements, inside, block);
  return node(inside.output).exit;
}

int Elaborator::declare(const ast::Element& element, const std::string& name, const Location& where,
                        const Pseudo& pseudo, Block& block) {
  const ResolvedClass* resolved = classes_.resolve(*element.element_class, {}, block.environment);
  return declare(name, where, resolved, element.element_class->name, element.configuration, pseudo, block);
}

/// `resolved` is null if the class is unknown.
int Elaborator::declare(const std::string& name, const Location& where, const ResolvedClass* resolved,
                        const std::string& class_name, const Configuration& configuration, const Pseudo& pseudo,
                        Block& block) {
  const bool is_pseudo = pseudo.input >= 0 && (name == "input" || name == "output");
  if (const auto found = block.names.find(name); is_pseudo || found != block.names.end()) {
    diagnostics_.error(where, "redeclaration of element '" + name + "'",
                       is_pseudo ? "inside a compound element or group this is a pseudoelement"
                                 : "first declared at " + at(node(found->second).element.where));
    if (!is_pseudo) return found->second;
  }
  Network::Node declared;
  declared.element = {block.prefix + name, class_name, {}, where, configuration.where};
  if (has_room(0, where))
    declared.element.configuration =
        block.environment.variables->substitute(configuration.text, configuration.where, diagnostics_);
  if (!is_configuration(declared.element.configuration))
    diagnostics_.error(configuration.where, "parentheses or quotes do not match once parameters are substituted", {},
                       block.prefix + name + " :: " + class_name);
  if (resolved && !resolved->definition) declared.element.class_name = resolved->primitive;
  if (resolved && resolved->definition) {
    declared.role = Network::Role::outside;
    if (class_name.empty()) declared.element.class_name = "{...}";
  }
  const int index = network_.add(std::move(declared));
  block.names[name] = index;
  block.nodes.push_back(index);
  if (node(index).role == Network::Role::outside)
    block.instances.push_back({index, resolved, split_arguments(node(index).element.configuration)});
  return index;
}

/// Adds what a compound element or group consists of when seen from outside and inside.
Pseudo Elaborator::tunnels(const std::string& name, const Location& where) {
  Network::Node outside;
  outside.role = Network::Role::outside;
  outside.element = {name, {}, {}, where, where};
  return tunnels(network_.add(std::move(outside)));
}

Pseudo Elaborator::tunnels(int outside) {
  Network::Node input;
  input.role = Network::Role::input;
  Network::Node output;
  output.role = Network::Role::output;
  output.exit = outside;
  const Pseudo inside{network_.add(std::move(input)), network_.add(std::move(output))};
  node(outside).exit = inside.input;
  return inside;
}

/// `Class@number`: the first number, counted from the elements declared so far, that is not taken.
std::string Elaborator::anonymous_name(const std::string& class_name, const Block& block) {
  for (std::size_t number = block.nodes.size() + 1;; ++number) {
    std::string name = class_name + "@" + std::to_string(number);
    if (!block.names.contains(name)) return name;
  }
}

// Expansion

void Elaborator::expand(Block& block, int depth) {
  auto instance = block.instances.begin();
  for (const int index : block.nodes) {
    if (node(index).role == Network::Role::element) network_.order.push_back(index);
    if (instance != block.instances.end() && instance->node == index) expand(*instance++, depth);
  }
}

void Elaborator::expand(const Instance& instance, int depth) {
  const Location where = node(instance.node).element.where;
  if (depth == kDeepest) {
    diagnostics_.error(where, "compound elements are nested too deeply");
    return;
  }
  if (too_large_) return;
  const Overload overload =
      choose_overload(*instance.element_class, node(instance.node).element.class_name, instance.arguments,
                      node(instance.node).inputs, node(instance.node).outputs);
  if (!overload.compound) {
    if (overload.owner)
      node(instance.node).element.class_name = overload.owner->primitive;
    else
      diagnostics_.error(where, overload.problem, overload.hint, declaration(instance.node));
    node(instance.node).role = Network::Role::element;
    network_.order.push_back(instance.node);
    return;
  }
  check_instance_ports(instance, overload);
  Variables& variables = variables_.emplace_back(overload.owner->environment.variables, limits_);
  assign_arguments(*overload.compound, instance.arguments, &variables);
  collect_definitions(overload.compound->statements, variables, false);
  Block inner;
  inner.prefix = node(instance.node).element.name + "/";
  inner.environment = {overload.owner->environment.classes, &variables};
  walk(overload.compound->statements, tunnels(instance.node), inner);
  expand(inner, depth + 1);
}

void Elaborator::check_instance_ports(const Instance& instance, const Overload& overload) {
  const int inputs = static_cast<int>(overload.compound->ports.inputs.size());
  const int outputs = static_cast<int>(overload.compound->ports.outputs.size());
  const Network::Node& used = node(instance.node);
  if (used.inputs <= inputs && used.outputs <= outputs) return;
  complete_ = false;
  const std::string name = "'" + declaration(instance.node) + "' has no ";
  for (const Graph::Connection& wire : network_.wires) {
    if (wire.to.element == instance.node && wire.to.port >= inputs)
      diagnostics_.error(wire.where, name + "input " + std::to_string(wire.to.port));
    if (wire.from.element == instance.node && wire.from.port >= outputs)
      diagnostics_.error(wire.where, name + "output " + std::to_string(wire.from.port));
  }
}

}  // namespace

Graph elaborate(const ast::Statements& statements, const std::map<std::string, std::string>& variables,
                const ElementClasses& classes, Diagnostics& diagnostics) {
  return Elaborator(classes, diagnostics).run(statements, variables);
}

}  // namespace packetmill::click
