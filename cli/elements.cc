#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "cli/command.h"
#include "engine/registry.h"
#include "graph/nearest.h"

// The element reference: what the elements' headers say of themselves, in their comments and in their declarations.
namespace packetmill::cli {
namespace {

using engine::Factory;

std::string joined(const std::vector<std::string>& items) {
  std::string text;
  for (const std::string& item : items) text += (text.empty() ? "" : ", ") + item;
  return text;
}

/// "DecIPTTL: decrements the time-to-live ..." -> "decrements the time-to-live ...", up to the first full stop.
std::string summary(const Factory& factory) {
  std::string_view text = factory.page.documentation;
  if (const auto colon = text.find(": "); colon != std::string_view::npos) text.remove_prefix(colon + 2);
  text = text.substr(0, std::min(text.find("\n\n"), text.size()));
  std::string line;
  for (const char c : text) line += c == '\n' ? ' ' : c;
  const auto end = std::min({line.find(". "), line.find("; "), line.find_last_not_of(" .") + 1});
  return line.substr(0, end);
}

std::string argument(const ArgumentInfo& info) {
  const std::string text = fmt::format("{} ({})", info.name, info.type);
  if (info.mandatory) return text + (info.positional ? "" : ", mandatory keyword");
  return text + (info.positional ? ", optional" : ", keyword");
}

std::string handler(const HandlerInfo& info) {
  return fmt::format("{} ({}{})", info.name, info.readable ? "r" : "", info.writable ? "w" : "");
}

/// What the declarations say, one line a kind.
struct Facts {
  std::string ports, arguments, handlers, drops, aliases;
};

Facts facts(const Factory& factory) {
  const auto list = [](const auto& items, auto text) {
    std::vector<std::string> result;
    for (const auto& item : items) result.push_back(text(item));
    return joined(result);
  };
  const auto plain = [](std::string_view text) { return std::string(text); };
  const ElementClass& c = factory.element_class;
  return {fmt::format("{} ports, {} processing", c.ports, c.processing), list(c.arguments, argument),
          list(factory.handlers, handler), list(factory.drops, plain), list(factory.aliases, plain)};
}

void print_page(const Factory& factory) {
  const Facts f = facts(factory);
  fmt::print("{}\nDeclared:  {}\n", factory.page.documentation, f.ports);
  for (const auto& [title, text] : std::initializer_list<std::pair<const char*, const std::string&>>{
           {"Arguments:", f.arguments}, {"Handlers:", f.handlers}, {"Drops:", f.drops}, {"Also:", f.aliases}})
    if (!text.empty()) fmt::print("{:<10} {}\n", title, text);
}

std::map<std::string_view, std::vector<const Factory*>> by_area() {
  std::map<std::string_view, std::vector<const Factory*>> result;
  for (const Factory& factory : engine::Registry::instance().factories()) result[factory.page.area].push_back(&factory);
  for (auto& [area, factories] : result)
    std::ranges::sort(factories, {}, [](const Factory* factory) { return factory->element_class.name; });
  return result;
}

void print_list() {
  for (const auto& [area, factories] : by_area()) {
    fmt::print("{}:\n", area);
    for (const Factory* factory : factories) {
      fmt::print("  {:<22} {}\n", factory->element_class.name, summary(*factory));
      for (const std::string_view alias : factory->aliases)
        fmt::print("  {:<22} as {}\n", alias, factory->element_class.name);
    }
  }
}

void print_markdown() {
  fmt::print(
      "# Element reference\n\n"
      "Written by `make docs` from the elements' own headers; `packetmill elements NAME` prints the same. A change "
      "here is\n"
      "lost. How the arguments are written is the Click language's business; ports and processing are Click's codes. "
      "Every\n"
      "element also has the handlers `class`, `name`, `config`, `ports`, `handlers` and `drop_reasons`.\n");
  for (const auto& [area, factories] : by_area()) {
    fmt::print("\n## {}\n", area);
    for (const Factory* factory : factories) {
      const Facts f = facts(*factory);
      fmt::print("\n### {}\n\n```text\n{}```\n\n", factory->element_class.name, factory->page.documentation);
      fmt::print("- {}\n", f.ports);
      for (const auto& [title, text] : std::initializer_list<std::pair<const char*, const std::string&>>{
               {"Arguments", f.arguments}, {"Handlers", f.handlers}, {"Drops", f.drops}, {"Other names", f.aliases}})
        if (!text.empty()) fmt::print("- {}: {}\n", title, text);
    }
  }
}

int print_elements(const std::vector<std::string>& names, bool markdown) {
  const engine::Registry& registry = engine::Registry::instance();
  if (markdown) print_markdown();
  if (!markdown && names.empty()) print_list();
  for (const std::string& name : names) {
    const Factory* factory = registry.factory(name);
    if (factory == nullptr) {
      const std::string hint = did_you_mean(name, registry.names());
      fmt::print(stderr, "packetmill elements: error: no element class '{}'{}\n", name,
                 hint.empty() ? "" : "; " + hint);
      return 1;
    }
    if (&name != &names.front()) fmt::print("\n");
    print_page(*factory);
  }
  return 0;
}

}  // namespace

void add_elements(CLI::App& app, int& status) {
  CLI::App* command = app.add_subcommand("elements", "List the elements, or say all about some of them");
  command->footer("Example: packetmill elements DecIPTTL");
  auto names = std::make_shared<std::vector<std::string>>();
  auto markdown = std::make_shared<bool>(false);
  command->add_option("NAME", *names, "element classes");
  command->add_flag("--markdown", *markdown, "the whole reference, as docs/elements.md has it");
  command->callback([names, markdown, &status] { status = print_elements(*names, *markdown); });
}

}  // namespace packetmill::cli
