#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "engine/router.h"

// From a graph to nodes that are wired and placed. Every step reports all that it finds wrong.
namespace packetmill::engine {
namespace {

/// Packets that are on their way rather than in a store: bursts, rings of ports, and the clone reserve.
constexpr std::size_t kReservePerCore = 16384;
/// Of these, the ones that are made before the first packet comes.
constexpr std::size_t kReadyPerCore = 1024;

/// "While initializing 'x :: Class'", as Click begins what it says of an element.
std::string while_(std::string_view step, const Node& node) {
  return fmt::format("While {} '{} :: {}'", step, node.name, node.element_class->name);
}

}  // namespace

Router::Router(const Graph& graph, Options options, const Registry& registry)
    : graph_(graph), registry_(registry), options_(std::move(options)) {
  options_.batch_size = std::clamp(options_.batch_size, 1, kMaxBatch);
  clock_ = options_.simulated_time ? std::make_unique<Clock>(*options_.simulated_time) : std::make_unique<Clock>();
  for (int i = 0; i < options_.cores; ++i)
    cores_.push_back(std::make_unique<Core>(i, options_.cores, options_.batch_size, *clock_, gate_, depot_, *this));
}

Router::~Router() {
  // A control connection may be at work; after this it finds nothing.
  gate_.exclusive([&] { handlers_.clear(); });
  for (auto& node : nodes_) node->cleanup();
}

std::unique_ptr<Router> Router::make(const Graph& graph, const Options& options, Diagnostics& diagnostics,
                                     const Registry& registry) {
  std::unique_ptr<Router> router(new Router(graph, options, registry));
  if (!router->compose(diagnostics)) return nullptr;
  router->place(diagnostics);
  router->find_notifiers();
  if (diagnostics.errors() > 0 || !router->initialize(diagnostics)) return nullptr;
  return router;
}

std::unique_ptr<Router> Router::outline(const Graph& graph, Diagnostics& diagnostics) {
  std::unique_ptr<Router> router(new Router(graph, {}, Registry::instance()));
  return router->compose(diagnostics) ? std::move(router) : nullptr;
}

void Router::check(const Graph& graph, Diagnostics& diagnostics) {
  Router router(graph, {}, Registry::instance());
  router.compose(diagnostics);
  if (router.handlers_.empty()) return;
  for (const auto& [element, handler, where] : router.declarations_.mentioned_handlers()) {
    Found found;
    if (!router.look_up(handler, element, found))
      diagnostics.warning(where, found.wrong, found.hint, while_("configuring", *router.find(element)));
  }
}

bool Router::compose(Diagnostics& diagnostics) {
  const PortModes modes = resolve_push_pull(graph_, registry_, diagnostics);
  // What elements want of each other can be told of a whole graph only.
  const bool whole = diagnostics.errors() == 0;
  make_nodes(modes, diagnostics);
  if (whole) {
    connect();
    check_nodes(diagnostics);
  }
  return diagnostics.errors() == 0;
}

void Router::make_nodes(const PortModes& modes, Diagnostics& diagnostics) {
  for (const Graph::Element& element : graph_.elements) {
    const std::size_t index = static_cast<std::size_t>(&element - graph_.elements.data());
    const Factory* factory = registry_.factory(element.class_name);
    if (factory == nullptr) continue;  // resolve_push_pull has said so; the others are checked all the same
    auto node = factory->make();
    node->name = element.name;
    node->configuration = element.configuration;
    node->where = element.where;
    node->configuration_where = element.configuration_where;
    node->element_class = &factory->element_class;
    node->control_plane = this;
    if (index < options_.milled.size()) node->be_milled(options_.milled[index]);
    node->input_is_pull = modes.input_pull[index];
    node->output_is_pull = modes.output_pull[index];
    nodes_.push_back(std::move(node));
  }
  for (auto& node : nodes_) declarations_.add_element(node->name);
  for (auto& node : nodes_) node->declare(declarations_, diagnostics);
  for (auto& node : nodes_) {
    node->names = declarations_.names_for(node->name);
    const int errors = diagnostics.errors();
    node->configure(diagnostics);
    node->well_configured = diagnostics.errors() == errors;
  }
}

std::unique_ptr<Node> Router::configured_otherwise(const Node& node, const std::string& configuration) {
  auto other = registry_.factory(node.element_class->name)->make();
  other->name = node.name;
  other->configuration = configuration;
  other->where = node.where;
  other->configuration_where = node.configuration_where;
  other->element_class = node.element_class;
  other->input_is_pull = node.input_is_pull;
  other->output_is_pull = node.output_is_pull;
  other->names = declarations_.names_for(node.name);
  Diagnostics diagnostics;
  other->configure(diagnostics);
  return diagnostics.errors() == 0 ? std::move(other) : nullptr;
}

void Router::connect() {
  for (auto& node : nodes_) {
    node->inputs.resize(node->input_is_pull.size());
    node->feeders.resize(node->input_is_pull.size());
    node->outputs.resize(node->output_is_pull.size());
  }
  for (const Graph::Connection& connection : graph_.connections) {
    Node& from = *nodes_[static_cast<std::size_t>(connection.from.element)];
    Node& to = *nodes_[static_cast<std::size_t>(connection.to.element)];
    const auto output = static_cast<std::size_t>(connection.from.port);
    const auto input = static_cast<std::size_t>(connection.to.port);
    to.feeders[input].push_back({&from, connection.from.port});
    if (from.output_is_pull[output])
      to.inputs[input] = {&from, connection.from.port};
    else
      from.outputs[output] = {&to, connection.to.port};
  }
}

void Router::check_nodes(Diagnostics& diagnostics) {
  handlers_[nullptr] = global_handlers();
  for (auto& node : nodes_) {
    if (!node->well_configured) continue;
    if (const auto wrong = node->check()) refuse(*node, *wrong, diagnostics);
  }
  for (const auto& [element, handler] : declarations_.expected_write_handlers()) {
    if (!find(element)->well_configured) continue;
    Found found;
    const auto called = look_up(handler, element, found);
    if (!called || !called->write)
      refuse(*find(element), called ? "no '" + handler + "' write handler" : found.wrong, diagnostics, found.hint);
  }
}

void Router::refuse(const Node& node, const std::string& wrong, Diagnostics& diagnostics, const std::string& hint) {
  diagnostics.error(node.where, wrong, hint, while_("initializing", node));
}

/// Which core runs what: StaticThreadSched's pins, core 0 otherwise; the tasks of an element that has several go round
/// the cores from there.
void Router::place(Diagnostics& diagnostics) {
  for (auto& node : nodes_) {
    const int core = declarations_.core_of(node->name).value_or(node->first_core());
    if (core < 0 || core >= options_.cores) {
      diagnostics.warning(node->where,
                          "thread " + std::to_string(core) + " does not exist, '" + node->name + "' runs on 0",
                          "start with -j " + std::to_string(core + 1) + " or more");
    }
    node->home = cores_[core >= 0 && core < options_.cores ? static_cast<std::size_t>(core) : 0].get();
    node->timer = std::make_unique<Timer>(
        [](void* owner) {
          auto* node = static_cast<Node*>(owner);
          node->fire(*node->home);
        },
        node.get());
    node->timer->set_home(&node->home->scheduler);
    const int tasks = node->task_count(options_.cores);
    for (int i = 0; i < tasks; ++i) {
      Core& home =
          tasks == 1 ? *node->home : *cores_[static_cast<std::size_t>((node->home->index + i) % options_.cores)];
      node->task_homes.push_back(&home);
      auto run = [](void* owner, int index) {
        auto* node = static_cast<Node*>(owner);
        return node->run(*node->task_homes[static_cast<std::size_t>(index)], index);
      };
      auto task = std::make_unique<Task>(run, node.get(), i);
      task->set_home(&home.scheduler);
      task->set_tickets(declarations_.tickets_of(node->name));
      auto alarm = std::make_unique<Timer>([](void* owner) { static_cast<Task*>(owner)->wake(); }, task.get());
      alarm->set_home(&home.scheduler);
      node->alarms.push_back(std::move(alarm));
      node->tasks.push_back(std::move(task));
    }
    node->prepare(cores_, options_.seed);
    const std::uint64_t capacity = node->capacity();
    stores_.held += capacity;
    if (capacity <= stores_.held_by_most) continue;
    stores_.held_by_most = capacity;
    stores_.most = fmt::format("'{}' ({}:{}:{})", node->name, node->where.file, node->where.line, node->where.column);
  }
  depot_.set_limit(stores_.held + kReservePerCore * cores_.size());
  depot_.reserve(kReadyPerCore * cores_.size());
}

/// Tells each task which stores it pulls from and which stores with a full note it pushes into, and these who listens.
void Router::find_notifiers() {
  const auto upstream = [](Node& start, auto&& visit) {
    std::set<Node*> seen{&start};
    std::vector<Node*> todo{&start};
    while (!todo.empty()) {
      Node* node = todo.back();
      todo.pop_back();
      for (std::size_t i = 0; i < node->inputs.size(); ++i) {
        Node* from = node->inputs[i].node;
        if (node->input_is_pull[i] && from != nullptr && seen.insert(from).second && visit(*from)) todo.push_back(from);
      }
    }
  };
  const auto downstream = [](Node& start, auto&& visit) {
    std::set<Node*> seen{&start};
    std::vector<Node*> todo{&start};
    while (!todo.empty()) {
      Node* node = todo.back();
      todo.pop_back();
      for (const Target& to : node->outputs)
        if (to.node != nullptr && seen.insert(to.node).second && visit(*to.node)) todo.push_back(to.node);
    }
  };
  for (auto& node : nodes_) {
    if (node->tasks.empty()) continue;
    upstream(*node, [&](Node& from) {
      if (from.tells_empty()) {
        node->upstream_stores.push_back(&from);
        for (auto& task : node->tasks) from.nonempty.add(task.get());
        return false;
      }
      node->upstream_always_active |= from.inputs.empty();
      return true;
    });
    if (!node->heeds_full()) continue;
    downstream(*node, [&](Node& to) {
      if (to.notes_full()) {
        node->downstream_stores.push_back(&to);
        for (auto& task : node->tasks) to.nonfull.add(task.get());
      }
      return !to.tells_empty();
    });
  }
}

bool Router::initialize(Diagnostics& diagnostics) {
  const auto all = [&](std::optional<std::string> (Node::*step)()) {
    for (auto& node : nodes_)
      if (const auto wrong = (*node.*step)()) refuse(*node, *wrong, diagnostics);
    return diagnostics.errors() == 0;
  };
  if (!all(&Node::initialize) || !all(&Node::start)) return false;
  for (auto& node : nodes_)
    for (auto& task : node->tasks)
      if (!node->starts_asleep) task->wake();
  return true;
}

}  // namespace packetmill::engine
