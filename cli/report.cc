#include "cli/report.h"

#include <algorithm>
#include <map>
#include <string_view>
#include <tuple>

namespace packetmill::cli {
namespace {

/// The line with control characters made visible as '?', so that nothing in a file can confuse a terminal.
std::string printable(std::string_view line) {
  std::string result(line);
  for (char& c : result)
    if ((static_cast<unsigned char>(c) < ' ' && c != '\t') || c == 0x7f) c = '?';
  return result;
}

/// Spaces up to the column, but tabs where the line has tabs, so that the caret stands below its character. Columns
/// count bytes; of a character in UTF-8 only the first byte takes a place.
std::string indentation(std::string_view line, int column) {
  std::string result;
  for (const char c : line.substr(0, static_cast<std::size_t>(std::max(column, 1)) - 1))
    if ((static_cast<unsigned char>(c) & 0xc0) != 0x80) result += c == '\t' ? '\t' : ' ';
  return result;
}

std::string report(const Diagnostic& diagnostic, const Diagnostics& all) {
  const Location& where = diagnostic.where;
  std::string text = where.file + ":";
  if (where.line > 0) text += std::to_string(where.line) + ":" + std::to_string(where.column) + ":";
  text += diagnostic.severity == Severity::error ? " error: " : " warning: ";
  if (!diagnostic.element.empty()) text += diagnostic.element + ": ";
  text += diagnostic.message + "\n";
  // What is missing at the end of a file is missing behind its last line.
  Location shown = where;
  while (shown.line > 0 && all.line(shown).empty()) --shown.line;
  if (const std::string_view line = all.line(shown); !line.empty()) {
    const int column = shown.line == where.line ? where.column : static_cast<int>(line.size()) + 1;
    text += "    " + printable(line) + "\n    " + indentation(line, column) + "^\n";
  }
  if (!diagnostic.hint.empty()) text += "    hint: " + diagnostic.hint + "\n";
  return text;
}

/// In the order of the text; a multimap keeps what is said of one place in the order in which it was said.
std::multimap<std::tuple<std::string, int, int>, const Diagnostic*> in_order(const Diagnostics& diagnostics) {
  std::multimap<std::tuple<std::string, int, int>, const Diagnostic*> result;
  for (const Diagnostic& diagnostic : diagnostics.list())
    result.insert({{diagnostic.where.file, diagnostic.where.line, diagnostic.where.column}, &diagnostic});
  return result;
}

}  // namespace

std::string report(const Diagnostics& diagnostics) {
  std::string text;
  for (const auto& [place, diagnostic] : in_order(diagnostics)) text += report(*diagnostic, diagnostics);
  return text;
}

std::string report_as_click(const Diagnostics& diagnostics) {
  std::string text;
  std::string last_heading;
  for (const auto& [place, diagnostic] : in_order(diagnostics)) {
    const auto& [file, line, column] = place;
    const std::string landmark = file + ":" + (line > 0 ? std::to_string(line) + ": " : " ");
    const std::string message = (diagnostic->severity == Severity::warning ? "warning: " : "") + diagnostic->message;
    if (diagnostic->element.empty()) {
      text += landmark + message + "\n";
      last_heading.clear();
      continue;
    }
    const std::string heading = landmark + diagnostic->element + ":\n";
    if (heading != last_heading) text += heading;
    last_heading = heading;
    text += "  " + message + "\n";
  }
  return text;
}

}  // namespace packetmill::cli
