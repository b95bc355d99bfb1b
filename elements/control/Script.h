#pragma once

#include <algorithm>
#include <atomic>
#include <memory>
#include <tuple>
#include <utility>

#include "elements/control/script_functions.h"
#include "elements/control/script_machine.h"
#include "runtime/element.h"

namespace packetmill {

namespace script {

/// One function of the language as a handler of the element.
template <std::size_t I>
struct CallFunction {
  ControlPlane::Answer operator()(auto& element, std::string_view text) const {
    ScriptWorld world{element.control_plane(), element.name(), element.context().random()};
    return kScriptFunctions[I].call(kScriptFunctions[I].name, text, world);
  }
};

template <std::size_t... I>
constexpr auto function_handlers(std::index_sequence<I...>) {
  return std::tuple(ReadHandler<CallFunction<I>>{kScriptFunctions[I].name, {}, kScriptFunctions[I].local}...);
}

}  // namespace script

/// Script: runs instructions that set variables, call handlers, wait, and stop the router. Each argument but TYPE is
/// one instruction; they are carried out in order.
///
/// Ports:     normally none; any number with TYPE PACKET.
/// Keywords:  TYPE: when the script runs. ACTIVE (default without ports): once, before the first packet. PASSIVE: when
///            its `run` handler is called. DRIVER: like ACTIVE, and it answers stop requests; see DriverManager. PACKET
///            (default with ports): at each packet, which leaves by the output that the script returns. PROXY: when any
///            handler that a Script does not have is called; $0 is the handler's name, $write whether it was written.
///            SIGNAL SIGNO...: when the program gets one of these signals (INT, TERM, HUP, QUIT, USR1, USR2).
///
/// Handlers are called by
///   read HANDLER [ARGS]       prints the handler's name and value to standard error
///   write HANDLER [ARGS]      $? is then 0, or -1 where it failed
///   print [>FILE] [TEXT]      prints TEXT, or the value of the handler that it begins with; printn: without a newline
///   save HANDLER FILE, append HANDLER FILE
/// variables set by
///   set VAR TEXT, init VAR TEXT (once, at the start), export VAR TEXT (likewise; VAR is then a read handler too)
/// and the order of things by
///   pause [COUNT]             until the `step` handler has been written COUNT times; also wait_step, wait_stop
///   wait TIME                 for that long, or until a step; also wait_time
///   label LABEL, goto LABEL [CONDITION], loop; the labels begin, end, exit, stop and error exist
///   end; exit (a packet is dropped, a signal is not heard again); stop (asks the driver to stop)
///   return [VALUE], error [MESSAGE]
/// setq, initq, exportq, printq, printnq, readq, writeq, returnq and errorq take a layer of quotes off their text.
///
/// In texts, $x is a variable's value and $(HANDLER ARGS) a handler's, or that of a function below. $args, $1, $2, ...
/// and $# are what `run` was given, $input is a packet's input, $$ the process.
///
/// Handlers:  run (read/write): runs the script; the value is what it returns. step (write): passes this many pauses.
///            goto LABEL (write). get VAR, shift [VAR] (read); set VAR TEXT (write). The functions (read with
///            parameters): add sub mul div idiv min max avg count popcount gt_vec mod rem neg abs; eq ne lt le gt ge;
///            not and or nand nor; if in first sprintf random length unquote now readable writable; htons ntohs htonl
///            ntohl; cat catq kill, which a ControlSocket does not offer.
/// Example:   Script(set i 0, label again, print $i, set i $(add $i 1), goto again $(lt $i 5), stop)
/// See also:  DriverManager, ControlSocket
struct Script {
  static constexpr ElementInfo info{.name = "Script", .ports = "-/-", .processing = "ah/ah"};

  struct Parameters {
    ScriptType type;
    List<ScriptInstruction> program;
  };
  struct State {
    std::unique_ptr<ScriptMachine> machine;
    bool started = false;
    bool hears_signals = true;
    std::atomic<unsigned> stop_events{0};  ///< that the script has not been told of
    std::atomic<unsigned> signals{0};      ///< likewise
  };
  static constexpr Scope scope = Scope::shared;  // whoever runs the machine has the router to himself
  static constexpr auto keywords = describe(keyword<&Parameters::type>("TYPE"));
  static constexpr Reason dropped_by_script{0, "dropped_by_script"};
  static constexpr auto drops = describe(dropped_by_script);

  static void configure(Configuration& configuration, Parameters& parameters) {
    const bool ports = configuration.inputs() + configuration.outputs() > 0;
    set_up(configuration, parameters, ports ? ScriptType::packet : ScriptType::active);
  }
  static void set_up(Configuration& configuration, Parameters& parameters, ScriptType::Kind type_by_default) {
    if (parameters.type.kind == ScriptType::unset) parameters.type.kind = type_by_default;
    parameters.program = compile_script(configuration, parameters.type.kind == ScriptType::driver);
  }

  static Refusal check(auto& element) {
    if (element.parameters().type.kind != ScriptType::driver) return {};
    bool& managed = element.template resource<bool>("driver manager");
    return std::exchange(managed, true) ? Refusal("router has more than one driver manager") : Refusal();
  }
  /// Other scripts may call this one's handlers while they start.
  static Refusal initialize(auto& element) {
    const Parameters& p = element.parameters();
    element.state().machine = std::make_unique<ScriptMachine>(p.program, p.type.kind == ScriptType::driver,
                                                              element.name(), element.control_plane());
    return {};
  }
  static Refusal start(auto& element) {
    const Parameters& p = element.parameters();
    State& state = element.state();
    const bool driver = p.type.kind == ScriptType::driver;
    state.machine->initialize();
    element.sleep();
    if (driver)
      element.control_plane().manage_stops([element]() mutable {
        ++element.state().stop_events;
        element.wake();
      });
    for (int number = 1; number < 64; ++number) {
      if ((p.type.signals >> static_cast<unsigned>(number) & 1U) == 0) continue;
      element.control_plane().on_signal(number, [element]() mutable {
        ++element.state().signals;
        element.wake();
      });
    }
    state.started = !driver && p.type.kind != ScriptType::active;
    if (!state.started) element.set_timer(element.now());
    return std::nullopt;
  }

