#include "verify/random_graph.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "verify/recipes.h"

namespace packetmill::verify {
namespace {

/// What the graphs of a program may hold.
struct Taste {
  bool rich = false;      ///< pull sections, joins, cycles
  bool sensible = false;  ///< elements get the packets that they are for
  bool vlan = false;
  bool aggregate = false;
  bool numbered = false;
};

/// Composes one graph: a list of outputs that lead nowhere yet, to which elements are connected one after the other.
class Composer {
 public:
  Composer(Graph& graph, int number, const Taste& taste, Dice& dice)
      : graph_(graph), prefix_(fmt::format("g{}_", number)), taste_(taste), dice_(dice) {}

  void compose() {
    const int sources = taste_.rich ? dice_.between(1, 2) : 1;
    for (int i = 0; i < sources; ++i) {
      // Mostly traces: other sources know few packets.
      const Recipe& recipe = dice_.one_in(4) ? pick(Role::source) : named("FromDump");
      open(add(recipe, recipe.draft(dice_)), recipe.gives);
    }
    for (int budget = taste_.rich ? dice_.between(3, 7) : dice_.between(2, 5); budget > 0 && !open_.empty(); --budget) {
      const Opening opening = take();
      if (taste_.rich && dice_.one_in(4))
        pull_section(opening);
      else if (taste_.rich && dice_.one_in(6))
        cycle(opening);
      else
        step(opening);
    }
    while (!open_.empty()) end(take());
    if (dice_.one_in(4)) schedule();
  }

 private:
  /// An output that leads nowhere yet, and what comes out of it.
  struct Opening {
    Graph::Port from;
    Layer layer = Layer::any;
  };
  struct Added {
    int element;
    Draft draft;
  };

  static const Recipe& named(std::string_view class_name) {
    return *std::ranges::find(recipes(), class_name, &Recipe::class_name);
  }
  [[nodiscard]] bool allowed(const Recipe& recipe) const {
    return (recipe.annotations != Annotations::vlan || taste_.vlan) &&
           (recipe.annotations != Annotations::aggregate || taste_.aggregate) &&
           (recipe.annotations != Annotations::numbered || taste_.numbered);
  }
  template <class Fits>
  const Recipe& pick_if(Fits fits) {
    std::vector<const Recipe*> candidates;
    for (const Recipe& recipe : recipes())
      if (allowed(recipe) && fits(recipe)) candidates.push_back(&recipe);
    return *candidates[dice_.below(static_cast<std::uint32_t>(candidates.size()))];
  }
  const Recipe& pick(Role role) {
    return pick_if([&](const Recipe& recipe) { return recipe.role == role; });
  }
  [[nodiscard]] bool suits(const Recipe& recipe, Layer layer) const {
    return !taste_.sensible || recipe.expects == Layer::any || layer == Layer::any || recipe.expects == layer;
  }

  Added add(const Recipe& recipe, Draft draft) {
    const int number = static_cast<int>(graph_.elements.size());
    graph_.elements.push_back({fmt::format("{}{}_{}", prefix_, recipe.class_name, count_++),
                               std::string(recipe.class_name),
                               draft.arguments,
                               {},
                               {}});
    if (recipe.role == Role::source || recipe.role == Role::pump) tasks_.push_back(number);
    return {number, std::move(draft)};
  }
  Added add(std::string_view class_name, std::string arguments, int outputs = 1) {
    return add(named(class_name), {std::move(arguments), 1, outputs});
  }
  void connect(const Graph::Port& from, const Graph::Port& to) { graph_.connections.push_back({from, to, {}}); }
  /// The outputs of an element, from the `first` on.
  void open(const Added& added, Layer layer, int first = 0) {
    for (int i = first; i < added.draft.outputs; ++i) open_.push_back({{added.element, i}, layer});
  }
  Opening take() {
    const std::size_t at = dice_.below(static_cast<std::uint32_t>(open_.size()));
    const Opening opening = open_[at];
    open_.erase(open_.begin() + static_cast<std::ptrdiff_t>(at));
    return opening;
  }
  static Layer after(const Recipe& recipe, Layer before) { return recipe.gives == Layer::any ? before : recipe.gives; }

