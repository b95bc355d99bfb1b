#include "mill/explain.h"

#include <algorithm>
#include <fstream>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "mill/attribution.h"
#include "mill/emit.h"
#include "mill/estimate.h"
#include "mill/packet_memory.h"
#include "mill/process.h"
#include "mill/toolchain.h"

// The program is made as `packetmill build` makes it, by way of its optimised IR and with line tables: the same code,
// instruction for instruction (a test compares them). Each instruction then belongs to the element whose source it comes
// from, through however many functions that were inlined.
//
// The estimate of an element's cycles weighs its pieces of each basic block, as llvm-mca estimates them, by how often the
// compiler thinks that the block runs for a packet that comes to the element; a loop counts once. The compiler's
// frequencies are its rules of thumb and the [[likely]] of the source, not a profile.
namespace packetmill::mill {
namespace {

namespace fs = std::filesystem;

/// A function's name for people: no result, template arguments or parameters, and none of our own namespaces.
std::string short_name(std::string_view symbol) {
  std::string plain;
  int depth = 0;
  for (std::size_t i = 0; i < symbol.size(); ++i) {
    constexpr std::string_view kAnonymous = "(anonymous namespace)::";
    if (symbol.substr(i).starts_with(kAnonymous)) {
      i += kAnonymous.size() - 1;
      continue;
    }
    if (symbol[i] == '<') ++depth;
    if (depth == 0 && symbol[i] == '(') break;
    if (depth == 0) plain += symbol[i];
    if (symbol[i] == '>') --depth;
  }
  plain.erase(0, plain.rfind(' ') + 1);
  for (const std::string_view space : {"packetmill::", "engine::", "milled::"})
    if (plain.starts_with(space)) plain.erase(0, space.size());
  return plain;
}

/// Packets come this way often: it is not `enter`, nor a function that some element calls now and then.
bool is_hot(const Function& function) {
  for (const Block& block : function.blocks)
    for (const Instruction& instruction : block.instructions)
      for (const Frame& frame : instruction.frames)
        for (const std::string_view name : {"walk<packetmill::engine::Own>", "walk<packetmill::engine::Joined>",
                                            "process_batch<", "pull_packet<", "take_turn<"})
          if (frame.function.find(name) != std::string_view::npos) return true;
  return false;
}

class Explainer {
 public:
  Explainer(const Network& network, const Plan& plan, Explanation& result)
      : network_(network), plan_(plan), result_(result) {}

  std::optional<std::string> make(const Graph& graph, const fs::path& directory) {
    const fs::path source = directory / "program.cc";
    const fs::path ir = directory / "program.ll";
    const fs::path object = directory / "program.o";
    const fs::path program = directory / "program";
    source_ = emit(graph, network_, plan_);
    std::ofstream(source, std::ios::binary) << source_;
    if (auto wrong = compile_to_ir(source, ir)) return wrong;
    if (auto wrong = compile_ir(ir, object)) return wrong;
    Plan as_objects = plan_;
    as_objects.link = Link::objects;
    if (auto wrong = link(object, program, as_objects)) return wrong;
    if (auto wrong = read_program(program, code_)) return wrong;
    ir_ = text_of(ir);

    Attribution attribution(network_, source_, source.string());
    about_elements(graph, attribution);
    about_data(attribution);
    about_regions(attribution);
    about_packets(attribution);
    return about_cycles(program);
  }

 private:
  void about_elements(const Graph& graph, Attribution& attribution) {
    for (std::size_t i = 0; i < network_.sites.size(); ++i) {
      const Site& site = network_.sites[i];
      Explanation::Element element;
      element.name = site.node->name;
      element.class_name = site.node->element_class->name;
      element.configuration = graph.elements[i].configuration;
      if (site.rewritten) element.rewritten = site.node->configuration;
      for (const std::string_view line : attribution.lines_of(static_cast<int>(i))) {
        constexpr std::string_view kConstants = "> kParameters";
        if (const std::size_t at = line.find(kConstants); at != std::string_view::npos)
          element.constants = line.substr(at + kConstants.size(), line.rfind(';') - at - kConstants.size());
        // "static constexpr TYPE list1[] = {...};", which the parameters refer to.
        if (const std::size_t end = line.find("[] = {"); end != std::string_view::npos)
          element.lists.push_back(std::string(line.substr(line.rfind(' ', end) + 1)));
        element.decides_in_code |= line.find(" int decide(") != std::string_view::npos;
        element.routes_in_code |= line.find(" next_hop(") != std::string_view::npos;
      }
      if (element.constants.empty()) element.why_not_constants = why_not_constants(site);
      result_.elements.push_back(std::move(element));
    }
    for (const engine::FieldInfo& field : network_.fields) result_.metadata.push_back(short_name(field.name));
  }

  [[nodiscard]] std::string why_not_constants(const Site& site) const {
    if (plan_.parameters == ParameterChoice::runtime) return "the plan has them read at run time";
    if (site.node->depends_on_machine()) return "they say something of the machine that reads the configuration";
    if (!site.node->parameters_text()) return "they own memory, which no constant can";
    return "the element is as in the interpreter";
  }

