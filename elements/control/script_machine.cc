#include "elements/control/script_machine.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cctype>
#include <fstream>

#include "elements/control/script_functions.h"
#include "elements/control/script_text.h"
#include "runtime/arguments/split.h"

namespace packetmill {
namespace {

using Operation = ScriptInstruction::Operation;
using Answer = ControlPlane::Answer;

/// Splits "name arguments".
std::pair<std::string_view, std::string_view> split_call(std::string_view call) {
  constexpr std::string_view kBlanks = " \t\r\n";
  const std::size_t begin = std::min(call.find_first_not_of(kBlanks), call.size());
  const std::size_t end = std::min(call.find_first_of(kBlanks, begin), call.size());
  const std::size_t rest = std::min(call.find_first_not_of(kBlanks, end), call.size());
  return {call.substr(begin, end - begin), call.substr(rest)};
}

}  // namespace

ScriptMachine::ScriptMachine(List<ScriptInstruction> program, bool driver, std::string_view name,
                             ControlPlane& control_plane)
    : program_(program), driver_(driver), name_(name), control_plane_(control_plane) {}

void ScriptMachine::initialize() {
  for (const ScriptInstruction& instruction : program_) {
    if (instruction.operation != Operation::init && instruction.operation != Operation::exported) continue;
    set_variable(instruction.name, expand(instruction.text, instruction.unquotes));
  }
}

ScriptMachine::Result ScriptMachine::run(const Call& call) {
  if (depth_ == kDeepest) return {Fate::failed, "script runs itself too deeply"};
  // A script may run itself: what stood where the outer run stands is put back.
  const std::size_t outer = position_;
  set_variable("0", call.handler);
  set_variable("args", call.arguments);
  set_variable("write", call.is_write ? "true" : "false");
  set_variable("input", std::to_string(call.input));
  position_ = 0;
  steps_ = stop_events_ = 0;
  const Result result = proceed();
  if (depth_ > 0) position_ = outer;
  return result;
}

ScriptMachine::Result ScriptMachine::jump(std::string_view label) {
  const int target = find_label(program_, label);
  if (target == kNoLabel) return {Fate::failed, fmt::format("no such label '{}'", label)};
  blocked_ = false;
  if (const auto ended = transfer(target)) return *ended;
  return proceed();
}

ScriptMachine::Result ScriptMachine::step(unsigned count) {
  if (!blocked_) return {};
  steps_ += count;
  return depth_ == 0 ? proceed() : Result{Fate::blocked, {}};
}

ScriptMachine::Result ScriptMachine::stop_event() {
  if (!blocked_) return {};
  ++stop_events_;
  return depth_ == 0 ? proceed() : Result{Fate::blocked, {}};
}

ScriptMachine::Result ScriptMachine::wake() {
  if (!wakes_at_) return {};
  awake_ = true;
  return proceed();
}

std::optional<std::string> ScriptMachine::variable(std::string_view name) const {
  if (name == "$") return std::to_string(getpid());
  const auto found = variables_.find(name);
  if (found != variables_.end()) return found->second;
  const bool number = !name.empty() && name.find_first_not_of("0123456789") == std::string_view::npos;
  const auto arguments = variables_.find("args");
  if ((!number && name != "#") || arguments == variables_.end()) return std::nullopt;
  const std::vector<std::string> words = split_words(arguments->second);
  if (name == "#") return std::to_string(words.size());
  std::size_t index = 0;
  if (parse(name, index) || index == 0 || index > words.size()) return std::string();
  return words[index - 1];
}

std::string ScriptMachine::shift(const std::string& name) {
  std::string& value = variables_[name];
  const auto [first, rest] = split_call(value);
  std::string result(first);
  value = std::string(rest);
  return result;
}

/// Runs until the script ends or blocks.
ScriptMachine::Result ScriptMachine::proceed() {
  jumps_ = 0;
  ++depth_;
  std::optional<Result> result;
  while (!result) {
    if (position_ >= program_.size())
      result = driver_ ? transfer(kScriptStop) : Result{};
    else
      result = execute(program_[position_]);
  }
  --depth_;
  blocked_ = result->fate == Fate::blocked;
  if (!blocked_) {
    position_ = program_.size();
    wakes_at_.reset();
    passed_ = 0;
  }
  if (result->fate == Fate::failed && driver_) control_plane_.finish(1);
  return *result;
}

/// One instruction; a result where the run is over for now. Moves on to the next instruction by itself.
std::optional<ScriptMachine::Result> ScriptMachine::execute(const ScriptInstruction& instruction) {
  switch (instruction.operation) {
    case Operation::label:
    case Operation::init:
    case Operation::exported:
      break;
    case Operation::set:
      set_variable(instruction.name, expand(instruction.text, instruction.unquotes));
      break;
    case Operation::print:
      print(instruction);
      break;
    case Operation::save:
    case Operation::append: {
      const Answer answer = read(expand(instruction.name));
      if (answer.ok)
        write_out(expand(instruction.text, true), instruction.operation == Operation::append, answer.text);
      else
        complain(answer.text);
      break;
    }
    case Operation::read: {
      const std::string handler = expand(instruction.name);
      const Answer answer = read(handler + " " + expand(instruction.text, instruction.unquotes));
      if (answer.ok) {
        control_plane_.message(handler + ":");
        control_plane_.message(std::string_view(answer.text).substr(0, answer.text.find_last_not_of('\n') + 1));
      } else {
        complain(answer.text);
      }
      break;
    }
    case Operation::write: {
      const Answer answer =
          control_plane_.write(expand(instruction.name), expand(instruction.text, instruction.unquotes), name_);
      if (!answer.ok) complain(answer.text);
      set_variable("?", answer.ok ? "0" : "-1");
      break;
    }
    case Operation::pause:
      if (!passes_pause(instruction)) return Result{Fate::blocked, {}};
      break;
    case Operation::wait:
      if (!passes_wait(instruction)) return Result{Fate::blocked, {}};
      break;
    case Operation::jump: {
      bool condition = true;
      if (!instruction.text.empty()) {
        const std::string text = expand(instruction.text);
        if (const Answer parsed = script_boolean(text, condition); !parsed.ok)
          return Result{Fate::failed, fmt::format("bad condition '{}'", text)};
      }
      if (condition) return transfer(instruction.target);
      break;
    }
    case Operation::loop:
      return transfer(0);
    case Operation::returns:
      if (driver_) return transfer(kScriptStop);
      return Result{Fate::ended, expand(instruction.text, instruction.unquotes)};
    case Operation::end:
      return transfer(kScriptEnd);
    case Operation::exit:
      return transfer(kScriptExit);
    case Operation::stop:
      return transfer(kScriptStop);
    case Operation::error:
      return Result{Fate::failed, expand(instruction.text, true)};
  }
  ++position_;
  return std::nullopt;
}

std::optional<ScriptMachine::Result> ScriptMachine::transfer(int target) {
  passed_ = 0;
  wakes_at_.reset();
  if (target >= 0) {
    if (++jumps_ > kMostJumps) return Result{Fate::failed, "possible infinite loop in script"};
    position_ = static_cast<std::size_t>(target);
    return std::nullopt;
  }
  if (target == kScriptError) return Result{Fate::failed, ""};
  if (driver_) {
    control_plane_.finish(0);
  } else if (target == kScriptStop) {
    control_plane_.request_stop();
  }
  return Result{target == kScriptExit ? Fate::exited : Fate::ended, {}};
}

/// Each step that has been given passes one.
bool ScriptMachine::passes_pause(const ScriptInstruction& instruction) {
  unsigned count = 1;
  if (!instruction.text.empty() && parse(expand(instruction.text, true), count)) complain("expected count");
  for (; passed_ < count; ++passed_) {
    if (steps_ > 0)
      --steps_;
    else if (stop_events_ > 0)
      --stop_events_;
    else
      return false;
  }
  passed_ = 0;
  jumps_ = 0;
  return true;
}

bool ScriptMachine::passes_wait(const ScriptInstruction& instruction) {
  if (!wakes_at_) {
    Duration span;
    if (parse(expand(instruction.text, true), span)) complain("expected time");
    wakes_at_ = control_plane_.now() + span;
    awake_ = false;
  }
  if (!awake_ && steps_ == 0 && stop_events_ == 0) return false;
  if (!awake_ && steps_ > 0) --steps_;  // "Any driver stop is not consumed" (DriverManager)
  wakes_at_.reset();
  jumps_ = 0;
  return true;
}

/// "If the argument starts with a letter, '@', or '_', then it is treated as a read handler. Otherwise, a layer of
/// quotes is removed and the result is printed."
void ScriptMachine::print(const ScriptInstruction& instruction) {
  std::string_view text = instruction.text;
  std::string file;
  const bool append = text.starts_with(">>");
  if (text.starts_with('>')) {
    const auto [name, rest] = split_call(text.substr(append ? 2 : 1));
    file = expand(name, true);
    text = rest;
  }
  std::string result;
  if (!text.empty() && (std::isalpha(static_cast<unsigned char>(text[0])) != 0 || text[0] == '@' || text[0] == '_')) {
    const Answer answer = read(expand(text, instruction.unquotes));
    if (!answer.ok) {
      complain(answer.text);
      return;
    }
    result = answer.text;
  } else {
    result = expand(text, true);
  }
  if (instruction.newline && (result.empty() || result.back() != '\n')) result += '\n';
  write_out(file, append, result);
}

/// To a file; to standard output where it is "-" or not named.
void ScriptMachine::write_out(std::string_view file, bool append, const std::string& text) {
  if (file.empty() || file == "-") {
    control_plane_.output(text);
    return;
  }
  std::ofstream out(std::string(file), append ? std::ios::binary | std::ios::app : std::ios::binary | std::ios::trunc);
  out << text;
  out.close();
  if (out.fail()) complain(fmt::format("{}: cannot be written", file));
}

void ScriptMachine::complain(const std::string& message) {
  control_plane_.message(fmt::format("While executing '{}':", name_));
  control_plane_.message("  " + message);
}

std::string ScriptMachine::expand(std::string_view text, bool unquotes) {
  const std::string expanded = substitute(text, {.variable = [this](std::string_view name) { return variable(name); },
                                                 .handler =
                                                     [this](std::string_view call) {
                                                       const Answer answer = read(call);
                                                       if (!answer.ok) complain(answer.text);
                                                       return answer.ok ? answer.text : std::string();
                                                     }});
  return unquotes ? unquote(expanded) : expanded;
}

Answer ScriptMachine::read(std::string_view call) {
  const auto [handler, arguments] = split_call(call);
  // "Local handler references do not require the element name."
  if (handler.find('.') == std::string_view::npos) {
    const std::string local = name_ + "." + std::string(handler);
    if (control_plane_.find_handler(local).handler) return control_plane_.read(local, arguments);
  }
  return control_plane_.read(handler, arguments, name_);
}

}  // namespace packetmill
