#include "mill/emit.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "ir/literal.h"
#include "mill/hooks.h"
#include "mill/untouched.h"
#include "mill/walks.h"

// The generated program, from top to bottom: the metadata of its packets; where packets may enter; one struct for each
// element; the walk of a packet through the graph, one section for each element; what tasks and timers run; the
// configuration as data; main.
//
// Why a walk is what the interpreter does at a batch of one: both take a packet from element to element, depth first,
// in the order in which elements give packets out. A section is the element's own `process`; where it goes next is a
// goto instead of a call, and joins are labels. What a section emits besides (a query, an error message) walks its way
// before the section goes on, in `enter`.
namespace packetmill::mill {
namespace {

class Emitter {
 public:
  Emitter(const Graph& graph, const Network& network, const Plan& plan)
      : graph_(graph),
        network_(network),
        plan_(plan),
        walks_(walks_of(network)),
        untouched_(untouched(network)),
        registers_(plan.loops == Loops::fused && plan.metadata == MetadataModel::registers &&
                   why_not_registers(network).empty()) {}

  std::string whole() {
    head();
    if (interpreted()) {
      program();
      return std::move(text_);
    }
    how();
    if (fused()) entries();
    for (const Site& site : network_.sites) element(site);
    if (fused()) {
      for (const int number : walks_.numbers) walk(number);
      each(&Emitter::emission);
    } else {
      each(&Emitter::forwarding);
    }
    each(&Emitter::pulling);
    each(&Emitter::drivers);
    program();
    return std::move(text_);
  }

 private:
  template <class... T>
  void line(fmt::format_string<T...> format, T&&... arguments) {
    text_ += fmt::format(format, std::forward<T>(arguments)...) + "\n";
  }

  /// Writes for each element that packets come to.
  void each(void (Emitter::*write)(const Site&)) {
    for (const Site& site : network_.sites)
      if (site.on_path) (this->*write)(site);
  }

  /// The vanilla plan leaves nothing to mill: it is the interpreter.
  [[nodiscard]] bool interpreted() const {
    return plan_.dispatch == Dispatch::virtual_calls && plan_.parameters == ParameterChoice::runtime &&
           plan_.loops == Loops::vector && plan_.batches == Batches::vector &&
           plan_.metadata == MetadataModel::copying && plan_.observe == Observe::none && plan_.passes.empty();
  }
  [[nodiscard]] bool fused() const { return plan_.loops == Loops::fused; }
  [[nodiscard]] const Site& at(const End& end) const { return network_.sites[static_cast<std::size_t>(end.element)]; }
  static std::string entry(const Site& site, int input) {
    return site.node->input_is_pull.size() > 1 ? fmt::format("{}_in{}", site.id, input) : site.id;
  }
  [[nodiscard]] std::string entry(const End& end) const { return entry(at(end), end.port); }

  /// Where few packets go (engine/registry.h: rare_from). The hot walk does not hold their code.
  [[nodiscard]] bool is_cold(const Site& from, int output) const {
    return from.outputs[static_cast<std::size_t>(output)].element >= 0 && output >= from.factory->rare_from;
  }

  void head() {
    line("// A network function of {} elements, milled by packetmill {}. The plan:", network_.sites.size(),
         engine::kVersion);
    std::string_view rest;
    const std::string plan = to_string(plan_);
    for (rest = plan; !rest.empty(); rest.remove_prefix(rest.find('\n') + 1))
      line("//   {}", rest.substr(0, rest.find('\n')));
    line("#include \"cli/milled.h\"\n#include \"engine/milled.h\"");
    std::set<std::string_view> headers;
    for (const Site& site : network_.sites) headers.insert(site.factory->page.header);
    for (const std::string_view header : headers) line("#include \"{}\"", header);
    line("\nnamespace packetmill::milled {{\nnamespace {{\n\nusing engine::Core;\n");
  }

