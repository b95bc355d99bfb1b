#include <fmt/format.h>

#include "engine/router.h"
#include "graph/nearest.h"
#include "graph/print/flatten.h"

// Handlers by name: those of the elements, those that every element has, and the global ones, as Click documents them.
namespace packetmill::engine {
namespace {

using Answer = ControlPlane::Answer;

Handler reader(std::string name, std::function<std::string()> text) {
  return {std::move(name), [text = std::move(text)](std::string_view) { return Answer{true, text()}; }, {}};
}

std::string lines(const std::vector<std::string>& items) {
  std::string text = std::to_string(items.size()) + "\n";
  for (const std::string& item : items) text += item + "\n";
  return text;
}

std::string describe(const std::vector<Handler>& handlers) {
  std::string text;
  for (const Handler& handler : handlers)
    text += handler.name + "\t" + (handler.read ? "r" : "") + (handler.write ? "w" : "") + "\n";
  return text;
}

/// The text of `ports`, as Click writes it: per port its processing (with a `~` where the class is agnostic), a place
/// for a packet count, and what it is connected to, where this port makes the transfers.
std::string ports_of(const Node& node) {
  const auto side = [&](bool input) {
    const std::vector<bool>& pull = input ? node.input_is_pull : node.output_is_pull;
    const std::string_view codes = node.element_class->processing;
    const std::size_t slash = codes.find('/');
    const std::string_view side_codes =
        slash == std::string_view::npos ? codes : (input ? codes.substr(0, slash) : codes.substr(slash + 1));
    std::string text = fmt::format("{} {}{}\n", pull.size(), input ? "input" : "output", pull.size() == 1 ? "" : "s");
    for (std::size_t i = 0; i < pull.size(); ++i) {
      const bool agnostic = !side_codes.empty() && side_codes[std::min(i, side_codes.size() - 1)] == 'a';
      text += fmt::format("{}{}\t-\t", pull[i] ? "pull" : "push", agnostic ? "~" : "");
      if (input && pull[i] && node.inputs[i].node != nullptr)
        text += fmt::format("{} [{}]", node.inputs[i].node->name, node.inputs[i].port);
      if (!input && !pull[i] && node.outputs[i].node != nullptr)
        text += fmt::format("[{}] {}", node.outputs[i].port, node.outputs[i].node->name);
      text += "\n";
    }
    return text;
  };
  return side(true) + side(false);
}

}  // namespace

std::vector<Handler> Router::standard_handlers(Node& node) {
  std::vector<Handler> result;
  result.push_back(reader("class", [&node] { return std::string(node.element_class->name); }));
  result.push_back(reader("name", [&node] { return node.name; }));
  result.push_back(reader("config", [&node] { return node.configuration; }));
  result.push_back(reader("ports", [&node] { return ports_of(node); }));
  result.push_back(reader("handlers", [this, &node] { return describe(handlers_.at(&node)); }));
  result.push_back(reader("drop_reasons", [&node] {
    std::string text;
    for (const DropCount& drop : node.drops()) text += fmt::format("{} {}\n", drop.reason, drop.count);
    return text;
  }));
  if (node.task_count(options_.cores) == 0) return result;
  result.push_back(reader("scheduled", [&node] { return std::string(node.tasks[0]->asleep() ? "false" : "true"); }));
  result.back().write = [&node](std::string_view value) {
    bool scheduled = false;
    if (auto wrong = parse(value, scheduled)) return Answer{false, *wrong};
    for (auto& task : node.tasks) scheduled ? task->wake() : task->sleep();
    return Answer{true, {}};
  };
  result.push_back(reader("tickets", [&node] { return std::to_string(node.tasks[0]->tickets()); }));
  result.back().write = [&node](std::string_view value) {
    std::uint16_t tickets = 0;
    if (auto wrong = parse(value, tickets)) return Answer{false, *wrong};
    for (auto& task : node.tasks) task->set_tickets(tickets);
    return Answer{true, {}};
  };
  result.push_back(reader("home_thread", [&node] { return std::to_string(node.home->index); }));
  return result;
}

std::vector<Handler> Router::global_handlers() {
  for (auto& node : nodes_) {
    // An element's own handler comes before a standard one of the same name.
    std::vector<Handler> all = standard_handlers(*node);
    for (Handler& handler : node->handlers()) {
      std::erase_if(all, [&](const Handler& standard) { return standard.name == handler.name; });
      all.push_back(std::move(handler));
    }
    handlers_[node.get()] = std::move(all);
  }
  std::vector<Handler> result;
  result.push_back(reader("version", [] { return std::string(kVersion); }));
  result.push_back(reader("list", [this] { return lines(elements()); }));
  result.push_back(reader("classes", [] {
    std::string text;
    for (const std::string_view name : Registry::instance().names()) text += std::string(name) + "\n";
    return text;
  }));
  result.push_back(reader("config", [this] { return options_.configuration; }));
  result.push_back(reader("flatconfig", [this] { return flatten(graph_); }));
  result.push_back(reader("packages", [] { return std::string(); }));  // there is nothing to load
  result.push_back(reader("requirements", [this] {
    std::string text;
    for (const std::string& requirement : graph_.requirements) text += requirement + "\n";
    return text;
  }));
  result.push_back(reader("handlers", [this] { return describe(handlers_.at(nullptr)); }));
  result.push_back(reader("drops", [this] {
    std::string text;
    for (const Drop& drop : drops()) text += fmt::format("{} {} {}\n", drop.element, drop.reason, drop.count);
    return text;
  }));
  result.push_back(reader("ledger", [this] {
    const Ledger l = ledger();
    return fmt::format("received {}\ngenerated {}\ncloned {}\nsent {}\ndropped {}\nconsumed {}\nheld {}\n", l.received,
                       l.generated, l.cloned, l.sent, l.dropped, l.consumed, l.held);
  }));
  result.push_back(reader("runtime", [this] {
    std::string text;
    for (const auto& node : nodes_) {
      if (node->milled == nullptr || node->milled->observed == nullptr) continue;
      Observed sum;
      for (const auto& core : cores_) {
        sum.packets += node->milled->observed[core->index].packets;
        sum.cycles += node->milled->observed[core->index].cycles;
      }
      text += fmt::format("{} {} {}\n", node->name, sum.packets, sum.cycles);
    }
    return text;
  }));
  result.push_back(reader("trace", [this] {
    std::string text;
    for (const auto& core : cores_) text += core->trace.text();
    return text;
  }));
  result.push_back({"stop", {}, [this](std::string_view) {
                      request_stop();
                      return Answer{true, {}};
                    }});
  result.push_back({"hotconfig", {}, [](std::string_view) {
                      return Answer{false,
                                    "a router keeps the configuration that it was started with: start another one with "
                                    "'packetmill run FILE', or mill it with 'packetmill build'"};
                    }});
  return result;
}

Node* Router::find(std::string_view name, std::string_view relative_to) const {
  for (std::string scope = Declarations::scope_of(relative_to);;) {
    const std::string full = scope + std::string(name);
    for (const auto& node : nodes_)
      if (node->name == full) return node.get();
    if (scope.empty()) return nullptr;
    scope = Declarations::scope_of(std::string_view(scope).substr(0, scope.size() - 1));
  }
}

std::optional<Handler> Router::look_up(std::string_view handler, std::string_view relative_to, Found& found) const {
  if (handlers_.empty()) {
    found.wrong = "the router has ended";
    return std::nullopt;
  }
  // No element's name has a dot; a handler's may (ControlSocket's PROXY makes such names).
  const std::size_t dot = handler.find('.');
  Node* node = nullptr;
  std::string_view name = handler;
  if (dot != std::string_view::npos) {
    name = handler.substr(dot + 1);
    if (dot > 0) {
      node = find(handler.substr(0, dot), relative_to);
      if (node == nullptr) {
        found.element_exists = false;
        found.wrong = fmt::format("no element named '{}'", handler.substr(0, dot));
        std::vector<std::string_view> names;
        for (const auto& one : nodes_) names.push_back(one->name);
        found.hint = did_you_mean(handler.substr(0, dot), names);
        return std::nullopt;
      }
      found.element = node->name;
    }
  }
  std::optional<Handler> result;
  if (const auto all = handlers_.find(node); all != handlers_.end())
    for (const Handler& candidate : all->second)
      if (candidate.name == name) result = candidate;
  if (!result && node != nullptr) result = node->other_handler(name);
  if (!result)
    found.wrong = fmt::format("no '{}' handler", handler);
  else
    found.handler = {result->name, result->read != nullptr, result->write != nullptr, result->local};
  return result;
}

Router::Found Router::find_handler(std::string_view handler, std::string_view relative_to) {
  Found found;
  exclusive([&] { (void)look_up(handler, relative_to, found); });
  return found;
}

Answer Router::read(std::string_view handler, std::string_view parameter, std::string_view relative_to) {
  Answer answer;
  exclusive([&] {
    Found found;
    const auto called = look_up(handler, relative_to, found);
    if (!called)
      answer = {false, found.wrong};
    else if (!called->read)
      answer = {false, fmt::format("'{}' is a write handler", handler)};
    else
      answer = called->read(parameter);
  });
  return answer;
}

Answer Router::write(std::string_view handler, std::string_view value, std::string_view relative_to) {
  Answer answer;
  exclusive([&] {
    Found found;
    const auto called = look_up(handler, relative_to, found);
    if (!called)
      answer = {false, found.wrong};
    else if (!called->write)
      answer = {false, fmt::format("'{}' is a read handler", handler)};
    else
      answer = called->write(value);
  });
  return answer;
}

std::vector<std::string> Router::elements() const {
  std::vector<std::string> names;
  for (const auto& node : nodes_) names.push_back(node->name);
  return names;
}

std::vector<HandlerInfo> Router::handlers(std::string_view element) const {
  std::vector<HandlerInfo> result;
  const auto found = handlers_.find(element.empty() ? nullptr : find(element));
  if (found == handlers_.end()) return result;
  for (const Handler& handler : found->second)
    result.push_back({handler.name, handler.read != nullptr, handler.write != nullptr, handler.local});
  return result;
}

}  // namespace packetmill::engine
