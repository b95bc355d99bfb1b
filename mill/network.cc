#include "mill/network.h"

#include <algorithm>
#include <map>

#include "graph/passes/pass.h"
#include "mill/facts.h"

namespace packetmill::mill {
namespace {

/// An identifier that begins as the element is called and ends with its number: whatever a configuration calls its
/// elements, only letters, digits and underscores reach the generated code, and no two are the same.
std::string identifier(std::string_view name, std::size_t number) {
  constexpr std::size_t kMost = 40;
  std::string id;
  for (const char c : name.substr(0, kMost)) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    if (plain)
      id += c;
    else if (!id.empty() && id.back() != '_')
      id += '_';  // never two, never the first: such names are the compiler's
  }
  if (id.empty() || (id[0] >= '0' && id[0] <= '9')) id.insert(0, "e");
  if (id.back() != '_') id += '_';
  return id + std::to_string(number);
}

/// The graph of the router after the plan's passes, up to `last`.
Graph run_passes(const engine::Router& outline, const Plan& plan, NodeFacts& facts, std::string_view last) {
  Graph graph = outline.graph();
  for (const Pass& pass : passes()) {
    if (std::ranges::find(plan.passes, pass.name) != plan.passes.end()) pass.run(graph, facts);
    if (pass.name == last) break;
  }
  return graph;
}

}  // namespace

Network network_of(engine::Router& outline, const Plan& plan) {
  Network network;
  std::map<std::string, std::size_t, std::less<>> number;
  for (const auto& node : outline.nodes()) {
    number.emplace(node->name, network.sites.size());
    Site site;
    site.id = identifier(node->name, network.sites.size());
    site.node = {std::shared_ptr<void>(), node.get()};
    site.factory = engine::Registry::instance().factory(node->element_class->name);
    site.outputs.resize(node->output_is_pull.size());
    site.inputs.resize(node->input_is_pull.size());
    site.output_is_pull = node->output_is_pull;
    site.has_task = node->task_count(1) > 0;
    site.has_timer = site.factory->fires;
    site.starts_walks = site.has_task || site.has_timer;
    network.sites.push_back(std::move(site));
  }
  NodeFacts facts(outline);
  const Graph path = run_passes(outline, plan, facts, {});
  const auto site_of = [&](int element) -> std::size_t {
    return number.at(path.elements[static_cast<std::size_t>(element)].name);
  };
  for (const Graph::Element& element : path.elements) {
    Site& site = network.sites[number.at(element.name)];
    site.on_path = true;
    site.rewritten = element.configuration != site.node->configuration;
    site.node = facts.node(element);
    site.keeps_bytes = facts.of(element).keeps_bytes;
    for (const engine::FieldInfo& field : site.node->fields())
      if (std::ranges::none_of(network.fields, [&](const auto& known) { return known.name == field.name; }))
        network.fields.push_back(field);
  }
  for (const Graph::Connection& connection : path.connections) {
    const std::size_t from = site_of(connection.from.element);
    const std::size_t to = site_of(connection.to.element);
    const auto output = static_cast<std::size_t>(connection.from.port);
    if (network.sites[from].output_is_pull[output]) {
      const auto input = static_cast<std::size_t>(connection.to.port);
      network.sites[to].inputs[input] = {static_cast<int>(from), connection.from.port};
    } else {
      network.sites[from].outputs[output] = {static_cast<int>(to), connection.to.port};
      ++network.sites[to].push_feeders;
    }
  }
  std::ranges::sort(network.fields, {}, &engine::FieldInfo::name);
  return network;
}

Graph reduced(engine::Router& outline, const Plan& plan, std::string_view last) {
  NodeFacts facts(outline);
  return run_passes(outline, plan, facts, last);
}

std::vector<int> Network::reachable(int start) const {
  std::vector<bool> seen(sites.size());
  std::vector<int> todo{start};
  while (!todo.empty()) {
    const Site& site = sites[static_cast<std::size_t>(todo.back())];
    todo.pop_back();
    for (const End& end : site.outputs) {
      if (end.element < 0 || seen[static_cast<std::size_t>(end.element)]) continue;
      seen[static_cast<std::size_t>(end.element)] = true;
      todo.push_back(end.element);
    }
  }
  std::vector<int> result;
  for (std::size_t i = 0; i < seen.size(); ++i)
    if (seen[i]) result.push_back(static_cast<int>(i));
  return result;
}

/// Metadata can be local variables where every field has a place of its own. Annotations that a configuration gives by
/// number may lie across fields, and some of Click's annotations share bytes: what one element writes as a VLAN tag
/// another would read as part of an aggregate number.
std::string why_not_registers(const Network& network) {
  for (const engine::FieldInfo& a : network.fields) {
    if (a.name == "packetmill::AnnotationArea") {
      for (const Site& site : network.sites)
        for (const engine::FieldInfo& field : site.node->fields())
          if (site.on_path && field.name == a.name)
            return "'" + site.node->name + "' may reach annotations by number, which have no place in registers";
    }
    for (const engine::FieldInfo& b : network.fields) {
      if (a.name >= b.name || a.annotation < 0 || b.annotation < 0) continue;
      if (a.annotation < b.annotation + static_cast<int>(b.bytes) &&
          b.annotation < a.annotation + static_cast<int>(a.bytes))
        return "the annotations " + std::string(a.name) + " and " + std::string(b.name) + " share bytes";
    }
  }
  return {};
}

}  // namespace packetmill::mill