  /// The plan, as the elements' code sees it.
  void how() {
    std::string fields;
    for (const engine::FieldInfo& field : network_.fields)
      fields += fmt::format("{}{}", fields.empty() ? "" : ", ", field.name);
    if (registers_) {
      line("/// A packet on its way: metadata in registers.\nusing Live = engine::Registers<{}>;", fields);
      line("using Spilled = Live;  ///< as it goes into code that is not inlined\n");
    } else {
      line("/// A packet on its way: metadata in memory.\nusing Live = Packet;\nusing Spilled = Packet&;\n");
    }
    line("using Batch = engine::{};\n", plan_.batches == Batches::list ? "LinkedBatch" : "Batch");
    line("struct How {{\n  using Live = milled::Live;\n  using Batch = milled::Batch;");
    // Copied and overlaid objects are whole ones, as Click's and VPP's are; under X-Change metadata is what is needed.
    if (exchanges(plan_))
      line("  using Touched = Fields<{}>;", fields);
    else
      line("  using Touched = AllFields;");
    line("  static constexpr engine::Loop loop = engine::Loop::{};", fused() ? "fused" : "vector");
    line("  static constexpr int stage = {};", plan_.loops == Loops::staged ? plan_.stage : 0);
    line("  static constexpr bool overlays = {};", overlays());
    line("  static constexpr bool exchanges = {};", exchanges(plan_));
    line("  static constexpr bool asks_nic = {};", plan_.offloads == Offloads::nic);
    line("  static constexpr engine::Home home = engine::Home::{};",
         plan_.dispatch == Dispatch::static_graph ? "program" : "node");
    line("  static constexpr int cores = {};", plan_.cores);
    line("  static constexpr engine::Observe observe = engine::Observe::{};\n}};\n", word_of(plan_.observe));
  }
  /// Where metadata cannot be in registers, nor a port exchange, it lies beside the buffer.
  [[nodiscard]] bool overlays() const { return !registers_ && plan_.metadata != MetadataModel::copying; }
  [[nodiscard]] bool samples(const Site& site) const { return site.starts_walks && plan_.observe == Observe::sampled; }

  [[nodiscard]] std::string at_of(int walk) const {
    return walks_.numbers.size() == 1 ? "At" : "At_" + network_.sites[static_cast<std::size_t>(walk)].id;
  }
  /// "At::frames_2"
  [[nodiscard]] std::string at_entry(const End& end) const {
    return fmt::format("{}::{}", at_of(walks_.of[static_cast<std::size_t>(end.element)]), entry(end));
  }
  void for_each_of(int walk, auto function) const {
    for (std::size_t i = 0; i < network_.sites.size(); ++i)
      if (takes_pushes(network_.sites[i]) && walks_.of[i] == walk) function(network_.sites[i]);
  }

  [[nodiscard]] bool is_joined(const Site& site) const {
    return walks_.joined[static_cast<std::size_t>(&site - network_.sites.data())];
  }
  [[nodiscard]] bool has_joined(int walk) const {
    bool any = false;
    for_each_of(walk, [&](const Site& site) { any |= is_joined(site); });
    return any;
  }

  void entries() {
    for (const int walk : walks_.numbers) {
      line("/// Where packets may enter.\nenum class {} {{", at_of(walk));
      for_each_of(walk, [&](const Site& site) {
        for (std::size_t input = 0; input < site.node->input_is_pull.size(); ++input)
          line("  {},", entry(site, static_cast<int>(input)));
      });
      line("}};\n");
      line("/// The rest of a packet's way, where few go.\nvoid enter(Core& core, {} at, Spilled packet);\n",
           at_of(walk));
      if (has_joined(walk))
        line("/// The rest of a packet's way where many sources lead.\nvoid join(Core& core, {} at, Spilled packet);\n",
             at_of(walk));
    }
  }

  void element(const Site& site) {
    const std::string type(site.factory->type);
    line("// ---- {}{}", site.id, site.on_path ? "" : ": no packets come here");
    line("struct {} : engine::Milled<{}, {}, How> {{", site.id, site.id, type);
    if (!site.on_path) {
      line("  static constexpr int kInputs = 0;\n}};\n");
      return;
    }
    const auto parameters = site.node->parameters_text();
    if ((plan_.parameters == ParameterChoice::constant || site.rewritten) && parameters &&
        !site.node->depends_on_machine()) {
      text_ += parameters->definitions;
      line("  static constexpr ParametersOf<{}> kParameters{};", type, parameters->initializer);
    }
    if (const Hook hook = hook_of(site.node->element_class->name);
        hook != nullptr && plan_.parameters == ParameterChoice::constant && !site.node->depends_on_machine())
      text_ += hook(site.node->parameters());
    line("  static constexpr int kInputs = {};", site.node->input_is_pull.size());
    line("  static constexpr int kOutputs = {};", site.node->output_is_pull.size());
    std::string connected;
    for (std::size_t i = 0; i < site.outputs.size(); ++i)
      if (site.output_is_pull[i] || site.outputs[i].element >= 0)
        connected += fmt::format("{}output == {}", connected.empty() ? "" : " || ", i);
    line("  static constexpr bool connected([[maybe_unused]] int output) {{ return {}; }}",
         connected.empty() ? "false" : connected);
    if (fused())
      line("  template <class Mine>\n  static void emit(Core& core, int output, Mine packet);");
    else
      line("  static void forward(Core& core, int output, Batch& batch);");
    line("  static Packet* pull(Core& core, int input);");
    if (plan_.offloads == Offloads::nic && untouched_[static_cast<std::size_t>(&site - network_.sites.data())])
      line("  static constexpr bool kTrustsNic = true;  ///< frames are here as they came in");
    line("}};\n");
  }

