#include "verify/shrink.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <numeric>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "engine/router.h"
#include "graph/print/flatten.h"
#include "runtime/arguments/split.h"

namespace packetmill::verify {
namespace {

bool has_errors(const Graph& graph) {
  Diagnostics diagnostics;
  return engine::Router::outline(graph, diagnostics) == nullptr;
}

/// The graph without the elements that are not to be kept, and without their connections.
Graph only(const Graph& graph, const std::vector<bool>& keep) {
  Graph result;
  result.requirements = graph.requirements;
  std::vector<int> number(graph.elements.size(), -1);
  for (std::size_t i = 0; i < graph.elements.size(); ++i) {
    if (!keep[i]) continue;
    number[i] = static_cast<int>(result.elements.size());
    result.elements.push_back(graph.elements[i]);
  }
  const auto new_number = [&](const Graph::Port& port) { return number[static_cast<std::size_t>(port.element)]; };
  for (const Graph::Connection& c : graph.connections)
    if (new_number(c.from) >= 0 && new_number(c.to) >= 0)
      result.connections.push_back({{new_number(c.from), c.from.port}, {new_number(c.to), c.to.port}, c.where});
  return result;
}

/// Elements without inputs, as they were in the whole graph: there packets begin, or they have no ports at all.
std::vector<bool> beginnings(const Graph& graph) {
  std::vector<bool> result(graph.elements.size(), true);
  for (const Graph::Connection& c : graph.connections) result[static_cast<std::size_t>(c.to.element)] = false;
  return result;
}

/// What is left of `graph` when the elements that packets no longer reach from `from` are taken away.
Graph reached(const Graph& graph, std::vector<bool> from) {
  for (bool more = true; more;) {
    more = false;
    for (const Graph::Connection& c : graph.connections) {
      const auto to = static_cast<std::size_t>(c.to.element);
      if (from[static_cast<std::size_t>(c.from.element)] && !from[to]) from[to] = more = true;
    }
  }
  return only(graph, from);
}

/// Packets that came to the element end in a Discard, and what only they reached is gone.
Graph cut(const Graph& graph, int element) {
  Graph result = graph;
  std::vector<bool> starts = beginnings(graph);
  const int discard = static_cast<int>(result.elements.size());
  result.elements.push_back({graph.elements[static_cast<std::size_t>(element)].name + "_cut", "Discard", "", {}, {}});
  starts.push_back(false);
  starts[static_cast<std::size_t>(element)] = false;
  std::erase_if(result.connections, [&](const auto& c) { return c.from.element == element; });
  for (Graph::Connection& c : result.connections)
    if (c.to.element == element) c.to = {discard, 0};
  return reached(result, starts);
}

/// Packets pass by the element: from input N to where output N led, or output 0.
std::optional<Graph> bypass(const Graph& graph, int element) {
  Graph result = graph;
  const auto target = [&](int port) -> const Graph::Connection* {
    const auto found = std::ranges::find_if(graph.connections, [&](const auto& c) {
      return c.from == Graph::Port{element, port} && c.to.element != element;
    });
    return found == graph.connections.end() ? nullptr : &*found;
  };
  std::vector<bool> starts = beginnings(graph);
  starts[static_cast<std::size_t>(element)] = false;
  for (Graph::Connection& c : result.connections) {
    if (c.to.element != element) continue;
    const Graph::Connection* next = target(c.to.port);
    if (next == nullptr) next = target(0);
    if (next == nullptr) return std::nullopt;
    c.to = next->to;
  }
  return reached(result, starts);
}

class Shrinker {
 public:
  Shrinker(Graph graph, const std::function<bool(const Graph&)>& fails, int trials)
      : graph_(std::move(graph)), fails_(fails), trials_(trials) {}

  Graph smallest() {
    while (trials_ > 0 && (fewer_parts() || fewer_elements() || fewer_arguments())) {
    }
    return std::move(graph_);
  }

 private:
  bool better(const Graph& candidate) {
    if (trials_ <= 0 || !tried_.insert(flatten(candidate)).second || has_errors(candidate)) return false;
    --trials_;
    if (!fails_(candidate)) return false;
    graph_ = candidate;
    return true;
  }

  /// Half of the parts, a quarter of them, ...
  bool fewer_parts() {
    const std::vector<int> part = parts_of(graph_);
    if (part.empty()) return false;
    const int count = 1 + std::ranges::max(part);
    for (int size = (count + 1) / 2; count > 1 && size > 0; size = size > 1 ? (size + 1) / 2 : 0) {
      for (int first = 0; first < count; first += size) {
        const auto among = [&](int p) { return p >= first && p < first + size; };
        for (const bool those : {true, false}) {
          std::vector<bool> keep;
          for (const int p : part) keep.push_back(among(p) == those);
          if (better(only(graph_, keep))) return true;
        }
      }
    }
    return false;
  }

  bool fewer_elements() {
    for (std::size_t i = 0; i < graph_.elements.size(); ++i) {
      const bool is_cut = graph_.elements[i].class_name == "Discard";
      if (!is_cut && better(cut(graph_, static_cast<int>(i)))) return true;
    }
    for (std::size_t i = 0; i < graph_.elements.size(); ++i)
      if (const auto candidate = bypass(graph_, static_cast<int>(i)); candidate && better(*candidate)) return true;
    // A store goes together with what pulls from it.
    for (const Graph::Connection& c : std::vector(graph_.connections)) {
      const auto candidate = bypass(graph_, c.from.element);
      if (!candidate || !has_errors(*candidate)) continue;
      const int next = candidate->find(graph_.elements[static_cast<std::size_t>(c.to.element)].name);
      if (next < 0) continue;
      if (const auto both = bypass(*candidate, next); both && better(*both)) return true;
    }
    return false;
  }

  bool fewer_arguments() {
    for (std::size_t i = 0; i < graph_.elements.size(); ++i) {
      const std::vector<std::string> arguments = split_arguments(graph_.elements[i].configuration);
      for (std::size_t gone = arguments.size(); gone-- > 0;) {
        std::vector<std::string> rest = arguments;
        rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(gone));
        Graph candidate = graph_;
        candidate.elements[i].configuration = fmt::format("{}", fmt::join(rest, ", "));
        if (better(candidate)) return true;
      }
    }
    return false;
  }

  Graph graph_;
  const std::function<bool(const Graph&)>& fails_;
  int trials_;
  std::set<std::string> tried_;
};

}  // namespace

std::vector<int> parts_of(const Graph& graph) {
  std::vector<int> root(graph.elements.size());
  std::iota(root.begin(), root.end(), 0);
  const auto root_of = [&](int element) {
    while (root[static_cast<std::size_t>(element)] != element) element = root[static_cast<std::size_t>(element)];
    return element;
  };
  for (const Graph::Connection& c : graph.connections) {
    const int a = root_of(c.from.element);
    const int b = root_of(c.to.element);
    root[static_cast<std::size_t>(std::max(a, b))] = std::min(a, b);
  }
  std::vector<int> part(graph.elements.size());
  int parts = 0;
  for (std::size_t i = 0; i < part.size(); ++i) {
    const auto r = static_cast<std::size_t>(root_of(static_cast<int>(i)));
    part[i] = r == i ? parts++ : part[r];
  }
  return part;
}

Graph shrink(Graph graph, const std::function<bool(const Graph&)>& fails, int trials) {
  return Shrinker(std::move(graph), fails, trials).smallest();
}

}  // namespace packetmill::verify
