#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace packetmill::mill {

/// Where an instruction comes from: a function of the source, and the line in it.
struct Frame {
  std::string_view function;  ///< as C++ writes it, with template arguments
  std::string_view file;
  int line = 0;
};

struct Instruction {
  std::uint64_t address = 0;
  std::uint64_t bytes = 0;
  std::string_view text;      ///< as an assembler reads it again
  std::vector<Frame> frames;  ///< the function that it stands in last, those inlined into that before, innermost first
};

struct Block {
  std::uint64_t address = 0;
  std::uint64_t bytes = 0;
  double frequency = 0;  ///< how often the compiler thinks that it runs, its function's entry being 1
  std::vector<std::pair<std::size_t, double>> successors;  ///< blocks of the function, with their probabilities
  std::vector<Instruction> instructions;
};

struct Function {
  std::string name;  ///< demangled
  std::vector<Block> blocks;
  std::uint64_t bytes = 0;
};

/// Something that lies in memory under a name of its own.
struct DataSymbol {
  std::string name;  ///< demangled
  std::uint64_t bytes = 0;
  char section = '?';  ///< as nm has it: b (zeroes at start), d (data), r (read only), either case
};

/// What the generated source has become in a program: its functions (and those of templates that it uses), and every
/// name for data.
class ProgramCode {
 public:
  std::vector<Function> functions;
  std::vector<DataSymbol> data;

 private:
  friend std::optional<std::string> read_program(const std::filesystem::path&, ProgramCode&);
  std::string disassembly_;  ///< that all the views look into
  std::string frames_;
};

/// Reads a program whose object is by compile_ir (mill/toolchain.h), with the tools of LLVM; these leave files beside
/// it. What is wrong, where that does not work.
[[nodiscard]] std::optional<std::string> read_program(const std::filesystem::path& program, ProgramCode& code);

/// A symbol's name as C++ writes it.
[[nodiscard]] std::string demangled(const std::string& symbol);

}  // namespace packetmill::mill