  void walk(int number) {
    const std::string at = at_of(number);
    line(
        "/// A packet's way through the graph from `at` on. Hot: the way that most packets take, inlined into what "
        "sends");
    line("/// them; the rest is in `enter`{}.", has_joined(number) ? ", and what many sources share in `join`" : "");
    line("template <class Part>");
    line(
        "[[gnu::always_inline]] inline void walk([[maybe_unused]] Core& core, {} at, [[maybe_unused]] Live& packet) {{",
        at);
    line("  [[maybe_unused]] constexpr bool hot = Part::hot;");
    line("  [[maybe_unused]] int input = 0;\n  switch (at) {{");
    for_each_of(number, [&](const Site& site) {
      for (std::size_t i = 0; i < site.node->input_is_pull.size(); ++i) {
        line("    case {}::{}:", at, entry(site, static_cast<int>(i)));
        if (has_joined(number) && !is_joined(site)) line("      if (std::is_same_v<Part, engine::Joined>) return;");
        line("      {}goto {};", i > 0 ? fmt::format("input = {}; ", i) : "", site.id);
      }
    });
    line("  }}\n  return;\n");
    for_each_of(number, [&](const Site& site) { section(site); });
    line("}}\n");
    const auto part = [&](std::string_view function, std::string_view name) {
      line(
          "[[gnu::noinline]] void {}(Core& core, {} at, Spilled packet) {{\n  walk<engine::{}>(core, at, "
          "packet);\n}}\n",
          function, at, name);
    };
    part("enter", "Rest");
    if (has_joined(number)) part("join", "Joined");
  }

  void section(const Site& site) {
    const bool several = site.node->input_is_pull.size() > 1;
    line("{}: {{\n    const Output output = engine::process<{}, hot>(core, {}, packet);", site.id, site.id,
         several ? "input" : "0");
    const bool any = std::ranges::any_of(site.outputs, [](const End& end) { return end.element >= 0; });
    if (any) {
      line("    switch (output.port) {{");
      for (std::size_t i = 0; i < site.outputs.size(); ++i) {
        const End& to = site.outputs[i];
        if (to.element < 0) continue;
        line("      case {}:", i);
        if (is_cold(site, static_cast<int>(i)))
          line("        if (hot) return enter(core, {}, packet);", at_entry(to));
        else if (is_joined(at(to)) && !is_joined(site))
          line("        if (std::is_same_v<Part, engine::Own>) return join(core, {}, packet);", at_entry(to));
        line("        {}goto {};", at(to).node->input_is_pull.size() > 1 ? fmt::format("input = {}; ", to.port) : "",
             at(to).id);
      }
      line("      default:\n        return engine::end<{}>(core, output, packet);\n    }}\n  }}", site.id);
    } else {
      line("    return engine::end<{}>(core, output, packet);\n  }}", site.id);
    }
  }

  /// Packets that an element gives out besides the one that it processes: a source's are the hot ones.
  void emission(const Site& site) {
    line("template <class Mine>\n{}void {}::emit([[maybe_unused]] Core& core, int output, Mine packet) {{",
         site.starts_walks ? "[[gnu::always_inline]] inline " : "", site.id);
    line("  auto&& live = engine::alive<Live>(packet);");
    if (samples(site)) line("  const engine::Sampled<{}> sampled(core, engine::kFusedPacket);", site.id);
    line("  switch (output) {{");
    for (std::size_t i = 0; i < site.outputs.size(); ++i)
      if (site.outputs[i].element >= 0)
        line("    case {}:\n      return {}(core, {}, live);", i,
             !site.starts_walks               ? "enter"
             : is_joined(at(site.outputs[i])) ? "join"
                                              : "walk<engine::Own>",
             at_entry(site.outputs[i]));
    line("    default:\n      return engine::end<{}>(core, to(output), live);\n  }}\n}}\n", site.id);
  }

