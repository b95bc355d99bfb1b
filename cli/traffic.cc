#include "bench/traffic.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <memory>

#include "cli/command.h"
#include "ports/pcap/dump_file.h"
#include "runtime/values/parse.h"

// A trace of made-up traffic.
namespace packetmill::cli {
namespace {

struct Options {
  bench::TrafficOptions traffic;
  std::string output;
  std::string size = "64";
  std::string prefixes;
};

int fail(const std::string& what) {
  fmt::print(stderr, "packetmill traffic: error: {}\n", what);
  return 1;
}

/// The first word of each line, which may be a routing table.
std::optional<std::string> read_prefixes(const std::string& name, std::vector<IPv4Prefix>& prefixes) {
  std::ifstream file(name);
  if (!file) return name + ": cannot be read";
  std::string line;
  for (int number = 1; std::getline(file, line); ++number) {
    const std::string word = line.substr(0, line.find_first_of(" \t,\r"));
    if (word.empty() || word[0] == '#') continue;
    if (const auto wrong = parse(word, prefixes.emplace_back()))
      return fmt::format("{}:{}: {}: an IPv4 prefix is expected", name, number, word);
  }
  if (prefixes.empty()) return name + ": no prefixes";
  return std::nullopt;
}

int traffic(Options& options) {
  if (options.size == "campus") {
    options.traffic.size.reset();
  } else {
    std::uint32_t size = 0;
    if (parse(options.size, size) || size < 64 || size > 1518) return fail("--size is 64 to 1518, or campus");
    options.traffic.size = size;
  }
  if (options.traffic.tcp + options.traffic.icmp > 1) return fail("--tcp and --icmp are more than all packets");
  if (!options.prefixes.empty())
    if (const auto wrong = read_prefixes(options.prefixes, options.traffic.destinations)) return fail(*wrong);
  std::string wrong;
  const auto writer = pcap::DumpWriter::open(options.output, {1, 65535, false, false}, wrong);
  if (!writer) return fail(wrong);
  bench::Traffic source(options.traffic);
  for (std::uint64_t i = 0; i < options.traffic.packets; ++i) {
    const auto& frame = source.next();
    const auto length = static_cast<std::uint32_t>(frame.size());
    if (!writer->write({frame.data(), length, length, Timestamp{static_cast<std::int64_t>(i) * 1000}}))
      return fail(options.output + ": cannot be written");
  }
  return writer->flush() ? 0 : fail(options.output + ": cannot be written");
}

}  // namespace

void add_traffic(CLI::App& app, int& status) {
  CLI::App* command = app.add_subcommand("traffic", "Make a trace of packets, the same for the same seed");
  command->footer(
      "Examples: packetmill traffic -o in.pcap --seed 1 --packets 100000\n"
      "          packetmill traffic -o in.pcap --size campus --flows 1000000 --zipf 1.1 --tcp 0.8 --prefixes "
      "table.txt");
  auto options = std::make_shared<Options>();
  command->add_option("-o,--output", options->output, "the pcap file; - is standard output")->required();
  command->add_option("--seed", options->traffic.seed, "of everything random")->capture_default_str();
  command->add_option("--packets", options->traffic.packets, "how many")->capture_default_str();
  command
      ->add_option(
          "--size", options->size,
          "bytes of a frame, with its check sequence (which a trace does not hold); campus: 64 to 1500, 981 in "
          "the mean")
      ->capture_default_str();
  command->add_option("--flows", options->traffic.flows, "how many flows")
      ->check(CLI::Range(1U, 100'000'000U))
      ->capture_default_str();
  command->add_option("--zipf", options->traffic.zipf, "exponent of the flows' popularity; 0: all alike")
      ->check(CLI::Range(0.0, 10.0))
      ->capture_default_str();
  command->add_option("--tcp", options->traffic.tcp, "share of the flows that is TCP")->check(CLI::Range(0.0, 1.0));
  command->add_option("--icmp", options->traffic.icmp, "share that is ICMP; the rest is UDP")
      ->check(CLI::Range(0.0, 1.0));
  command->add_option("--prefixes", options->prefixes, "a file of prefixes, one a line: where packets go");
  command->callback([options, &status] { status = traffic(*options); });
}

}  // namespace packetmill::cli
