#include "cli/command.h"

int main(int argc, char** argv) {
  CLI::App app(
      "PacketMill turns a network function, written as a Click configuration, into a packet-processing program.",
      "packetmill");
  app.require_subcommand(1);
  app.footer("packetmill COMMAND --help tells more of a command.");
  int status = 0;
  packetmill::cli::add_check(app, status);
  packetmill::cli::add_flatten(app, status);
  packetmill::cli::add_graph(app, status);
  CLI11_PARSE(app, argc, argv);
  return status;
}
