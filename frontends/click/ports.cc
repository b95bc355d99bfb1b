#include "frontends/click/ports.h"

#include <algorithm>
#include <numeric>

namespace packetmill::click {
namespace {

using Elements = std::vector<ast::Element>;

/// The ports that an element states on one side, by itself or as a group.
std::optional<std::vector<int>> stated_ports(const ast::Element& element, bool output) {
  if (const auto& ports = output ? element.outputs : element.inputs) return ports->numbers;
  if (element.kind != ast::Element::Kind::group) return std::nullopt;
  const std::set<int>& ports = output ? element.group->ports.outputs : element.group->ports.inputs;
  return std::vector<int>(ports.begin(), ports.end());
}

std::vector<std::vector<int>> side_ports(const Elements& elements, bool output) {
  std::vector<std::vector<int>> ports;
  for (const ast::Element& element : elements)
    ports.push_back(stated_ports(element, output).value_or(std::vector<int>{0}));
  return ports;
}

std::size_t count(const std::vector<std::vector<int>>& ports) {
  return std::accumulate(ports.begin(), ports.end(), std::size_t{0},
                         [](std::size_t sum, const std::vector<int>& list) { return sum + list.size(); });
}

void fit(const Elements& elements, bool output, std::vector<std::vector<int>>& ports, std::size_t wanted) {
  if (elements.size() != 1 || stated_ports(elements[0], output)) return;
  ports[0].resize(std::max<std::size_t>(wanted, 1));
  std::iota(ports[0].begin(), ports[0].end(), 0);
}

bool is_pseudo(const ast::Element& element, std::string_view name) {
  using Kind = ast::Element::Kind;
  return element.kind == Kind::implicit || (element.kind == Kind::reference && element.name == name);
}

}  // namespace

ArrowPorts arrow_ports(const ast::Connection& connection, std::size_t arrow) {
  const Elements& before = connection.elements[arrow];
  const Elements& after = connection.elements[arrow + 1];
  ArrowPorts ports{side_ports(before, true), side_ports(after, false)};
  if (connection.arrows[arrow].many_to_many) {
    fit(before, true, ports.outputs, count(ports.inputs));
    fit(after, false, ports.inputs, count(ports.outputs));
  }
  return ports;
}

ast::PseudoPorts pseudo_ports(const ast::Statements& statements) {
  ast::PseudoPorts used;
  for (const ast::Statement& statement : statements) {
    const auto* connection = std::get_if<ast::Connection>(&statement.content);
    if (!connection) continue;
    for (std::size_t i = 0; i < connection->arrows.size(); ++i) {
      const ArrowPorts ports = arrow_ports(*connection, i);
      const Elements& before = connection->elements[i];
      const Elements& after = connection->elements[i + 1];
      for (std::size_t j = 0; j < before.size(); ++j)
        if (is_pseudo(before[j], "input")) used.inputs.insert(ports.outputs[j].begin(), ports.outputs[j].end());
      for (std::size_t j = 0; j < after.size(); ++j)
        if (is_pseudo(after[j], "output")) used.outputs.insert(ports.inputs[j].begin(), ports.inputs[j].end());
    }
  }
  return used;
}

std::string counted(std::size_t count, const std::string& noun) {
  return std::to_string(count) + " " + noun + (count == 1 ? "" : "s");
}

int missing_port(const std::set<int>& ports) {
  int expected = 0;
  for (const int port : ports)
    if (port != expected++) return expected - 1;
  return -1;
}

}  // namespace packetmill::click
