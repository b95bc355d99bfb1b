#include "verify/verify.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/wait.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <iterator>
#include <set>
#include <sstream>
#include <vector>

#include "ports/pcap/FromDump.h"
#include "ports/pcap/dump_file.h"
#include "runtime/arguments/split.h"
#include "verify/control.h"
#include "verify/frames.h"
#include "verify/shrink.h"

namespace packetmill::verify {
namespace {

namespace fs = std::filesystem;

constexpr std::int64_t kStart = 1'000'000'000'000;  ///< nanoseconds: kRunOptions' 1000 seconds

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

/// The texts of the elements that an element is connected with, however far: where the addresses of its packets are.
std::vector<std::string> surroundings(const Graph& graph) {
  const std::vector<int> part = parts_of(graph);
  std::vector<std::string> texts(graph.elements.size());
  for (std::size_t i = 0; i < part.size(); ++i)
    texts[static_cast<std::size_t>(part[i])] += graph.elements[i].configuration + "\n";
  std::vector<std::string> result;
  result.reserve(part.size());
  for (const int p : part) result.push_back(texts[static_cast<std::size_t>(p)]);
  return result;
}

/// Writes frames; until when.
std::int64_t write_trace(const fs::path& file, Frames frames, std::uint32_t packets) {
  std::string wrong;
  const auto trace = pcap::DumpWriter::open(file, {1, 65535, true, false}, wrong);
  std::int64_t now = kStart;
  for (std::uint32_t i = 0; trace && i < packets; ++i) {
    // Mostly close together; sometimes long enough for timers.
    now += frames.below(200) == 0 ? 50'000'000LL * (1 + frames.below(100)) : 1000LL * (1 + frames.below(20));
    const auto frame = frames.next();
    const auto length = static_cast<std::uint32_t>(frame.size());
    (void)trace->write({frame.data(), length, length, Timestamp{now}});
  }
  return now;
}

}  // namespace

Graph under_test(const Graph& graph, const engine::Router& outline, const Options& options, const fs::path& directory) {
  Graph result = graph;
  const auto is_one_of = [&](std::size_t element, std::initializer_list<std::string_view> kinds) {
    return std::ranges::find(kinds, outline.nodes()[element]->element_class->name) != kinds.end();
  };
  const auto receives = [&](std::size_t i) { return is_one_of(i, {"FromDPDKDevice", "FromDump", "FromMemory"}); };
  std::uint32_t inputs = 0;
  for (std::size_t i = 0; i < graph.elements.size(); ++i) inputs += receives(i) ? 1 : 0;
  const std::vector<std::string> texts = surroundings(graph);
  int traces = 0;
  int outputs = 0;
  std::int64_t end = kStart;
  for (std::size_t i = 0; i < graph.elements.size(); ++i) {
    Graph::Element& element = result.elements[i];
    const engine::Node& node = *outline.nodes()[i];
    if (receives(i)) {
      const std::string name = fmt::format("in{}.pcap", traces++);
      const bool force_ip = node.element_class->name == "FromDump" &&
                            static_cast<const FromDump::Parameters*>(node.parameters())->force_ip;
      end = std::max(end, write_trace(directory / name, Frames(seed_of(options.seed, element.name), texts[i]),
                                      (options.packets + inputs - 1) / inputs));
      element.class_name = "FromDump";
      element.configuration = fmt::format("../{}, TIMING true{}", name, force_ip ? ", FORCE_IP true" : "");
    } else if (is_one_of(i, {"ToDPDKDevice", "ToDump", "ToMemory"})) {
      element.class_name = "ToDump";
      element.configuration = fmt::format("out{}.pcap, SNAPLEN 65535, NANO true", outputs++);
      for (Graph::Connection& connection : result.connections)
        if (connection.to.element == static_cast<int>(i)) connection.to.port = 0;
    } else if (element.class_name == "ToIPSummaryDump") {
      // Its file is its first argument: every element writes one of its own.
      std::vector<std::string> arguments = split_arguments(element.configuration);
      arguments.front() = fmt::format("out{}.summary", outputs++);
      element.configuration = fmt::format("{}", fmt::join(arguments, ", "));
    }
  }
  result.elements.push_back(
      {"packetmill_verify", "Script", control_script(outline, options.seed, Duration{end - kStart}), {}, {}});
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
    if (name.extension() == ".summary")
      if (auto found = first_line(file_text(oracle / name), file_text(milled / name)))
        return name.string() + ": " + *found;
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
