#include "frontends/click/click.h"

#include <algorithm>
#include <iterator>
#include <set>

#include "frontends/click/elaborate.h"
#include "frontends/click/parser.h"

namespace packetmill {

Graph parse_click(const std::vector<Source>& sources, const std::map<std::string, std::string>& variables,
                  const ElementClasses& classes, Diagnostics& diagnostics) {
  const int errors_before = diagnostics.errors();
  click::ast::Statements statements;
  std::set<std::string> libraries;
  for (const Source& source : sources) {
    diagnostics.add_source(source.file, source.text);
    std::ranges::move(click::Parser(source, libraries, diagnostics).parse(), std::back_inserter(statements));
  }
  const bool parsed = diagnostics.errors() == errors_before;
  Graph graph = click::elaborate(statements, variables, classes, diagnostics);
  graph.complete &= parsed;
  return graph;
}

}  // namespace packetmill
