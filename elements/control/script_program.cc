#include "elements/control/script_program.h"

#include <signal.h>

#include <algorithm>
#include <cctype>
#include <optional>
#include <utility>

#include "graph/nearest.h"
#include "runtime/arguments/split.h"

namespace packetmill {
namespace {

using Operation = ScriptInstruction::Operation;

struct Word {
  std::string_view name;
  Operation operation;
  bool unquotes = false;
  bool newline = true;
};

/// wait_step, wait_stop and wait_time are DriverManager's older words for pause and wait.
constexpr Word kWords[] = {
    {"set", Operation::set},
    {"setq", Operation::set, true},
    {"init", Operation::init},
    {"initq", Operation::init, true},
    {"export", Operation::exported},
    {"exportq", Operation::exported, true},
    {"print", Operation::print},
    {"printq", Operation::print, true},
    {"printn", Operation::print, false, false},
    {"printnq", Operation::print, true, false},
    {"save", Operation::save},
    {"append", Operation::append},
    {"read", Operation::read},
    {"readq", Operation::read, true},
    {"write", Operation::write},
    {"writeq", Operation::write, true},
    {"pause", Operation::pause},
    {"wait_step", Operation::pause},
    {"wait_stop", Operation::pause},
    {"wait", Operation::wait},
    {"wait_time", Operation::wait},
    {"label", Operation::label},
    {"goto", Operation::jump},
    {"loop", Operation::loop},
    {"return", Operation::returns},
    {"returnq", Operation::returns, true},
    {"end", Operation::end},
    {"exit", Operation::exit},
    {"stop", Operation::stop},
    {"error", Operation::error},
    {"errorq", Operation::error, true},
};

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.front())) != 0) text.remove_prefix(1);
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.back())) != 0) text.remove_suffix(1);
  return text;
}

/// Takes the first word from the front of `text`.
std::string_view take_word(std::string_view& text) {
  std::size_t end = 0;
  while (end < text.size() && std::isspace(static_cast<unsigned char>(text[end])) == 0) ++end;
  const std::string_view word = text.substr(0, end);
  text = trimmed(text.substr(end));
  return word;
}

bool is_variable_name(std::string_view name) {
  return !name.empty() && std::ranges::all_of(name, [](unsigned char c) { return std::isalnum(c) != 0 || c == '_'; });
}

/// What is wrong with the instruction's own words.
std::optional<std::string> problem(const ScriptInstruction& instruction) {
  const bool dynamic = instruction.text.find('$') != std::string_view::npos;
  switch (instruction.operation) {
    case Operation::set:
    case Operation::init:
    case Operation::exported:
      if (!is_variable_name(instruction.name)) return "expected variable name";
      break;
    case Operation::read:
    case Operation::write:
    case Operation::save:
    case Operation::append:
      if (instruction.name.empty()) return "expected handler name";
      break;
    case Operation::label:
    case Operation::jump:
      if (instruction.name.empty()) return "expected label name";
      break;
    case Operation::pause: {
      unsigned count = 0;
      if (!instruction.text.empty() && !dynamic && parse(instruction.text, count)) return "expected count";
      break;
    }
    case Operation::wait: {
      Duration span;
      if (!dynamic && parse(instruction.text, span)) return "expected time";
      break;
    }
    default:
      break;
  }
  return std::nullopt;
}

/// Tells of the handlers that the instruction names as they stand there, of elements: nothing of what is substituted.
void mention_handlers(const ScriptInstruction& instruction, const Location& where, const Names& names) {
  const auto mention = [&](std::string_view handler) {
    if (handler.find('.') != std::string_view::npos && handler.find('$') == std::string_view::npos)
      names.mention_handler(handler, where);
  };
  switch (instruction.operation) {
    case Operation::read:
    case Operation::write:
    case Operation::save:
    case Operation::append:
      mention(instruction.name);
      break;
    default:
      break;
  }
  bool quoted = false;  // in single quotes nothing is substituted
  const std::string_view text = instruction.text;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\'') quoted = !quoted;
    if (text[i] == '\\') ++i;
    if (quoted || text.substr(i, 2) != "$(") continue;
    mention(text.substr(i + 2, text.find_first_of(" \t\r\n)", i) - i - 2));
  }
}