  /// One more element; of several inputs, the others get what leads nowhere yet, or nothing.
  void step(const Opening& opening) {
    if (taste_.sensible && opening.layer == Layer::ethernet && dice_.one_in(2)) return enter_ip(opening);
    const Recipe& recipe = pick_if(
        [&](const Recipe& r) { return (r.role == Role::push || r.role == Role::either) && suits(r, opening.layer); });
    Draft draft = recipe.draft(dice_);
    if (recipe.class_name == "IPRewriter" && dice_.one_in(3)) name_pattern(draft);
    Graph::Port from = opening.from;
    if (recipe.class_name == "FlowCounter" || recipe.class_name == "FlowIPNAT") {
      const Added manager = add(named("FlowIPManager"), named("FlowIPManager").draft(dice_));
      connect(from, {manager.element, 0});
      from = {manager.element, 0};
    }
    const Added added = add(recipe, std::move(draft));
    connect(from, {added.element, 0});
    for (int input = 1; input < added.draft.inputs; ++input) {
      const bool fed = taste_.rich && !open_.empty();
      connect(fed ? take().from : Graph::Port{add("Idle", "").element, 0}, {added.element, input});
    }
    // A join: something else comes in there too.
    if (taste_.rich && !open_.empty() && dice_.one_in(3)) connect(take().from, {added.element, 0});
    open(added, after(recipe, opening.layer));
  }

  void enter_ip(const Opening& opening) {
    const Added strip = add("Strip", "14");
    const Added check = add("CheckIPHeader", "", dice_.between(1, 2));
    connect(opening.from, {strip.element, 0});
    connect({strip.element, 0}, {check.element, 0});
    open(check, Layer::ip);
  }

  /// Input 0 of a rewriter has a pattern by name.
  void name_pattern(Draft& draft) {
    const Recipe& recipe = named("IPRewriterPatterns");
    const std::string name = fmt::format("{}p{}", prefix_, count_);
    add(recipe, {fmt::format("{} {}", name, recipe.draft(dice_).arguments), 0, 0});
    draft.arguments = fmt::format("pattern {} 0 1, {}", name, draft.arguments);
    ++draft.inputs;
  }

  /// Elements on a pull path behind `from`; the path's end.
  Graph::Port pull_chain(Graph::Port from, Layer& layer, int most) {
    for (int i = dice_.between(0, most); i > 0; --i) {
      const Recipe& recipe =
          pick_if([&](const Recipe& r) { return (r.role == Role::pull || r.role == Role::either) && suits(r, layer); });
      const Added added = add(recipe, recipe.draft(dice_));
      connect(from, {added.element, 0});
      layer = after(recipe, layer);
      open(added, layer, 1);
      from = {added.element, 0};
    }
    return from;
  }

  Graph::Port store(const Opening& opening, Layer& layer) {
    const Added queue = add(pick(Role::store), named("Queue").draft(dice_));
    connect(opening.from, {queue.element, 0});
    open(queue, opening.layer, 1);
    layer = opening.layer;
    return pull_chain({queue.element, 0}, layer, 2);
  }

  /// Stores, what is pulled out of them, and who pulls.
  void pull_section(const Opening& opening) {
    Layer layer = opening.layer;
    Graph::Port end = store(opening, layer);
    if (dice_.one_in(2)) {
      const Recipe& recipe = pick(Role::scheduler);
      const Added scheduler = add(recipe, recipe.draft(dice_));
      connect(end, {scheduler.element, 0});
      for (int input = 1; input < scheduler.draft.inputs; ++input) {
        Graph::Port other;
        if (!open_.empty())
          other = store(take(), layer);
        else if (dice_.one_in(2))
          other = {add(named("RatedSource"), named("RatedSource").draft(dice_)).element, 0};
        else
          other = {add("Idle", "").element, 0};
        connect(other, {scheduler.element, input});
      }
      end = pull_chain({scheduler.element, 0}, layer, 1);
    }
    const Recipe& last = dice_.one_in(4) ? pick(Role::sink) : pick(Role::pump);
    const Added added = add(last, last.draft(dice_));
    connect(end, {added.element, 0});
    open(added, layer);
  }

