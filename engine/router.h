#pragma once

#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/node.h"
#include "engine/registry.h"
#include "graph/graph.h"
#include "graph/passes/push_pull.h"

namespace packetmill::engine {

inline constexpr std::string_view kVersion = "0.1.0";

/// How the interpreter runs a graph. The defaults are the plan "vanilla".
struct Options {
  int cores = 1;
  int batch_size = 32;
  bool pin = false;  ///< each core to a CPU of its own
  std::uint64_t seed = 1;
  std::optional<Timestamp> simulated_time;  ///< where simulated time starts; none: the machine's clock
  std::span<const MilledElement> milled;    ///< of the graph's elements, in their order; empty: all interpreted
  std::string configuration;                ///< the text that the global `config` handler shows
  std::function<void(std::string_view)> on_message = [](std::string_view) {};  ///< one line, for standard error
  std::function<void(std::string_view)> on_output = [](std::string_view) {};   ///< text, for standard output
};

/// A graph, built and ready to run: the interpreter.
class Router final : public ControlPlane {
 public:
  /// Builds and initializes; null, and the reasons in `diagnostics`, where the graph has errors.
  static std::unique_ptr<Router> make(const Graph& graph, const Options& options, Diagnostics& diagnostics,
                                      const Registry& registry = Registry::instance());
  /// Checks all that can be checked without opening files or devices: classes, ports, push and pull, arguments, what
  /// elements want of each other. Warns of handlers that scripts name and that do not exist.
  static void check(const Graph& graph, Diagnostics& diagnostics);
  /// Builds and connects, and goes no further: for whoever wants to see what the configuration is. Null where it has
  /// errors.
  static std::unique_ptr<Router> outline(const Graph& graph, Diagnostics& diagnostics);
  /// A node like one of this router's, with another configuration: configured, and knowing how it is connected, but part
  /// of no router. Null where the configuration has errors. `node` must outlive it.
  [[nodiscard]] std::unique_ptr<Node> configured_otherwise(const Node& node, const std::string& configuration);
  ~Router() override;

  /// Runs until the driver stops. The calling thread is core 0.
  void run();
  /// Runs one core under simulated time until all that happens within `span` has happened.
  void run_for(Duration span);
  /// Ends run() from any thread or signal-handling thread.
  void stop() { finish(0); }
  /// Tells the elements that have asked for it of a signal; false where none has. From an ordinary thread.
  bool signal(int number);

  [[nodiscard]] int exit_status() const { return exit_status_; }
  /// Where all packets are; while nothing runs, or from a handler.
  [[nodiscard]] Ledger ledger();
  struct Drop {
    std::string element;
    std::string reason;
    std::uint64_t count;
  };
  /// Every reason that has dropped something, in the order of the configuration.
  [[nodiscard]] std::vector<Drop> drops();
  [[nodiscard]] std::uint64_t busy_cycles() const;
  [[nodiscard]] const std::vector<std::unique_ptr<Node>>& nodes() const { return nodes_; }
  [[nodiscard]] const Graph& graph() const { return graph_; }
  [[nodiscard]] Node* find(std::string_view name, std::string_view relative_to = {}) const;

  Answer read(std::string_view handler, std::string_view parameter = {}, std::string_view relative_to = {}) override;
  Answer write(std::string_view handler, std::string_view value, std::string_view relative_to = {}) override;
  [[nodiscard]] std::vector<std::string> elements() const override;
  [[nodiscard]] std::vector<HandlerInfo> handlers(std::string_view element) const override;
  [[nodiscard]] Found find_handler(std::string_view handler, std::string_view relative_to = {}) override;
  void request_stop() override;
  void manage_stops(std::function<void()> on_stop_request) override { on_stop_request_ = std::move(on_stop_request); }
  bool take_stop_request() override;
  void on_signal(int number, std::function<void()> handler) override { on_signal_.emplace(number, std::move(handler)); }
  void finish(int exit_status) override;
  void message(std::string_view line) override { options_.on_message(line); }
  void output(std::string_view text) override { options_.on_output(text); }
  [[nodiscard]] std::shared_ptr<void>& resource(std::string_view name) override {
    return resources_[std::string(name)];
  }
  [[nodiscard]] Timestamp now() override { return clock_->now(); }
  [[nodiscard]] Stores stores() const override { return stores_; }
  void exclusive(const std::function<void()>& function) override { gate_.exclusive(function); }

 private:
  Router(const Graph& graph, Options options, const Registry& registry);

  // engine/build.cc
  /// Nodes that are configured, connected and checked; false where something is wrong.
  bool compose(Diagnostics& diagnostics);
  void make_nodes(const PortModes& modes, Diagnostics& diagnostics);
  void connect();
  void check_nodes(Diagnostics& diagnostics);
  static void refuse(const Node& node, const std::string& wrong, Diagnostics& diagnostics,
                     const std::string& hint = {});
  void place(Diagnostics& diagnostics);
  void find_notifiers();
  bool initialize(Diagnostics& diagnostics);

  // engine/handlers.cc
  /// The handler of that name; none, and why in `found`, where it does not exist.
  std::optional<Handler> look_up(std::string_view handler, std::string_view relative_to, Found& found) const;
  std::vector<Handler> standard_handlers(Node& node);
  std::vector<Handler> global_handlers();

  Graph graph_;
  const Registry& registry_;
  Options options_;
  std::unique_ptr<Clock> clock_;
  Gate gate_;
  PacketDepot depot_{0};
  std::vector<std::unique_ptr<Core>> cores_;
  Declarations declarations_;
  std::map<std::string, std::shared_ptr<void>> resources_;  ///< outlive the nodes
  std::vector<std::unique_ptr<Node>> nodes_;
  std::map<const Node*, std::vector<Handler>> handlers_;  ///< null: the global ones
  std::function<void()> on_stop_request_;
  std::multimap<int, std::function<void()>> on_signal_;
  std::atomic<int> stop_requests_{0};
  std::atomic<int> exit_status_{0};
  Stores stores_;
};

}  // namespace packetmill::engine
