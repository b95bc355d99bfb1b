#include "bench/callgrind.h"

#include <map>
#include <sstream>

namespace packetmill::bench {

std::vector<std::string> callgrind(const std::string& file) {
  // Collection is on from the start, and off in the function that puts the ring right. The order matters: an option to
  // toggle turns it off at the start.
  return {"valgrind",
          "--tool=callgrind",
          "--cache-sim=yes",
          "--LL=33554432,16,64",  // a server's 32 MB, whatever this machine has or says that it has
          "--toggle-collect=*FromMemory::turn*",
          "--collect-atstart=yes",
          "--callgrind-out-file=" + file};
}

std::optional<Counts> parse_callgrind(const std::string& text) {
  std::istringstream lines(text);
  std::vector<std::string> names;
  std::map<std::string, double> counts;
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string word;
    words >> word;
    if (word == "events:")
      while (words >> word) names.push_back(word);
    if (word == "totals:")
      for (const std::string& name : names) words >> counts[name];
  }
  if (!counts.contains("Ir") || !counts.contains("ILmr")) return std::nullopt;
  return Counts{counts["Ir"], counts["I1mr"] + counts["D1mr"] + counts["D1mw"],
                counts["ILmr"] + counts["DLmr"] + counts["DLmw"]};
}

Counts per_packet(const Counts& whole, const Counts& start, std::uint64_t packets) {
  const auto n = static_cast<double>(packets);
  return {(whole.instructions - start.instructions) / n, (whole.l1_misses - start.l1_misses) / n,
          (whole.ll_misses - start.ll_misses) / n};
}

}  // namespace packetmill::bench
