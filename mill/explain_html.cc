#include <fmt/format.h>

#include <algorithm>

#include "mill/explain_rows.h"

// A page without a script: an element of the drawing is a link to its section, and the style sheet shows the section that
// the link has led to alone. The policy in its head forbids a browser to run or fetch anything.
namespace packetmill::mill {
namespace {

std::string escaped(std::string_view text) {
  std::string result;
  for (const char c : text) {
    if (c == '<')
      result += "&lt;";
    else if (c == '>')
      result += "&gt;";
    else if (c == '&')
      result += "&amp;";
    else if (c == '"')
      result += "&quot;";
    else if (c == '\'')
      result += "&#39;";
    else
      result += c;
  }
  return result;
}

constexpr std::string_view kStyle = R"css(
:root { color-scheme: light dark; --page: #fff; --ink: #1a1a1a; --pale: #666; --line: #d8d8d8; --box: #f5f5f5;
        --link: #0645ad; --bar: #7aa6d8; --warn: #9a4b00; }
@media (prefers-color-scheme: dark) {
  :root { --page: #17191c; --ink: #e4e4e4; --pale: #9a9a9a; --line: #3a3d42; --box: #212428; --link: #8ab4f8;
          --bar: #3f6ea5; --warn: #f0a860; } }
body { margin: 0 auto; max-width: 75rem; padding: 1rem; font: 15px/1.45 system-ui, sans-serif; background: var(--page);
       color: var(--ink); }
a { color: var(--link); }
h1 { font-size: 1.4rem; } h2 { font-size: 1.1rem; margin: 0 0 .5rem; } h2 small { font-weight: normal; color: var(--pale); }
#graph { overflow: auto; max-height: 60vh; border: 1px solid var(--line); border-radius: 6px; padding: .5rem; }
#graph svg { display: block; margin: auto; }
#graph text { fill: var(--ink); }
#graph a { text-decoration: none; } #graph a:hover text { fill: var(--link); }
#graph [stroke=black] { stroke: var(--ink); } #graph [fill=black] { fill: var(--ink); }
#graph [fill=white] { fill: var(--page); }
section { background: var(--box); border: 1px solid var(--line); border-radius: 6px; padding: .8rem 1rem; margin: .8rem 0; }
section:target { border-color: var(--link); }
main:has(section:target) section:not(:target) { display: none; }
main:not(:has(section:target)) .all { display: none; }
dl { display: grid; grid-template-columns: 9rem 1fr; gap: .25rem 1rem; margin: 0; }
dt { color: var(--pale); } dd { margin: 0; overflow-wrap: anywhere; }
dt.warn, dd.warn { color: var(--warn); }
table { border-collapse: collapse; width: 100%; } td, th { text-align: left; padding: .15rem .6rem .15rem 0; }
td.number, th.number { text-align: right; font-variant-numeric: tabular-nums; }
td.bar { width: 30%; } td.bar div { background: var(--bar); height: .8em; border-radius: 2px; }
.note { color: var(--pale); font-size: .9em; }
code { font-family: ui-monospace, monospace; font-size: .92em; overflow-wrap: anywhere; }
@media (max-width: 40rem) { dl { grid-template-columns: 1fr; } dd { margin-left: 1rem; } }
)css";

std::string listed(const std::vector<Row>& rows) {
  std::string html = "<dl>\n";
  for (const Row& row : rows) {
    const std::string_view kind = row.label.starts_with("takes packets") ? " class=\"warn\"" : "";
    html += fmt::format("<dt{}>{}</dt><dd{}>", kind, escaped(row.label), kind);
    for (std::size_t i = 0; i < row.lines.size(); ++i) html += (i > 0 ? "<br>" : "") + escaped(row.lines[i]);
    html += "</dd>\n";
  }
  return html + "</dl>\n";
}

std::string table(const Explanation& explanation) {
  double most = 1;
  for (const Explanation::Element& element : explanation.elements) most = std::max(most, element.cycles);
  std::string html =
      "<table>\n<tr><th>element</th><th>class</th><th class=\"number\">code, bytes</th>"
      "<th class=\"number\">state, bytes</th><th class=\"number\">cycles, estimated</th><th></th></tr>\n";
  for (std::size_t i = 0; i < explanation.elements.size(); ++i) {
    const Explanation::Element& element = explanation.elements[i];
    html += fmt::format(
        "<tr><td><a href=\"#e{}\">{}</a></td><td>{}</td><td class=\"number\">{}</td><td class=\"number\">{}</td>"
        "<td class=\"number\">{:.1f}</td><td class=\"bar\"><div style=\"width:{:.0f}%\"></div></td></tr>\n",
        i, escaped(element.name), escaped(element.class_name), element.code_bytes(), element.state_bytes(),
        element.cycles, 100 * element.cycles / most);
  }
  return html + "</table>\n";
}

}  // namespace

std::string explanation_html(const Explanation& explanation, const std::string& title, const std::string& svg) {
  std::string html = fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n"
      "<meta name=\"viewport\" content=\"width=device-width\">\n<title>{0}, explained</title>\n<style>{1}</style>\n"
      "</head>\n<body>\n<h1>What the mill made of {0}</h1>\n<div id=\"graph\">\n",
      escaped(title), kStyle);
  html += svg;
  html += "</div>\n<main>\n<p class=\"all\"><a href=\"#all\">Show all elements</a></p>\n";
  html += "<section id=\"program\"><h2>The program</h2>\n" + listed(rows_of_program(explanation)) + "</section>\n";
  html += "<section id=\"elements\"><h2>Elements</h2>\n" + table(explanation) + "<p class=\"note\">" +
          escaped(about_estimates(explanation)) + "</p></section>\n";
  for (std::size_t i = 0; i < explanation.elements.size(); ++i) {
    const Explanation::Element& element = explanation.elements[i];
    html += fmt::format("<section id=\"e{}\"><h2>{} <small>:: {}</small></h2>\n", i, escaped(element.name),
                        escaped(element.class_name));
    if (!element.configuration.empty()) html += "<p><code>" + escaped(element.configuration) + "</code></p>\n";
    html += listed(rows_of(explanation, element)) + "</section>\n";
  }
  for (const Explanation::Region& region : explanation.regions)
    html += "<section><h2>Region: " + escaped(region.name) + "</h2>\n<p class=\"note\"><code>" +
            escaped(region.symbol) + "</code></p>\n" + listed(rows_of(explanation, region)) + "</section>\n";
  return html + "</main>\n</body>\n</html>\n";
}

}  // namespace packetmill::mill