  /// The same for batches.
  void forwarding(const Site& site) {
    line("{}void {}::forward(Core& core, int output, [[maybe_unused]] Batch& batch) {{",
         plan_.dispatch == Dispatch::static_graph ? "inline " : "[[gnu::noinline]] ", site.id);
    if (samples(site)) line("  const engine::Sampled<{}> sampled(core, batch.front());", site.id);
    line("  switch (output) {{");
    for (std::size_t i = 0; i < site.outputs.size(); ++i) {
      if (site.outputs[i].element < 0) continue;
      const std::string& next = at(site.outputs[i]).id;
      line("    case {}:", i);
      const int input = site.outputs[i].port;
      if (plan_.dispatch == Dispatch::virtual_calls)
        line("      return engine::push_virtually<{}>(core, {}, batch);", next, input);
      else
        line("      return {}::push(core, {}, batch);", next, input);
    }
    line("    default:\n      return engine::drop_unconnected<{}>(core, batch);\n  }}\n}}\n", site.id);
  }

  void pulling(const Site& site) {
    line("Packet* {}::pull([[maybe_unused]] Core& core, [[maybe_unused]] int input) {{", site.id);
    for (std::size_t i = 0; i < site.inputs.size(); ++i)
      if (site.inputs[i].element >= 0)
        line("  if (input == {}) return engine::pull_packet(engine::MilledStance<{}>{{core}}, {});", i,
             at(site.inputs[i]).id, site.inputs[i].port);
    line("  return nullptr;\n}}\n");
  }

  /// What the scheduler calls.
  void drivers(const Site& site) {
    std::string flushes;
    if (fused())
      for (const int other : network_.reachable(static_cast<int>(&site - network_.sites.data())))
        if (const Site& passed = network_.sites[static_cast<std::size_t>(other)]; passed.factory->flushes)
          flushes += fmt::format("  engine::flush<{}>(core);\n", passed.id);
    if (site.has_task)
      line(
          "bool run_{}(Core& core, int task) {{\n"
          "  const bool worked = engine::take_turn(engine::MilledStance<{}>{{core}}, task);\n{}  return worked;\n}}",
          site.id, site.id, flushes);
    if (site.has_timer)
      line("void fire_{}(Core& core) {{\n  engine::fire(engine::MilledStance<{}>{{core}});\n{}}}", site.id, site.id,
           flushes);
  }

  void program() {
    line("\n// ---- the configuration, for handlers and messages\n");
    if (!interpreted()) {
      line("const engine::MilledElement kMilled[] = {{");
      for (const Site& site : network_.sites)
        line("    {}::element({}, {}),", site.id, site.has_task ? "run_" + site.id : "nullptr",
             site.has_timer ? "fire_" + site.id : "nullptr");
      line("}};");
    }
    line("const engine::Program::Element kElements[] = {{");
    const auto text = [](const std::string& value) {
      return fmt::format("std::string_view({}, {})", ir::text_literal(value), value.size());
    };
    for (const Graph::Element& e : graph_.elements)
      line("    {{{}, {}, {}, {}, {}, {}, {}, {}}},", text(e.name), text(e.class_name), text(e.configuration),
           text(e.where.file), e.where.line, e.where.column, e.configuration_where.line, e.configuration_where.column);
    line("}};");
    if (!graph_.connections.empty()) {
      line("const engine::Program::Connection kConnections[] = {{");
      for (const Graph::Connection& c : graph_.connections)
        line("    {{{}, {}, {}, {}}},", c.from.element, c.from.port, c.to.element, c.to.port);
      line("}};");
    }
    if (!graph_.requirements.empty()) {
      line("const std::string_view kRequirements[] = {{");
      for (const std::string& requirement : graph_.requirements) line("    {},", text(requirement));
      line("}};");
    }
    line("const engine::Program kProgram{{.plan = {},", text(to_string(plan_)));
    line("                               .elements = kElements,");
    if (!graph_.connections.empty()) line("                               .connections = kConnections,");
    if (!graph_.requirements.empty()) line("                               .requirements = kRequirements,");
    if (!interpreted()) line("                               .milled = kMilled,");
    line("                               .exchanges = {},", exchanges(plan_));
    line("                               .asks_nic = {},", plan_.offloads == Offloads::nic);
    line("                               .expects_exchange = {},", plan_.metadata == MetadataModel::xchange);
    line("                               .cores = {},\n                               .batch = {}}};", plan_.cores,
         plan_.loops == Loops::fused ? 1 : plan_.batch);
    line("\n}}  // namespace\n}}  // namespace packetmill::milled\n");
    line(
        "int main(int argc, char** argv) {{ return packetmill::cli::run_milled(argc, argv, "
        "packetmill::milled::kProgram); }}");
  }

  const Graph& graph_;
  const Network& network_;
  const Plan& plan_;
  Walks walks_;
  std::vector<bool> untouched_;
  bool registers_;
  std::string text_;
};

}  // namespace

std::string emit(const Graph& graph, const Network& network, const Plan& plan) {
  return Emitter(graph, network, plan).whole();
}

}  // namespace packetmill::mill
