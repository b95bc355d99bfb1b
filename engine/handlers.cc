#include <fmt/format.h>

#include "engine/router.h"
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

std::string ports_of(const Node& node) {
  const auto side = [](std::size_t count, const char* what, const std::vector<bool>& pull) {
    std::string text = fmt::format("{} {}{}\n", count, what, count == 1 ? "" : "s");
    for (std::size_t i = 0; i < count; ++i) text += fmt::format("{}\n", pull[i] ? "pull" : "push");
    return text;
  };
  return side(node.input_is_pull.size(), "input", node.input_is_pull) +
         side(node.output_is_pull.size(), "output", node.output_is_pull);
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
  if (node.tasks.empty()) return result;
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
  result.push_back({"stop", {}, [this](std::string_view) {
                      request_stop();
                      return Answer{true, {}};
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

const Handler* Router::find_handler(std::string_view handler, std::string_view relative_to, std::string& wrong) const {
  const std::size_t dot = handler.rfind('.');
  const Node* node = nullptr;
  std::string_view name = handler;
  if (dot != std::string_view::npos && dot > 0) {
    node = find(handler.substr(0, dot), relative_to);
    if (node == nullptr) {
      wrong = fmt::format("no element named '{}'", handler.substr(0, dot));
      return nullptr;
    }
    name = handler.substr(dot + 1);
  } else if (dot == 0) {
    name = handler.substr(1);
  }
  const auto found = handlers_.find(node);
  if (found != handlers_.end())
    for (const Handler& candidate : found->second)
      if (candidate.name == name) return &candidate;
  wrong = fmt::format("no '{}' handler", handler);
  return nullptr;
}

Answer Router::read(std::string_view handler, std::string_view parameter, std::string_view relative_to) {
  std::string wrong;
  const Handler* found = find_handler(handler, relative_to, wrong);
  if (found == nullptr) return {false, wrong};
  if (!found->read) return {false, fmt::format("'{}' is a write handler", handler)};
  return gate_.exclusive([&] { return found->read(parameter); });
}

Answer Router::write(std::string_view handler, std::string_view value, std::string_view relative_to) {
  std::string wrong;
  const Handler* found = find_handler(handler, relative_to, wrong);
  if (found == nullptr) return {false, wrong};
  if (!found->write) return {false, fmt::format("'{}' is a read handler", handler)};
  return gate_.exclusive([&] { return found->write(value); });
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
    result.push_back({handler.name, handler.read != nullptr, handler.write != nullptr});
  return result;
}

}  // namespace packetmill::engine
