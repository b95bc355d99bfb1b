#include "mill/program_code.h"

#include <cxxabi.h>
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <fstream>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>

#include "mill/process.h"

// Four tools of LLVM each know a part: llvm-readobj the map of basic blocks, which only the generated object has (so
// that what it lists are the functions to look at), llvm-objdump the instructions, llvm-symbolizer where each comes
// from, llvm-nm the data.
namespace packetmill::mill {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

/// The text up to the next `end`, which is taken away with it.
std::string_view take(std::string_view& text, std::string_view end) {
  const std::size_t at = text.find(end);
  const std::string_view taken = text.substr(0, at);
  text.remove_prefix(at == std::string_view::npos ? text.size() : at + end.size());
  return taken;
}

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

template <class T>
std::optional<T> number(std::string_view text, int base) {
  T value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  if (error != std::errc() || end != text.data() + text.size() || text.empty()) return std::nullopt;
  return value;
}

/// A block's successors are given by the compiler's numbers of blocks.
void read_function(const json& map, Function& function) {
  std::vector<std::uint64_t> ids;
  for (const json& range : map.at("BB Ranges"))
    for (const json& entry : range.at("BB Entries")) {
      ids.push_back(entry.at("ID"));
      function.blocks.push_back(
          {.address = range.at("Base Address").get<std::uint64_t>() + entry.at("Offset").get<std::uint64_t>(),
           .bytes = entry.at("Size"),
           .successors = {},
           .instructions = {}});
      function.bytes += function.blocks.back().bytes;
    }
  const json& analyses = map.at("PGO analyses").at("PGO BB entries");
  constexpr double kCertain = 2147483648.0;  // 2^31, as llvm::BranchProbability has it
  double entry = 0;
  for (std::size_t i = 0; i < analyses.size() && i < ids.size(); ++i) {
    Block& block = function.blocks[i];
    block.frequency = analyses[i].at("Frequency").get<double>();
    if (i == 0) entry = std::max(block.frequency, 1.0);
    block.frequency /= entry;
    for (const json& successor : analyses[i].at("Successors")) {
      const auto found = std::ranges::find(ids, successor.at("ID").get<std::uint64_t>());
      if (found != ids.end())
        block.successors.emplace_back(found - ids.begin(), successor.at("Probability").get<double>() / kCertain);
    }
  }
}

/// "  19c42d:  jmp 0x19c44f <name+0x7f>  # what is there": what a block has of them.
void read_instructions(std::string_view disassembly, const std::map<std::uint64_t, Block*>& blocks) {
  Instruction* last = nullptr;
  Block* block = nullptr;
  while (!disassembly.empty()) {
    std::string_view line = take(disassembly, "\n");
    if (!line.starts_with(' ')) continue;
    const auto address = number<std::uint64_t>(trimmed(take(line, ":")), 16);
    if (!address) continue;
    if (const auto begin = blocks.find(*address); begin != blocks.end()) {
      block = begin->second;
      last = nullptr;
    }
    if (block == nullptr || *address >= block->address + block->bytes) continue;
    if (last != nullptr) last->bytes = *address - last->address;
    const std::string_view text = trimmed(line.substr(0, line.find_first_of("<#")));
    block->instructions.push_back(
        {.address = *address, .bytes = block->address + block->bytes - *address, .text = text, .frames = {}});
    last = &block->instructions.back();
  }
}

/// A paragraph for each address that was asked for, two lines a frame: the function, and file:line:column.
void read_frames(std::string_view paragraphs, std::vector<Function>& functions) {
  for (Function& function : functions)
    for (Block& block : function.blocks)
      for (Instruction& instruction : block.instructions) {
        std::string_view paragraph = take(paragraphs, "\n\n");
        while (!paragraph.empty()) {
          Frame frame;
          frame.function = take(paragraph, "\n");
          std::string_view place = take(paragraph, "\n");
          const std::size_t column = place.rfind(':');
          const std::size_t line = place.rfind(':', column - 1);
          if (column == std::string_view::npos || line == std::string_view::npos) break;
          frame.line = number<int>(place.substr(line + 1, column - line - 1), 10).value_or(0);
          frame.file = place.substr(0, line);
          instruction.frames.push_back(frame);
        }
      }
}

/// "name type value size", a line each.
std::vector<DataSymbol> read_symbols(std::string_view list) {
  std::vector<DataSymbol> data;
  while (!list.empty()) {
    std::string_view line = take(list, "\n");
    const std::string_view name = take(line, " ");
    const std::string_view kind = take(line, " ");
    take(line, " ");
    const auto bytes = number<std::uint64_t>(trimmed(line), 16);
    if (bytes && kind.find_first_of("bBdDrR") == 0 && name.find("6milled12_GLOBAL__N_1") != std::string_view::npos)
      data.push_back({.name = demangled(std::string(name)), .bytes = *bytes, .section = kind[0]});
  }
  return data;
}

}  // namespace

std::string demangled(const std::string& symbol) {
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> name(abi::__cxa_demangle(symbol.c_str(), nullptr, nullptr, &status),
                                                         std::free);
  return status == 0 ? name.get() : symbol;
}

std::optional<std::string> read_program(const fs::path& program, ProgramCode& code) {
  const std::string path = program.string();
  if (auto wrong = run_program({"llvm-readobj-19", "--elf-output-style=JSON", "--bb-addr-map", path}, path + ".blocks"))
    return wrong;
  const json maps = json::parse(text_of(path + ".blocks"), nullptr, false);
  if (!maps.is_array() || maps.empty()) return "llvm-readobj-19 has no map of the program's blocks";
  for (const json& map : maps[0].at("BBAddrMap")) {
    const json& about = map.at("Function");
    Function function{.name = demangled(about.at("Name")), .blocks = {}};
    read_function(about, function);
    if (function.bytes > 0) code.functions.push_back(std::move(function));
  }
  if (code.functions.empty()) return "the program has no map of its blocks";

  std::map<std::uint64_t, Block*> blocks;
  std::uint64_t end = 0;
  for (Function& function : code.functions)
    for (Block& block : function.blocks) {
      if (block.bytes > 0) blocks.emplace(block.address, &block);
      end = std::max(end, block.address + block.bytes);
    }
  if (auto wrong = run_program(
          {"llvm-objdump-19", "-d", "--no-show-raw-insn", fmt::format("--start-address={}", blocks.begin()->first),
           fmt::format("--stop-address={}", end), path},
          path + ".disassembly"))
    return wrong;
  code.disassembly_ = text_of(path + ".disassembly");
  read_instructions(code.disassembly_, blocks);

  std::string addresses;
  for (const Function& function : code.functions)
    for (const Block& block : function.blocks)
      for (const Instruction& instruction : block.instructions)
        addresses += fmt::format("{:#x}\n", instruction.address);
  std::ofstream(path + ".addresses") << addresses;
  if (auto wrong = run_program({"llvm-symbolizer-19", "--obj=" + path}, path + ".frames", path + ".addresses"))
    return wrong;
  code.frames_ = text_of(path + ".frames");
  read_frames(code.frames_, code.functions);

  if (auto wrong = run_program({"llvm-nm-19", "--format=posix", path}, path + ".symbols")) return wrong;
  code.data = read_symbols(text_of(path + ".symbols"));
  return std::nullopt;
}

}  // namespace packetmill::mill
