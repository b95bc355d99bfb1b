#include "verify/verify.h"

#include <fmt/format.h>
#include <sys/wait.h>

#include <array>
#include <cstring>
#include <fstream>
#include <iterator>
#include <set>
#include <sstream>
#include <vector>

#include "ports/pcap/FromDump.h"
#include "ports/pcap/dump_file.h"
#include "verify/frames.h"

namespace packetmill::verify {
namespace {

namespace fs = std::filesystem;

constexpr std::int64_t kStart = 1'000'000'000'000;  ///< nanoseconds: kRunOptions' 1000 seconds

/// What may be written while packets pass; `%` stands for a number from 0 to 3.
struct Write {
  std::string_view handler;
  std::string_view value;
};
constexpr std::array<Write, 16> kWrites = {{
    {"active", "false"},
    {"active", "true"},
    {"active", "true"},
    {"switch", "%"},
    {"color", "%"},
    {"reset", ""},
    {"reset_counts", ""},
    {"clear", ""},
    {"capacity", "1%"},
    {"insert", "10.0.0.% 00:00:00:00:00:0%"},
    {"add", "10.%.0.0/16 %"},
    {"set", "10.%.0.0/16 0"},
    {"remove", "10.%.0.0/16"},
    {"pattern0", "tcp or icmp type echo"},
    {"pattern0", "dst port < 1030"},
    {"rate", "100%"},
}};

/// Handlers whose values say how a router runs and not what it does.
bool exempt(std::string_view handler) {
  const std::string_view name = handler.substr(handler.rfind('.') + 1);
  static const std::set<std::string_view> names = {"cycles",      "calls",   "scheduled",
                                                   "home_thread", "filepos", "packet_filepos"};
  return names.contains(name);
}

std::string file_text(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// What was printed, without the values of exempt handlers: "name:", the value, an empty line.
std::string without_exempt(const std::string& printed) {
  std::istringstream lines(printed);
  std::string kept;
  bool skipping = false;
  for (std::string line; std::getline(lines, line);) {
    if (line.ends_with(':') && line.find('.') != std::string::npos)
      skipping = exempt(std::string_view(line).substr(0, line.size() - 1));
    if (!skipping) kept += line + "\n";
  }
  return kept;
}

/// What was said of errors, without the name that the interpreter puts before.
std::string without_name(std::string said) {
  constexpr std::string_view kName = "packetmill run: error: ";
  for (std::size_t at = said.find(kName); at != std::string::npos; at = said.find(kName, at))
    said.erase(at, kName.size());
  return said;
}

/// The first line that is not the same.
std::optional<std::string> first_line(const std::string& oracle, const std::string& milled) {
  std::istringstream expected(oracle);
  std::istringstream found(milled);
  std::string heading;
  for (int number = 1;; ++number) {
    std::string a;
    std::string b;
    const bool more_a = static_cast<bool>(std::getline(expected, a));
    const bool more_b = static_cast<bool>(std::getline(found, b));
    if (!more_a && !more_b) return std::nullopt;
    if (a.ends_with(':')) heading = " (" + a.substr(0, a.size() - 1) + ")";
    if (a != b || more_a != more_b)
      return fmt::format("line {}{} of what they print: the interpreter has\n  {}\nand the milled program\n  {}",
                         number, heading, a, b);
  }
}

std::string control_script(const engine::Router& outline, Frames& frames, std::int64_t span) {
  std::vector<std::string> instructions;
  std::int64_t at = 0;
  std::vector<std::pair<std::string, Write>> known;
  for (const auto& node : outline.nodes())
    for (const HandlerInfo& handler : engine::Registry::instance().factory(node->element_class->name)->handlers)
      for (const Write& write : kWrites)
        if (handler.writable && handler.name == write.handler) known.emplace_back(node->name, write);
  constexpr std::uint32_t kMost = 40;
  for (std::uint32_t i = 0; i < kMost && !known.empty(); ++i) {
    const auto& [element, write] = known[frames.below(static_cast<std::uint32_t>(known.size()))];
    const std::int64_t step = span / kMost / 1000;
    instructions.push_back(fmt::format("wait {}us", step + 1));
    at += (step + 1) * 1000;
    std::string value(write.value);
    for (char& c : value)
      if (c == '%') c = static_cast<char>('0' + frames.below(4));
    instructions.push_back(fmt::format("write {}.{} {}", element, write.handler, value));
  }
  instructions.push_back(fmt::format("wait {}us", (span - at) / 1000 + 20'000'000));
  instructions.emplace_back("stop");
  return fmt::format("{}", fmt::join(instructions, ", "));
}

}  // namespace

Graph under_test(const Graph& graph, const engine::Router& outline, const Options& options, const fs::path& directory) {
  Graph result = graph;
  std::string text;
  for (const Graph::Element& element : graph.elements) text += element.configuration + "\n";
  Frames frames(options.seed, text);
  std::vector<std::unique_ptr<pcap::DumpWriter>> traces;
  std::string wrong;
  int outputs = 0;
  for (std::size_t i = 0; i < graph.elements.size(); ++i) {
    Graph::Element& element = result.elements[i];
    const engine::Node& node = *outline.nodes()[i];
    const std::string_view kind = node.element_class->name;
    if (kind == "FromDPDKDevice" || kind == "FromDump" || kind == "FromMemory") {
      const std::string name = fmt::format("in{}.pcap", traces.size());
      traces.push_back(pcap::DumpWriter::open(directory / name, {1, 65535, true, false}, wrong));
      const bool force_ip = kind == "FromDump" && static_cast<const FromDump::Parameters*>(node.parameters())->force_ip;
      element.class_name = "FromDump";
      element.configuration = fmt::format("../{}, TIMING true{}", name, force_ip ? ", FORCE_IP true" : "");
    } else if (kind == "ToDPDKDevice" || kind == "ToDump" || kind == "ToMemory") {
      element.class_name = "ToDump";
      element.configuration = fmt::format("out{}.pcap, SNAPLEN 65535, NANO true", outputs++);
      for (Graph::Connection& connection : result.connections)
        if (connection.to.element == static_cast<int>(i)) connection.to.port = 0;
    }
  }
  std::int64_t now = kStart;
  for (std::uint32_t i = 0; i < options.packets && !traces.empty(); ++i) {
    // Mostly close together; sometimes long enough for timers.
    now += frames.below(200) == 0 ? 50'000'000LL * (1 + frames.below(100)) : 1000LL * (1 + frames.below(20));
    const auto frame = frames.next();
    const auto length = static_cast<std::uint32_t>(frame.size());
    (void)traces[frames.below(static_cast<std::uint32_t>(traces.size()))]->write(
        {frame.data(), length, length, Timestamp{now}});
  }
  result.elements.push_back({"packetmill_verify", "Script", control_script(outline, frames, now - kStart), {}, {}});
  return result;
}

std::optional<std::string> run_in(const fs::path& directory, const std::string& command) {
  constexpr int kSeconds = 120;
  fs::create_directories(directory);
  const int status = std::system(
      fmt::format("cd '{}' && timeout {} {} > printed 2> errors", directory.string(), kSeconds, command).c_str());
  if (WIFEXITED(status) && WEXITSTATUS(status) <= 1) return std::nullopt;
  if (WIFEXITED(status) && WEXITSTATUS(status) == 124)
    return fmt::format("it did not come to an end within {} seconds", kSeconds);
  return fmt::format("it ended with status {}\n{}", WEXITSTATUS(status), file_text(directory / "errors"));
}

std::optional<std::string> difference(const fs::path& oracle, const fs::path& milled) {
  if (auto found =
          first_line(without_exempt(file_text(oracle / "printed")), without_exempt(file_text(milled / "printed"))))
    return found;
  if (auto found = first_line(without_name(file_text(oracle / "errors")), without_name(file_text(milled / "errors"))))
    return found;
  for (const auto& entry : fs::directory_iterator(oracle)) {
    const fs::path name = entry.path().filename();
    if (name.extension() != ".pcap") continue;
    std::string wrong;
    const auto a = pcap::DumpReader::open(oracle / name, wrong);
    const auto b = pcap::DumpReader::open(milled / name, wrong);
    if (!a || !b) return name.string() + ": " + wrong;
    for (int number = 1;; ++number) {
      const auto x = a->next(wrong);
      const auto y = b->next(wrong);
      if (!x && !y) break;
      if (!x || !y || x->captured != y->captured || x->time != y->time ||
          std::memcmp(x->data, y->data, x->captured) != 0)
        return fmt::format("{}: packet {} differs", name.string(), number);
    }
  }
  return std::nullopt;
}

}  // namespace packetmill::verify