  /// The script starts, or its `wait` is over.
  static void timer(auto& context) {
    carry_out(context, [](State& state) {
      return std::exchange(state.started, true) ? state.machine->wake() : state.machine->run({});
    });
  }

  /// Stop requests and signals come in the middle of somebody's burst; the script hears of them in a turn of its own.
  static bool run(auto& context) {
    context.sleep();
    State& state = context.state();
    for (unsigned n = state.stop_events.exchange(0); n > 0; --n)
      carry_out(context, [](State& s) { return s.machine->stop_event(); });
    for (unsigned n = state.signals.exchange(0); n > 0 && state.hears_signals && !state.machine->blocked(); --n)
      carry_out(context, [](State& s) {
        const ScriptMachine::Result result = s.machine->run({});
        s.hears_signals = result.fate != ScriptMachine::Fate::exited;
        return result;
      });
    return false;
  }

  static Output process(auto& context, In in, auto&) {
    const ScriptMachine::Result result =
        carry_out(context, [&](State& state) { return state.machine->run({.input = in.port}); });
    int port = 0;
    if (result.fate != ScriptMachine::Fate::ended || (result.value && parse(*result.value, port)) || port < 0 ||
        port >= context.outputs())
      return drop(dropped_by_script);
    return to(port);
  }

  static std::optional<OtherHandler> other_handler(auto& element, std::string_view name) {
    const Parameters& p = element.parameters();
    if (p.type.kind == ScriptType::proxy) return OtherHandler{.readable = true, .writable = true};
    const bool exported = std::ranges::any_of(p.program, [name](const ScriptInstruction& instruction) {
      return instruction.operation == ScriptInstruction::exported && instruction.name == name;
    });
    return exported ? std::optional(OtherHandler{}) : std::nullopt;
  }
  static ControlPlane::Answer call_other(auto& element, std::string_view name, bool write, std::string_view text) {
    if (element.parameters().type.kind != ScriptType::proxy)
      return {true, element.state().machine->variable(name).value_or("")};
    return call(element, {.handler = std::string(name), .arguments = std::string(text), .is_write = write});
  }

 private:
  /// Lets `function` run the machine, and sets the timer for what it then waits for. `self` is the element or its
  /// context.
  static ScriptMachine::Result with_machine(auto& self, auto function) {
    ScriptMachine::Result result;
    self.control_plane().exclusive([&] {
      State& state = self.state();
      result = function(state);
      if (const auto time = state.machine->wakes_at())
        self.set_timer(*time);
      else if (state.started)
        self.clear_timer();
    });
    return result;
  }
  /// The same where nobody waits for the result: what goes wrong is said.
  static ScriptMachine::Result carry_out(auto& self, auto function) {
    ScriptMachine::Result result = with_machine(self, function);
    if (result.fate == ScriptMachine::Fate::failed && !result.value.value_or("").empty())
      self.state().machine->complain(*result.value);
    return result;
  }
  static ControlPlane::Answer call(auto& element, const ScriptMachine::Call& call) {
    const ScriptMachine::Result result = with_machine(element, [&](State& state) { return state.machine->run(call); });
    return {result.fate != ScriptMachine::Fate::failed, result.value.value_or("")};
  }

 public:
  static constexpr auto handlers = std::tuple_cat(
      describe(
          read("run", [](auto& element,
                         std::string_view text) { return Script::call(element, {.arguments = std::string(text)}); }),
          write("run",
                [](auto& element, std::string_view text) -> Refusal {
                  const auto answer = Script::call(element, {.arguments = std::string(text), .is_write = true});
                  return answer.ok ? Refusal() : Refusal(answer.text);
                }),
          write("step",
                [](auto& element, std::string_view text) -> Refusal {
                  unsigned count = 1;
                  if (!text.empty())
                    if (auto wrong = parse(text, count)) return wrong;
                  Script::carry_out(element, [&](State& state) { return state.machine->step(count); });
                  return std::nullopt;
                }),
          write("goto",
                [](auto& element, std::string_view text) -> Refusal {
                  Script::carry_out(element, [&](State& state) { return state.machine->jump(text); });
                  return std::nullopt;
                }),
          read("get",
               [](auto& element, std::string_view text) -> ControlPlane::Answer {
                 const auto value = element.state().machine->variable(text);
                 if (!value) return {false, "no variable '" + std::string(text) + "'"};
                 return {true, *value};
               }),
          write("set",
                [](auto& element, std::string_view text) -> Refusal {
                  const std::size_t end = std::min(text.find(' '), text.size());
                  element.state().machine->set_variable(text.substr(0, end),
                                                        std::string(text.substr(std::min(end + 1, text.size()))));
                  return std::nullopt;
                }),
          read("shift",
               [](auto& element, std::string_view text) {
                 return element.state().machine->shift(text.empty() ? "args" : std::string(text));
               })),
      script::function_handlers(std::make_index_sequence<std::size(kScriptFunctions)>()));
};

}  // namespace packetmill