constexpr std::pair<std::string_view, int> kSignals[] = {{"HUP", SIGHUP},   {"INT", SIGINT},   {"QUIT", SIGQUIT},
                                                         {"TERM", SIGTERM}, {"USR1", SIGUSR1}, {"USR2", SIGUSR2}};

std::optional<int> signal_number(std::string_view word) {
  for (const auto& [name, number] : kSignals) {
    int given = 0;
    if (word == name || (!parse(word, given) && given == number)) return number;
  }
  return std::nullopt;
}

}  // namespace

ParseError parse(std::string_view text, ScriptType& out, const Names&) {
  constexpr std::pair<std::string_view, ScriptType::Kind> kKinds[] = {
      {"ACTIVE", ScriptType::active}, {"PASSIVE", ScriptType::passive}, {"DRIVER", ScriptType::driver},
      {"PACKET", ScriptType::packet}, {"PROXY", ScriptType::proxy},     {"SIGNAL", ScriptType::signal}};
  const std::vector<std::string> words = split_words(text);
  for (const auto& [name, kind] : kKinds) {
    if (words.empty() || words[0] != name) continue;
    if ((kind == ScriptType::signal) != (words.size() > 1)) break;
    std::uint64_t signals = 0;
    for (std::size_t i = 1; i < words.size(); ++i) {
      const auto number = signal_number(words[i]);
      if (!number) return "bad signal '" + words[i] + "'";
      signals |= std::uint64_t{1} << static_cast<unsigned>(*number);
    }
    out = {kind, signals};
    return std::nullopt;
  }
  return "expected ACTIVE, PASSIVE, DRIVER, PACKET, PROXY, or SIGNAL and signals";
}

int find_label(List<ScriptInstruction> program, std::string_view label) {
  for (std::size_t i = 0; i < program.size(); ++i)
    if (program[i].operation == Operation::label && program[i].name == label) return static_cast<int>(i);
  if (label == "begin" || label == "loop") return 0;
  if (label == "end") return kScriptEnd;
  if (label == "exit") return kScriptExit;
  if (label == "stop") return kScriptStop;
  if (label == "error") return kScriptError;
  return kNoLabel;
}

List<ScriptInstruction> compile_script(Configuration& configuration, bool driver) {
  const std::vector<Argument> arguments = configuration.take_rest();
  std::vector<ScriptInstruction> program;
  for (const Argument& argument : arguments) {
    ScriptInstruction instruction;
    std::string_view text = keep_text(argument.text);
    const std::string_view name = take_word(text);
    const auto* const word = std::ranges::find(kWords, name, &Word::name);
    if (word == std::end(kWords)) {
      std::vector<std::string_view> known;
      for (const Word& candidate : kWords) known.push_back(candidate.name);
      if (!name.empty())
        configuration.error(argument, "unknown instruction '" + std::string(name) + "'", did_you_mean(name, known));
      continue;
    }
    instruction.operation = word->operation;
    instruction.unquotes = word->unquotes;
    instruction.newline = word->newline;
    if (instruction.operation == Operation::wait && text.empty()) instruction.operation = Operation::pause;
    switch (instruction.operation) {
      case Operation::set:
      case Operation::init:
      case Operation::exported:
      case Operation::label:
      case Operation::jump:
      case Operation::read:
      case Operation::write:
      case Operation::save:
      case Operation::append:
        instruction.name = take_word(text);
        break;
      default:
        break;
    }
    instruction.text = text;
    if (const auto wrong = problem(instruction)) configuration.error(argument, *wrong);
    mention_handlers(instruction, argument.where, configuration.names());
    program.push_back(instruction);
  }
  // "DriverManager adds an implicit stop instruction to the end; with no arguments it is equivalent to
  // DriverManager(wait_stop, stop)."
  if (driver && program.empty()) program.push_back({.operation = Operation::pause});
  const List<ScriptInstruction> view{program.data(), program.size()};
  for (std::size_t i = 0; i < program.size(); ++i) {
    if (program[i].operation != Operation::jump) continue;
    program[i].target = find_label(view, program[i].name);
    if (program[i].target == kNoLabel) configuration.error("no such label '" + std::string(program[i].name) + "'");
  }
  return configuration.arena().keep(std::move(program));
}

}  // namespace packetmill
