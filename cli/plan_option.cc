#include "cli/plan_option.h"

#include <fmt/format.h>

#include <fstream>
#include <iterator>

namespace packetmill::cli {

void change_plan(Plan& plan, const std::string& option, const std::string& choice, Diagnostics& diagnostics) {
  const std::size_t equals = choice.find('=');
  const auto wrong = equals == std::string::npos
                         ? std::optional<std::string>("'choice=value' expected")
                         : set_choice(plan, choice.substr(0, equals), choice.substr(equals + 1));
  if (wrong) diagnostics.error({"command line", 0, 0}, fmt::format("{} {}: {}", option, choice, *wrong));
}

Plan read_plan(const std::string& text, Diagnostics& diagnostics) {
  std::size_t colon = text.find(':');
  const std::string name = text.substr(0, colon);
  Plan plan;
  if (const auto found = preset(name)) {
    plan = *found;
  } else if (std::ifstream file(name, std::ios::binary); file) {
    plan = parse_plan(name, std::string{std::istreambuf_iterator<char>(file), {}}, diagnostics);
  } else {
    std::string names;
    for (const std::string_view known : preset_names()) names += fmt::format("{}{}", names.empty() ? "" : ", ", known);
    diagnostics.error({"command line", 0, 0}, fmt::format("--plan {}: neither a preset ({}) nor a file", name, names));
  }
  while (colon != std::string::npos) {
    const std::size_t start = colon + 1;
    colon = text.find(':', start);
    change_plan(plan, "--plan", text.substr(start, colon - start), diagnostics);
  }
  plan.name = text;
  return plan;
}

void add_plan_options(CLI::App& command, PlanOptions& options) {
  command.add_option("--plan", options.plan, "a preset, or a plan's file")->capture_default_str();
  command.add_option("--set", options.choices, "CHOICE=VALUE: another choice than the plan's")->allow_extra_args(false);
}

Plan read_plan(const PlanOptions& options, Diagnostics& diagnostics) {
  Plan plan = read_plan(options.plan, diagnostics);
  for (const std::string& choice : options.choices) change_plan(plan, "--set", choice, diagnostics);
  return plan;
}

}  // namespace packetmill::cli
