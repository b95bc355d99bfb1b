#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "elements/control/script_program.h"
#include "runtime/control_plane.h"

namespace packetmill {

/// A Script that runs: its variables, and where it stands. Whoever calls it has the router to himself
/// (ControlPlane::exclusive), so that it needs no locks of its own.
class ScriptMachine {
 public:
  /// What starts a run, beyond starting it.
  struct Call {
    std::string handler = "run";  ///< $0
    std::string arguments = {};   ///< $args, $1, $2, ..., $#
    bool is_write = false;        ///< $write
    int input = 0;                ///< $input
  };
  enum class Fate { blocked, ended, exited, failed };
  struct Result {
    Fate fate = Fate::ended;
    std::optional<std::string> value;  ///< of `return`; what is wrong where it failed
  };

  ScriptMachine(List<ScriptInstruction> program, bool driver, std::string_view name, ControlPlane& control_plane);

  /// The `init` and `export` instructions. To be called once, before anything else.
  void initialize();
  /// Runs from the first instruction until the script ends or blocks.
  Result run(const Call& call);
  /// Runs on from a label.
  Result jump(std::string_view label);
  /// "Advance the instruction pointer past the current blocking instruction", `count` times.
  Result step(unsigned count);
  /// A driver stop event: like a step, but a `wait` that it ends leaves it for the next `pause`.
  Result stop_event();
  /// The time of a `wait` has come.
  Result wake();

  /// Tells the user what is wrong, where no caller wants to know.
  void complain(const std::string& message);

  /// When a `wait` ends, where the script stands at one.
  [[nodiscard]] std::optional<Timestamp> wakes_at() const { return wakes_at_; }
  [[nodiscard]] bool blocked() const { return blocked_; }

  [[nodiscard]] std::optional<std::string> variable(std::string_view name) const;
  void set_variable(std::string_view name, std::string value) { variables_[std::string(name)] = std::move(value); }
  /// Takes the first word off a variable and returns it.
  std::string shift(const std::string& name);

 private:
  Result proceed();
  std::optional<Result> execute(const ScriptInstruction& instruction);
  std::optional<Result> transfer(int target);
  bool passes_pause(const ScriptInstruction& instruction);
  bool passes_wait(const ScriptInstruction& instruction);
  void print(const ScriptInstruction& instruction);
  void write_out(std::string_view file, bool append, const std::string& text);
  std::string expand(std::string_view text, bool unquotes = false);
  /// Calls a read handler; `call` is its name and perhaps arguments. Functions of the language need no element's name.
  ControlPlane::Answer read(std::string_view call);

  static constexpr int kMostJumps = 1000;  ///< without blocking; more are taken for an endless loop
  static constexpr int kDeepest = 64;      ///< runs within runs

  List<ScriptInstruction> program_;
  bool driver_;
  std::string name_;
  ControlPlane& control_plane_;

  std::map<std::string, std::string, std::less<>> variables_;
  std::size_t position_ = 0;
  bool blocked_ = false;
  std::optional<Timestamp> wakes_at_;
  bool awake_ = false;        ///< the time of the present `wait` has come
  unsigned passed_ = 0;       ///< how many steps the present `pause` has had
  unsigned steps_ = 0;        ///< given and not yet taken
  unsigned stop_events_ = 0;  ///< likewise
  int jumps_ = 0;
  int depth_ = 0;
};

}  // namespace packetmill
