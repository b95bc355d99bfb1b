#include "elements/control/control_session.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <utility>

#include "runtime/values/parse.h"

namespace packetmill {
namespace {

// Click's response codes, as the manual page of ControlSocket gives them.
enum Code {
  ok = 200,
  syntax_error = 500,
  unimplemented = 501,
  no_such_element = 510,
  no_such_handler = 511,
  handler_error = 520,
  data_too_big = 521,
  permission_denied = 530
};

constexpr std::size_t kLongestLine = 64 << 10;
constexpr std::size_t kMostData = 64 << 20;

std::vector<std::string_view> words_of(std::string_view line) {
  std::vector<std::string_view> words;
  while (true) {
    const std::size_t begin = line.find_first_not_of(" \t");
    if (begin == std::string_view::npos) return words;
    const std::size_t end = std::min(line.find_first_of(" \t", begin), line.size());
    words.push_back(line.substr(begin, end - begin));
    line.remove_prefix(end);
  }
}

/// What follows the first `count` words.
std::string_view after(std::string_view line, const std::vector<std::string_view>& words, std::size_t count) {
  if (words.size() <= count) return {};
  return line.substr(static_cast<std::size_t>(words[count].data() - line.data()));
}

std::string upper(std::string_view text) {
  std::string result(text);
  for (char& c : result) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return result;
}

std::string_view without_trailing_blanks(std::string_view text) {
  return text.substr(0, text.find_last_not_of(" \t") + 1);
}

}  // namespace

ControlSession::ControlSession(Options options, ControlPlane& control_plane)
    : options_(std::move(options)), control_plane_(control_plane), output_("Click::ControlSocket/1.3\r\n") {}

void ControlSession::receive(std::string_view bytes) {
  input_ += bytes;
  while (!finished_ && step()) {
  }
}

/// Goes on by a line, or by the data of a command; false where more has to come first.
bool ControlSession::step() {
  if (pending_ && pending_->bytes) return take_data();
  const auto line = take_line();
  if (!line) {
    if (input_.size() <= kLongestLine) return false;
    answer(syntax_error, "Line too long");
    finished_ = true;
    return false;
  }
  if (!pending_) {
    execute(*line);
  } else if (without_trailing_blanks(*line) == pending_->terminator) {
    call(*std::exchange(pending_, std::nullopt));
  } else if (pending_->data.size() + line->size() > kMostData) {
    answer(data_too_big, "Data too large");
    finished_ = true;
  } else {
    pending_->data += *line + "\n";
  }
  return true;
}

bool ControlSession::take_data() {
  // The line feed of the command's own CRLF may only just have come.
  if (after_carriage_return_ && !input_.empty()) {
    if (input_[0] == '\n') input_.erase(0, 1);
    after_carriage_return_ = false;
  }
  if (input_.size() < *pending_->bytes) return false;
  pending_->data = input_.substr(0, *pending_->bytes);
  input_.erase(0, *pending_->bytes);
  call(*std::exchange(pending_, std::nullopt));
  return true;
}

/// "The server will accept lines terminated by CR, LF, or CRLF."
std::optional<std::string> ControlSession::take_line() {
  if (after_carriage_return_ && !input_.empty()) {
    if (input_[0] == '\n') input_.erase(0, 1);
    after_carriage_return_ = false;
  }
  const std::size_t end = input_.find_first_of("\r\n");
  if (end == std::string::npos) return std::nullopt;
  std::string line = input_.substr(0, end);
  after_carriage_return_ = input_[end] == '\r';
  input_.erase(0, end + 1);
  return line;
}

void ControlSession::execute(const std::string& line) {
  const std::vector<std::string_view> words = words_of(line);
  if (words.empty()) return;
  const std::string command = upper(words[0]);
  const std::string handler(words.size() > 1 ? words[1] : "");
  if (command == "QUIT" || command == "BYE" || command == "CLOSE") {
    answer(ok, "Goodbye!");
    finished_ = true;
  } else if (command == "HELP") {
    help();
  } else if (command == "LLRPC") {
    answer(unimplemented, "LLRPCs are not implemented");
  } else if (command != "READ" && command != "WRITE" && command != "GET" && command != "SET" && command != "READDATA" &&
             command != "WRITEDATA" && command != "READUNTIL" && command != "WRITEUNTIL" && command != "CHECKREAD" &&
             command != "CHECKWRITE") {
    answer(unimplemented, fmt::format("Unimplemented command '{}'", words[0]));
  } else if (handler.empty()) {
    answer(syntax_error, "Wrong number of arguments");
  } else if (command == "READ" || command == "GET") {
    read(handler, after(line, words, 2));
  } else if (command == "WRITE" || command == "SET") {
    write(handler, after(line, words, 2));
  } else if (command == "CHECKREAD" || command == "CHECKWRITE") {
    check(handler, command == "CHECKWRITE");
  } else if (command.ends_with("DATA")) {
    expect_data(words);
  } else {
    expect_lines(words, after(line, words, 2));
  }
}

void ControlSession::expect_data(const std::vector<std::string_view>& words) {
  std::size_t bytes = 0;
  if (words.size() != 3 || parse(words[2], bytes)) {
    answer(syntax_error, "Wrong number of arguments, or no number of bytes");
  } else if (bytes > kMostData) {
    answer(data_too_big, "Data too large");
    finished_ = true;  // what follows is data and not commands
  } else {
    pending_ = {upper(words[0]).starts_with('W'), std::string(words[1]), bytes, {}, {}};
  }
}

/// "If the terminator is not supplied, parameter reading stops at the first blank line."
void ControlSession::expect_lines(const std::vector<std::string_view>& words, std::string_view rest) {
  pending_ = {upper(words[0]).starts_with('W'),
              std::string(words[1]),
              std::nullopt,
              std::string(without_trailing_blanks(rest)),
              {}};
}

void ControlSession::call(const Pending& pending) {
  pending.writes ? write(pending.handler, pending.data) : read(pending.handler, pending.data);
}

/// "The element is identified by index, starting from 1", or by its name; behind the proxy, where there is one.
std::string ControlSession::full_name(const std::string& handler) {
  const std::size_t dot = handler.find('.');
  std::size_t number = 0;
  if (!options_.proxy.empty()) return options_.proxy + "." + handler;
  if (dot == std::string::npos || dot == 0 || handler.find_first_not_of("0123456789") < dot ||
      parse(std::string_view(handler).substr(0, dot), number))
    return handler;
  const std::vector<std::string> elements = control_plane_.elements();
  return number > 0 && number <= elements.size() ? elements[number - 1] + handler.substr(dot) : handler;
}

/// The full name of a handler that exists and may be used so; otherwise the answer has been given.
std::optional<std::string> ControlSession::permitted(const std::string& handler, bool for_writing) {
  std::string name = full_name(handler);
  const ControlPlane::Found found = control_plane_.find_handler(name);
  if (!found.element_exists)
    answer(no_such_element, fmt::format("No element named '{}'", name.substr(0, name.find('.'))));
  else if (!found.handler)
    answer(no_such_handler, fmt::format("No handler named '{}'", handler));
  else if (found.handler->local || (for_writing && options_.read_only))
    answer(permission_denied, fmt::format("Permission denied for '{}'", handler));
  else if (for_writing && !found.handler->writable)
    answer(permission_denied, fmt::format("Handler '{}' read-only", handler));
  else if (!for_writing && !found.handler->readable)
    answer(permission_denied, fmt::format("Handler '{}' write-only", handler));
  else
    return name;
  return std::nullopt;
}

void ControlSession::read(const std::string& handler, std::string_view parameter) {
  const auto name = permitted(handler, false);
  if (!name) return;
  const ControlPlane::Answer result = control_plane_.read(*name, parameter);
  if (!result.ok) {
    answer(handler_error, fmt::format("Read handler '{}' error:\n{}", handler, result.text));
    return;
  }
  answer(ok, fmt::format("Read handler '{}' OK", handler));
  output_ += fmt::format("DATA {}\r\n{}", result.text.size(), result.text);
}

void ControlSession::write(const std::string& handler, std::string_view value) {
  const auto name = permitted(handler, true);
  if (!name) return;
  const ControlPlane::Answer result = control_plane_.write(*name, value);
  if (result.ok)
    answer(ok, fmt::format("Write handler '{}' OK", handler));
  else
    answer(handler_error, fmt::format("Write handler '{}' error:\n{}", handler, result.text));
}

void ControlSession::check(const std::string& handler, bool for_writing) {
  if (permitted(handler, for_writing))
    answer(ok, fmt::format("{} handler '{}' OK", for_writing ? "Write" : "Read", handler));
}

/// "All but the last begin with the response code and a hyphen, the last line begins with the response code and a
/// space."
void ControlSession::answer(int code, std::string_view message) {
  while (message.ends_with('\n')) message.remove_suffix(1);
  while (true) {
    const std::size_t end = std::min(message.find('\n'), message.size());
    const bool last = end == message.size();
    output_ += fmt::format("{}{}{}\r\n", code, last ? ' ' : '-', message.substr(0, end));
    if (last) return;
    message.remove_prefix(end + 1);
  }
}

void ControlSession::help() {
  answer(ok,
         "Commands supported:\n"
         "READ handler [arg...]    call read handler, return result\n"
         "READDATA handler len     call read handler, passing len data bytes\n"
         "READUNTIL handler [term] call read handler, passing the lines before one that is term\n"
         "WRITE handler [arg...]   call write handler\n"
         "WRITEDATA handler len    call write handler, passing len data bytes\n"
         "WRITEUNTIL handler [term] call write handler, passing the lines before one that is term\n"
         "CHECKREAD handler        check that a read handler exists\n"
         "CHECKWRITE handler       check that a write handler exists\n"
         "QUIT                     close the connection");
}

}  // namespace packetmill
