#include "plan/plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

#include "graph/passes/pass.h"

namespace packetmill {
namespace {

template <class T, std::size_t N>
using Words = std::array<std::pair<std::string_view, T>, N>;

constexpr Words<Dispatch, 3> kDispatch{{
    {"virtual", Dispatch::virtual_calls},
    {"direct", Dispatch::direct},
    {"static", Dispatch::static_graph},
}};
constexpr Words<ParameterChoice, 2> kParameters{{
    {"runtime", ParameterChoice::runtime},
    {"constant", ParameterChoice::constant},
}};
constexpr Words<Loops, 3> kLoops{{{"vector", Loops::vector}, {"staged", Loops::staged}, {"fused", Loops::fused}}};
constexpr Words<Batches, 2> kBatches{{{"vector", Batches::vector}, {"list", Batches::list}}};
constexpr Words<MetadataModel, 4> kMetadata{{
    {"copying", MetadataModel::copying},
    {"overlaying", MetadataModel::overlaying},
    {"xchange", MetadataModel::xchange},
    {"registers", MetadataModel::registers},
}};
constexpr Words<Offloads, 2> kOffloads{{{"software", Offloads::software}, {"nic", Offloads::nic}}};
constexpr Words<Observe, 4> kObserve{{
    {"none", Observe::none},
    {"counters", Observe::counters},
    {"cycles", Observe::cycles},
    {"sampled", Observe::sampled},
}};
constexpr Words<Link, 2> kLink{{{"objects", Link::objects}, {"lto", Link::lto}}};

constexpr int kMostPacketsABatch = 256;
constexpr int kMostCores = 256;

template <class T, std::size_t N>
std::string_view word_of(const Words<T, N>& words, T value) {
  return std::ranges::find(words, value, &std::pair<std::string_view, T>::second)->first;
}

template <class T, std::size_t N>
std::optional<std::string> set(const Words<T, N>& words, std::string_view choice, std::string_view value, T& into) {
  const auto found = std::ranges::find(words, value, &std::pair<std::string_view, T>::first);
  if (found != words.end()) {
    into = found->second;
    return std::nullopt;
  }
  std::string known;
  for (const auto& [word, meaning] : words) known += fmt::format("{}{}", known.empty() ? "" : ", ", word);
  return fmt::format("{} is one of {}", choice, known);
}

std::optional<std::string> set_number(std::string_view choice, std::string_view value, int most, int& into) {
  int number = 0;
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), number);
  if (error != std::errc() || end != value.data() + value.size() || number < 1 || number > most)
    return fmt::format("{} is a number from 1 to {}", choice, most);
  into = number;
  return std::nullopt;
}

template <class T, std::size_t N>
Choice choice_of(std::string_view name, const Words<T, N>& words) {
  Choice choice{name, {}};
  for (const auto& [word, meaning] : words) choice.values.push_back(word);
  return choice;
}

std::string_view trim(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

/// "all", "none", or names with commas between.
std::optional<std::string> set_passes(std::string_view value, std::vector<std::string_view>& into) {
  std::vector<std::string_view> chosen;
  std::vector<std::string_view> wanted;
  for (std::string_view rest = value; value != "all" && value != "none";) {
    const std::size_t comma = std::min(rest.find_first_of(",+"), rest.size());  // + inside lists of plans
    wanted.push_back(trim(rest.substr(0, comma)));
    if (comma == rest.size()) break;
    rest.remove_prefix(comma + 1);
  }
  for (const Pass& pass : passes())
    if (value == "all" || std::erase(wanted, pass.name) > 0) chosen.push_back(pass.name);
  if (!wanted.empty()) return fmt::format("passes is all, none, or some of {}", pass_names());
  into = std::move(chosen);
  return std::nullopt;
}

std::string passes_text(const std::vector<std::string_view>& chosen) {
  if (chosen.empty()) return "none";
  return chosen.size() == passes().size() ? "all" : fmt::format("{}", fmt::join(chosen, ","));
}

constexpr std::array<std::string_view, 6> kPresets = {"vanilla",      "devirtualize", "constants",
                                                      "static-graph", "paper-all",    "all"};

}  // namespace

