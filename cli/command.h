#pragma once

#include <CLI/CLI.hpp>

namespace packetmill::cli {

// Each function, in the file of its command's name, adds a sub-command. When it has been chosen and has run, `status`
// is what the program exits with: 0, or 1 on errors.

void add_bench(CLI::App& app, int& status);
void add_build(CLI::App& app, int& status);
void add_check(CLI::App& app, int& status);
void add_doctor(CLI::App& app, int& status);
void add_elements(CLI::App& app, int& status);
void add_explain(CLI::App& app, int& status);
void add_flatten(CLI::App& app, int& status);
void add_graph(CLI::App& app, int& status);
void add_latency(CLI::App& app, int& status);
void add_traffic(CLI::App& app, int& status);
void add_verify(CLI::App& app, int& status);
/// `as_click`: the program was called by the name of Click's driver, and speaks its words.
void add_run(CLI::App& app, int& status, bool as_click);

}  // namespace packetmill::cli