  /// Elements that neither multiply packets nor make them longer; what does not stay in the cycle is open.
  Graph::Port body(Graph::Port from, Layer layer) {
    for (int i = dice_.between(0, 2); i > 0; --i) {
      const Recipe& recipe = pick_if([&](const Recipe& r) {
        return r.modest && (r.role == Role::push || r.role == Role::either) && suits(r, layer);
      });
      const Added added = add(recipe, recipe.draft(dice_));
      connect(from, {added.element, 0});
      open(added, layer, 1);
      from = {added.element, 0};
    }
    if (dice_.one_in(2)) {
      const Added queue = add(pick(Role::store), named("Queue").draft(dice_));
      const Recipe& recipe = pick_if([](const Recipe& r) { return r.role == Role::pump; });
      const Added pump = add(recipe, recipe.draft(dice_));
      connect(from, {queue.element, 0});
      open(queue, layer, 1);
      connect({queue.element, 0}, {pump.element, 0});
      from = {pump.element, 0};
    }
    return from;
  }

  void cycle(const Opening& opening) {
    switch (dice_.below(3)) {
      case 0: {  // as long as the packet is long, and each turn takes something away
        const Added guard = add("Classifier", "60/00%80, 60/80%80, -", 3);  // whatever byte 60 is, if it is there
        const Added strip = add("Strip", std::to_string(dice_.between(40, 120)));
        connect(opening.from, {guard.element, 0});
        connect({guard.element, 0}, {strip.element, 0});
        connect({guard.element, 1}, {strip.element, 0});
        connect(body({strip.element, 0}, Layer::any), {guard.element, 0});
        return open(guard, opening.layer, 2);
      }
      case 1: {  // as long as the packet lives
        const Added guard = add(named("IPOutputCombo"), named("IPOutputCombo").draft(dice_));
        connect(opening.from, {guard.element, 0});
        connect(body({guard.element, 0}, Layer::ip), {guard.element, 0});
        return open(guard, opening.layer, 1);
      }
      default: {  // as a router's: nobody answers an answer
        const Recipe& recipe = pick_if([](const Recipe& r) { return r.class_name.ends_with("IPLookup"); });
        const Added lookup = add(recipe, recipe.draft(dice_));
        const Recipe& answering = named(dice_.one_in(2) ? "ICMPError" : "ICMPPingResponder");
        const Added answerer = add(answering, answering.draft(dice_));
        connect(opening.from, {lookup.element, 0});
        connect({lookup.element, 0}, {answerer.element, 0});
        connect({answerer.element, 0}, {lookup.element, 0});
        open(answerer, Layer::ip, 1);
        return open(lookup, Layer::ip, 1);
      }
    }
  }

  /// A sink, perhaps one where other packets end too.
  void end(const Opening& opening) {
    if (!sinks_.empty() && dice_.one_in(3))
      return connect(opening.from, {sinks_[dice_.below(static_cast<std::uint32_t>(sinks_.size()))], 0});
    const Recipe& recipe = dice_.one_in(2) ? pick(Role::sink) : named("ToDump");
    sinks_.push_back(add(recipe, recipe.draft(dice_)).element);
    connect(opening.from, {sinks_.back(), 0});
  }

  void schedule() {
    const int task = tasks_[dice_.below(static_cast<std::uint32_t>(tasks_.size()))];
    const Recipe& recipe = named("ScheduleInfo");
    const std::string name = graph_.elements[static_cast<std::size_t>(task)].name;
    add(recipe, {fmt::format("{} {}", name, recipe.draft(dice_).arguments), 0, 0});
  }

  Graph& graph_;
  std::string prefix_;
  Taste taste_;
  Dice& dice_;
  std::vector<Opening> open_;
  std::vector<int> tasks_;
  std::vector<int> sinks_;
  int count_ = 0;
};

}  // namespace

Graph random_graphs(std::uint64_t seed, int count) {
  Graph graph;
  Dice dice(seed);
  // One annotation without a place in registers keeps a whole program's out of them.
  Taste taste;
  switch (seed % 4) {
    case 0:
      taste.vlan = taste.aggregate = taste.numbered = true;
      break;
    case 1:
      taste.aggregate = true;
      break;
    default:
      taste.vlan = true;
      break;
  }
  for (int i = 0; i < count; ++i) {
    taste.rich = i >= count / 2;
    taste.sensible = dice.one_in(2);
    Composer(graph, i, taste, dice).compose();
  }
  return graph;
}

}  // namespace packetmill::verify
