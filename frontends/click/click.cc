#include "frontends/click/click.h"

#include <algorithm>
#include <iterator>
#include <set>

#include "frontends/click/elaborate.h"
#include "frontends/click/parser.h"

namespace packetmill {

Graph parse_click(const std::vector<Source>& sources, const std::map<std::string, std::string>& variables,
                  const ElementClasses& classes, Diagnostics& diagnostics) {
  click::ast::Statements statements;
  std::set<std::string> libraries;
  for (const Source& source : sources) {
    diagnostics.add_source(source.file, source.text);
    click::ast::Statements parsed = click::Parser(source, libraries, diagnostics).parse();
    std::ranges::move(parsed, std::back_inserter(statements));
  }
  return click::elaborate(statements, variables, classes, diagnostics);
}

}  // namespace packetmill