  void about_data(Attribution& attribution) {
    for (const DataSymbol& symbol : code_.data) {
      const int number = attribution.element_named_in(symbol.name);
      if (number < 0) continue;
      const std::size_t part_at = symbol.name.rfind("::");
      const std::string part = symbol.name.substr(part_at + 2);
      Explanation::Element& element = result_.elements[static_cast<std::size_t>(number)];
      DataSymbol known = symbol;
      known.name = part;
      if (part == "own_parts" || part == "own_slots")
        element.state.push_back(known);
      else if (part.starts_with("list") || part == "kParameters")
        element.other_data.push_back(known);
    }
  }

  void about_regions(Attribution& attribution) {
    owners_.resize(code_.functions.size());
    for (std::size_t f = 0; f < code_.functions.size(); ++f) {
      const Function& function = code_.functions[f];
      result_.code_bytes += function.bytes;
      std::map<int, Explanation::Place> places;
      for (const Block& block : function.blocks)
        for (const Instruction& instruction : block.instructions) {
          const int element = attribution.element_of(instruction.frames);
          owners_[f].push_back(element);
          if (element < 0) continue;
          places[element].bytes += instruction.bytes;
          ++places[element].instructions;
        }
      if (places.empty()) continue;
      Explanation::Region region;
      region.symbol = function.name;
      region.name = short_name(function.name);
      if (const int named = attribution.element_named_in(function.name); named >= 0) {
        const std::string& element = result_.elements[static_cast<std::size_t>(named)].name;
        if (region.name.starts_with("run_"))
          region.name = "the task of '" + element + "'";
        else if (region.name.starts_with("fire_"))
          region.name = "the timer of '" + element + "'";
        else
          region.name += " of '" + element + "'";
      }
      region.hot = is_hot(function);
      region.bytes = function.bytes;
      for (const auto& [element, place] : places) region.elements.push_back(element);
      found_.push_back({.function = f, .region = std::move(region), .places = std::move(places)});
    }
    std::ranges::sort(found_, [](const Found& a, const Found& b) {
      return std::tuple(!a.region.hot, b.region.bytes, a.function) <
             std::tuple(!b.region.hot, a.region.bytes, b.function);
    });
    result_.interpreted = found_.empty();
    for (std::size_t r = 0; r < found_.size(); ++r) {
      for (auto& [element, place] : found_[r].places) {
        place.region = r;
        result_.elements[static_cast<std::size_t>(element)].places.push_back(place);
      }
      result_.regions.push_back(found_[r].region);
    }
    about_neighbours();
  }

  /// Fused: packets go from one to the other within a region.
  void about_neighbours() {
    const auto share_a_region = [&](const Explanation::Element& a, const Explanation::Element& b) {
      return std::ranges::any_of(a.places, [&](const Explanation::Place& place) {
        return result_.regions[place.region].hot &&
               std::ranges::find(b.places, place.region, &Explanation::Place::region) != b.places.end();
      });
    };
    for (std::size_t i = 0; i < result_.elements.size(); ++i) {
      Explanation::Element& element = result_.elements[i];
      const Site& site = network_.sites[i];
      for (const auto& ends : {site.outputs, site.inputs})
        for (const End& end : ends) {
          if (end.element < 0) continue;
          Explanation::Element& next = result_.elements[static_cast<std::size_t>(end.element)];
          if (&next == &element || !share_a_region(element, next)) continue;
          element.fused_with.push_back(end.element);
          next.fused_with.push_back(static_cast<int>(i));
        }
      if (element.places.empty()) element.no_code = why_no_code(site);
    }
    for (Explanation::Element& element : result_.elements) {
      std::ranges::sort(element.fused_with);
      const auto twice = std::ranges::unique(element.fused_with);
      element.fused_with.erase(twice.begin(), twice.end());
    }
  }

  [[nodiscard]] std::string why_no_code(const Site& site) const {
    if (result_.interpreted) return "the program is the interpreter, which has the code of all elements";
    if (!site.on_path) return "packets do not come to it: it has its handlers, as in the interpreter";
    const bool is_met = site.push_feeders > 0 || site.starts_walks ||
                        std::ranges::any_of(site.inputs, [](const End& end) { return end.element >= 0; });
    return is_met ? "nothing of it is left: what it does was done by the compiler"
                  : "packets do not come to it: it has its handlers, as in the interpreter";
  }

  void about_packets(Attribution& attribution) {
    result_.registers = source_.find("using Live = engine::Registers<") != std::string::npos;
    result_.overlaid = source_.find("bool overlays = true;") != std::string::npos;
    if (result_.interpreted)
      result_.why_not_registers = "the program is the interpreter";
    else if (plan_.metadata != MetadataModel::registers)
      result_.why_not_registers = "the plan has metadata in memory";
    else if (plan_.loops != Loops::fused)
      result_.why_not_registers = "a vector loop hands packets on in batches, which are in memory";
    else if (!result_.registers)
      result_.why_not_registers = mill::why_not_registers(network_);
    for (const PacketInMemory& packet : packets_in_memory(ir_)) {
      const auto region = std::ranges::find(result_.regions, packet.function, &Explanation::Region::symbol);
      if (region == result_.regions.end()) continue;
      if (!packet.is_spill) ++region->packets_in_memory;
      for (const PacketInMemory::Call& call : packet.calls)
        region->calls.push_back({.callee = short_name(call.callee),
                                 .element = attribution.element_of(call.frames),
                                 .by_value = packet.is_spill});
    }
  }

