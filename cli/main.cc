#include "cli/command.h"

int main(int argc, char** argv) {
  CLI::App app(
      "PacketMill turns a network function, written as a Click configuration, into a packet-processing program.",
      "packetmill");
  app.require_subcommand(1);
  app.footer("packetmill COMMAND --help tells more of a command.");
  int status = 0;
  packetmill::cli::add_check(app, status);
  packetmill::cli::add_doctor(app, status);
  packetmill::cli::add_flatten(app, status);
  packetmill::cli::add_graph(app, status);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 1;
  }
  return status;
}
