#include <algorithm>
#include <cstdio>
#include <memory>
#include <string>

#include "cli/command.h"
#include "cli/machine.h"

namespace packetmill::cli {

void add_doctor(CLI::App& app, int& status) {
  CLI::App* command = app.add_subcommand("doctor", "Say what this machine lacks for each kind of port");
  command->footer("Example: packetmill doctor net_af_packet  (exits with 1 if that kind does not work here)");
  auto name = std::make_shared<std::string>();
  command->add_option("KIND", *name, "a kind of port, as `packetmill doctor` lists them");
  command->callback([name, &status] {
    std::vector<PortKind> kinds = examine(Machine::here());
    if (!name->empty()) {
      std::erase_if(kinds,
                    [&](const PortKind& kind) { return std::ranges::find(kind.names, *name) == kind.names.end(); });
      if (kinds.empty()) throw CLI::ValidationError("doctor", "unknown kind of port '" + *name + "'");
      status = kinds.front().usable() ? 0 : 1;
    }
    std::fputs(describe(kinds).c_str(), stdout);
  });
}

}  // namespace packetmill::cli
