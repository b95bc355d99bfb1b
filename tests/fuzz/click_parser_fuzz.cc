// libFuzzer: no bytes make the front-end or the passes behind it crash or hang, and what is accepted survives
// flattening. Built with -DPACKETMILL_FUZZ=ON; tests/errors and examples make a good corpus.

#include <cstdint>
#include <cstdlib>
#include <string>

#include "cli/report.h"
#include "frontends/click/click.h"
#include "graph/passes/push_pull.h"
#include "graph/print/flatten.h"
#include "tests/support/element_classes.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace packetmill;
  const std::string text(reinterpret_cast<const char*>(data), size);
  if (text.find("library") != std::string::npos) return 0;  // reads files
  const test::SomeElementClasses classes;
  Diagnostics diagnostics;
  const Graph graph = parse_click({{"config", text}}, {}, classes, diagnostics);
  resolve_push_pull(graph, classes, diagnostics);
  cli::report(diagnostics);
  if (diagnostics.errors() > 0) return 0;
  const std::string flat = flatten(graph);
  if (flatten(parse_click({{"config", flat}}, {}, classes, diagnostics)) != flat || diagnostics.errors() > 0)
    std::abort();
  return 0;
}