  /// How often packets come to the element for each time that its function is entered: what flows into its blocks from
  /// others. The element that the function belongs to has packets come to it as often as it hands them on.
  [[nodiscard]] static std::map<int, double> arrivals(const Function& function, const std::vector<std::set<int>>& in) {
    std::map<int, double> result;
    for (std::size_t b = 0; b < function.blocks.size(); ++b)
      for (const auto& [next, probability] : function.blocks[b].successors)
        for (const int element : in[next])
          if (!in[b].contains(element)) result[element] += function.blocks[b].frequency * probability;
    if (in.empty()) return result;
    for (const int owner : in.front()) result.erase(owner);
    double most = 0;
    for (const auto& [element, often] : result) most = std::max(most, often);
    for (const int owner : in.front()) result[owner] = most;
    return result;
  }

  std::optional<std::string> about_cycles(const fs::path& program) {
    struct Piece {
      int element;
      std::size_t region;
      double weight;
    };
    std::vector<Piece> pieces;
    std::vector<std::vector<std::string_view>> texts;
    for (std::size_t r = 0; r < found_.size() && found_[r].region.hot; ++r) {
      const Function& function = code_.functions[found_[r].function];
      auto owner = owners_[found_[r].function].begin();
      std::vector<std::set<int>> in(function.blocks.size());
      std::vector<std::map<int, std::vector<std::string_view>>> parts(function.blocks.size());
      for (std::size_t b = 0; b < function.blocks.size(); ++b)
        for (const Instruction& instruction : function.blocks[b].instructions)
          if (const int element = *owner++; element >= 0) {
            in[b].insert(element);
            parts[b][element].push_back(instruction.text);
          }
      const std::map<int, double> often = arrivals(function, in);
      for (std::size_t b = 0; b < function.blocks.size(); ++b)
        for (auto& [element, text] : parts[b]) {
          const auto found = often.find(element);
          const double arrived = found == often.end() ? 0 : found->second;
          const double frequency = function.blocks[b].frequency;
          pieces.push_back({element, r, arrived > 0 ? std::min(1.0, frequency / arrived) : 1.0});
          texts.push_back(std::move(text));
        }
    }
    if (texts.empty()) return std::nullopt;
    Estimate estimated;
    if (auto wrong = estimate(texts, program, estimated)) return wrong;
    result_.processor = estimated.processor;
    for (std::size_t i = 0; i < pieces.size(); ++i)
      for (Explanation::Place& place : result_.elements[static_cast<std::size_t>(pieces[i].element)].places)
        if (place.region == pieces[i].region) place.cycles += pieces[i].weight * estimated.cycles[i];
    for (Explanation::Element& element : result_.elements)
      for (const Explanation::Place& place : element.places) element.cycles = std::max(element.cycles, place.cycles);
    return std::nullopt;
  }

  struct Found {
    std::size_t function;
    Explanation::Region region;
    std::map<int, Explanation::Place> places;
  };

  const Network& network_;
  const Plan& plan_;
  Explanation& result_;
  std::string source_;
  std::string ir_;
  ProgramCode code_;
  std::vector<std::vector<int>> owners_;  ///< per function and instruction: its element
  std::vector<Found> found_;              ///< the regions, in their order
};

/// Which pass has taken an element off the packets' way.
void about_passes(engine::Router& outline, const Plan& plan, Explanation& result) {
  for (const std::string_view pass : plan.passes) {
    const Graph left = reduced(outline, plan, pass);
    for (Explanation::Element& element : result.elements)
      if (element.removed_by.empty() && left.find(element.name) < 0) element.removed_by = pass;
  }
}

}  // namespace

std::uint64_t Explanation::Element::code_bytes() const {
  std::uint64_t bytes = 0;
  for (const Place& place : places) bytes += place.bytes;
  return bytes;
}

std::uint64_t Explanation::Element::hot_bytes(const Explanation& in) const {
  std::uint64_t bytes = 0;
  for (const Place& place : places)
    if (in.regions[place.region].hot) bytes += place.bytes;
  return bytes;
}

std::uint64_t Explanation::Element::state_bytes() const {
  std::uint64_t bytes = 0;
  for (const DataSymbol& symbol : state) bytes += symbol.bytes;
  return bytes;
}

std::optional<std::string> explain(const Graph& graph, engine::Router& outline, const Plan& plan,
                                   const fs::path& directory, Explanation& result) {
  const Network network = network_of(outline, plan);
  result.plan = to_string(plan);
  if (auto wrong = Explainer(network, plan, result).make(graph, directory)) return wrong;
  about_passes(outline, plan, result);
  return std::nullopt;
}

}  // namespace packetmill::mill
