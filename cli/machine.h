#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace packetmill::cli {

/// What is known of the machine. Tests bring a directory and a user of their own.
struct Machine {
  std::filesystem::path root = "/";
  bool superuser = false;  ///< may do anything, or has the capability in question
  std::vector<std::string>
      capabilities;  ///< effective ones, as capabilities(7) writes them in lower case: "cap_net_raw"

  /// This machine, as this process sees it.
  static Machine here();
};

/// One thing that a kind of port needs.
struct Finding {
  std::string what;  ///< "capability CAP_NET_RAW", "2 MiB hugepages"
  bool ok = false;
  bool needed = true;       ///< false: does without, but faster with it
  std::string detail = {};  ///< what was found: "512 free", "kernel 6.1"; may be empty
  std::string remedy = {};  ///< the command that mends it; empty if ok, or if there is none
};

/// A kind of port and what it needs on this machine.
struct PortKind {
  std::vector<std::string_view> names;  ///< "pcap", "net_af_packet", ...: what `packetmill doctor NAME` asks for
  std::string_view summary;
  std::vector<Finding> findings;

  /// Whether everything is there that it cannot do without.
  [[nodiscard]] bool usable() const;
};

/// Every kind of port, in the order of what it asks of a machine.
[[nodiscard]] std::vector<PortKind> examine(const Machine& machine);

/// The findings as people read them: a line each, and below what is missing the command that mends it.
[[nodiscard]] std::string describe(const std::vector<PortKind>& kinds);

}  // namespace packetmill::cli