std::optional<Plan> preset(std::string_view name) {
  Plan plan;
  plan.name = name;
  if (name == "vanilla") return plan;
  if (name == "devirtualize") {
    plan.dispatch = Dispatch::direct;
  } else if (name == "constants") {
    plan.parameters = ParameterChoice::constant;
  } else if (name == "static-graph") {
    plan.dispatch = Dispatch::static_graph;
  } else if (name == "paper-all" || name == "all") {
    plan.dispatch = Dispatch::static_graph;
    plan.parameters = ParameterChoice::constant;
    (void)set_passes("all", plan.passes);
    if (name == "all") {
      plan.loops = Loops::fused;
      plan.metadata = MetadataModel::registers;
    }
  } else {
    return std::nullopt;
  }
  return plan;
}

bool exchanges(const Plan& plan) {
  return plan.metadata == MetadataModel::xchange || plan.metadata == MetadataModel::registers;
}

std::vector<std::string_view> preset_names() { return {kPresets.begin(), kPresets.end()}; }

std::optional<std::string> set_choice(Plan& plan, std::string_view choice, std::string_view value) {
  if (choice == "dispatch") return set(kDispatch, choice, value, plan.dispatch);
  if (choice == "parameters") return set(kParameters, choice, value, plan.parameters);
  if (choice == "loops") return set(kLoops, choice, value, plan.loops);
  if (choice == "batches") return set(kBatches, choice, value, plan.batches);
  if (choice == "batch") return set_number(choice, value, kMostPacketsABatch, plan.batch);
  if (choice == "stage") return set_number(choice, value, kMostPacketsABatch, plan.stage);
  if (choice == "metadata") return set(kMetadata, choice, value, plan.metadata);
  if (choice == "offloads") return set(kOffloads, choice, value, plan.offloads);
  if (choice == "passes") return set_passes(value, plan.passes);
  if (choice == "observe") return set(kObserve, choice, value, plan.observe);
  if (choice == "link") return set(kLink, choice, value, plan.link);
  if (choice == "cores") return set_number(choice, value, kMostCores, plan.cores);
  std::string known;
  for (const Choice& one : choices()) known += fmt::format("{}{}", known.empty() ? "" : ", ", one.name);
  return fmt::format("no choice '{}': there are {}", choice, known);
}

std::vector<Choice> choices() {
  std::vector<std::string_view> some_passes{"all", "none"};
  for (const Pass& pass : passes()) some_passes.push_back(pass.name);
  return {choice_of("dispatch", kDispatch),
          choice_of("parameters", kParameters),
          choice_of("loops", kLoops),
          choice_of("batches", kBatches),
          {"batch", {"1", "7", "32", "256"}},
          {"stage", {"1", "8", "13"}},
          choice_of("metadata", kMetadata),
          choice_of("offloads", kOffloads),
          {"passes", some_passes},
          choice_of("observe", kObserve),
          choice_of("link", kLink),
          {"cores", {"1", "2"}}};
}

Plan parse_plan(const std::string& file, std::string_view text, Diagnostics& diagnostics) {
  Plan plan;
  diagnostics.add_source(file, std::string(text));
  bool first = true;
  for (int number = 1; !text.empty(); ++number) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = trim(text.substr(0, std::min(end, text.find('#'))));
    const Location where{file, number, 1};
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.empty()) continue;
    const std::size_t equals = line.find('=');
    if (equals == std::string_view::npos) {
      diagnostics.error(where, "a line of a plan is 'choice = value'");
      continue;
    }
    const std::string_view choice = trim(line.substr(0, equals));
    const std::string_view value = trim(line.substr(equals + 1));
    if (choice == "preset") {
      const auto found = preset(value);
      if (!first) diagnostics.error(where, "the preset comes before all choices");
      if (!found) diagnostics.error(where, fmt::format("no preset '{}'", value));
      if (found && first) plan = *found;
    } else if (const auto wrong = set_choice(plan, choice, value)) {
      diagnostics.error(where, *wrong);
    }
    first = false;
  }
  plan.name = file;
  return plan;
}

std::string_view word_of(Observe observe) { return word_of(kObserve, observe); }

std::string to_string(const Plan& plan) {
  return fmt::format(
      "dispatch = {}\nparameters = {}\nloops = {}\nbatches = {}\nbatch = {}\nstage = {}\nmetadata = {}\n"
      "offloads = {}\npasses = {}\nobserve = {}\nlink = {}\ncores = {}\n",
      word_of(kDispatch, plan.dispatch), word_of(kParameters, plan.parameters), word_of(kLoops, plan.loops),
      word_of(kBatches, plan.batches), plan.batch, plan.stage, word_of(kMetadata, plan.metadata),
      word_of(kOffloads, plan.offloads), passes_text(plan.passes), word_of(kObserve, plan.observe),
      word_of(kLink, plan.link), plan.cores);
}

}  // namespace packetmill
