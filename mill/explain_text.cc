#include <fmt/format.h>

#include <algorithm>

#include "mill/explain_rows.h"

namespace packetmill::mill {
namespace {

std::string printed(const std::vector<Row>& rows) {
  std::string text;
  for (const Row& row : rows)
    for (std::size_t i = 0; i < row.lines.size(); ++i)
      text += fmt::format("    {:<11} {}\n", i == 0 ? row.label : "", row.lines[i]);
  return text;
}

/// A configuration may have anything in it, and a terminal obeys some of it.
std::string on_one_line(std::string text) {
  constexpr std::size_t kShown = 100;
  if (text.size() > kShown) text = text.substr(0, kShown) + "...";
  std::ranges::replace_if(text, [](unsigned char c) { return c < ' ' || c == 0x7f; }, ' ');
  return text;
}

}  // namespace

std::string explanation_text(const Explanation& explanation) {
  std::string text = "the program\n" + printed(rows_of_program(explanation));
  for (const Explanation::Element& element : explanation.elements)
    text += fmt::format("\n{} :: {}({})\n{}", element.name, element.class_name, on_one_line(element.configuration),
                        printed(rows_of(explanation, element)));
  for (const Explanation::Region& region : explanation.regions)
    if (region.hot || region.bytes >= 1024)  // the rest are single calls
      text += fmt::format("\nregion: {}\n{}", region.name, printed(rows_of(explanation, region)));
  if (const std::string note = about_estimates(explanation); !note.empty()) text += "\n" + note + "\n";
  return text;
}

}  // namespace packetmill::mill
