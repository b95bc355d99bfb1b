#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/core.h"
#include "engine/milled_element.h"
#include "graph/element_class.h"
#include "runtime/declarations.h"
#include "runtime/keyword.h"
#include "runtime/ledger.h"
#include "runtime/notifier.h"

namespace packetmill::engine {

class Node;

/// The other end of a connection.
struct Target {
  Node* node = nullptr;
  int port = 0;
};

/// A metadata field.
struct FieldInfo {
  std::string_view name;  ///< as C++ writes it: "packetmill::NetworkHeader"
  int annotation = -1;    ///< its place in Click's annotation area; -1: none
  std::size_t bytes = 0;
};

/// A handler of one element, ready to be called.
struct Handler {
  std::string name;
  std::function<ControlPlane::Answer(std::string_view parameter)> read;
  std::function<ControlPlane::Answer(std::string_view value)> write;
  bool local = false;  ///< see HandlerInfo
};

/// How many packets an element has dropped for one reason.
struct DropCount {
  std::string_view reason;
  std::uint64_t count = 0;
};

/// One element of a running configuration, as the interpreter sees all of them. NodeOf<E> makes one of an element E.
class Node {
 public:
  Node() = default;
  virtual ~Node() = default;
  Node(const Node&) = delete;
  Node& operator=(const Node&) = delete;

  /// Generated code has a place and a packet path for the element: before `declare`.
  virtual void be_milled(const MilledElement& milled) = 0;

  // The packet path: one virtual call per element and batch.
  virtual void push(Core& core, int port, Batch& batch) = 0;
  [[nodiscard]] virtual Packet* pull(Core& core, int port) = 0;
  virtual bool run(Core& core, int task) = 0;
  virtual void fire(Core& core) = 0;

  // Life: declare, configure, (the router connects,) check, prepare, initialize, start; then bursts; then cleanup.
  // `packetmill check` ends after `check`.
  virtual void declare(Declarations& declarations, Diagnostics& diagnostics) = 0;
  virtual void configure(Diagnostics& diagnostics) = 0;
  [[nodiscard]] virtual std::optional<std::string> check() = 0;
  virtual void prepare(const std::vector<std::unique_ptr<Core>>& cores, std::uint64_t seed) = 0;
  [[nodiscard]] virtual std::optional<std::string> initialize() = 0;
  [[nodiscard]] virtual std::optional<std::string> start() = 0;
  virtual void cleanup() = 0;

  /// Counts and frees packets for which the element chose an output that is not connected.
  virtual void drop_unconnected(Core& core, Batch& batch) = 0;

  /// Gives the element's tasks their turns again, and those that sleep because of it: what it stores may have changed.
  void wake() {
    for (auto& task : tasks) task->wake();
    nonempty.notify();
    nonfull.notify();
  }

  /// The parameters as C++, and the definitions that go before; nothing where they cannot be constants.
  struct ParametersText {
    std::string definitions;
    std::string initializer;
  };
  [[nodiscard]] virtual std::optional<ParametersText> parameters_text() const = 0;
  /// The parameters themselves: ParametersOf<E>.
  [[nodiscard]] virtual const void* parameters() const = 0;
  /// Whether the parameters say something of the machine that has read the configuration.
  [[nodiscard]] bool depends_on_machine() const { return names->asked_the_machine(); }
  /// The metadata fields that the element touches as it is configured.
  [[nodiscard]] virtual std::vector<FieldInfo> fields() const = 0;

  // What the router asks.
  [[nodiscard]] virtual int task_count(int cores) const = 0;
  /// Where its first task runs if no StaticThreadSched says.
  [[nodiscard]] virtual int first_core() const = 0;
  /// What became of packets here. What others do with packets that came from here is in their ledgers.
  [[nodiscard]] virtual Ledger ledger() = 0;
  [[nodiscard]] virtual std::uint64_t held() = 0;
  /// Whether the element can say that a pull would find nothing (stores can, most sources cannot), and what it says
  /// now.
  [[nodiscard]] virtual bool tells_empty() const = 0;
  [[nodiscard]] virtual bool empty() = 0;
  [[nodiscard]] virtual std::uint64_t capacity() = 0;  ///< the most packets that the element holds at a time
  [[nodiscard]] virtual bool notes_full() const = 0;
  [[nodiscard]] virtual bool heeds_full() const = 0;
  [[nodiscard]] virtual bool full() = 0;
  [[nodiscard]] virtual std::vector<DropCount> drops() const = 0;
  [[nodiscard]] virtual std::vector<Handler> handlers() = 0;
  /// A handler whose name is known only when it is asked for.
  [[nodiscard]] virtual std::optional<Handler> other_handler(std::string_view name) = 0;

  std::string name;
  std::string configuration;
  Location where;
  Location configuration_where;
  std::unique_ptr<Names> names;  ///< what the configuration defines, as this element sees it; set before `configure`
  bool well_configured = false;  ///< `configure` has found nothing wrong
  const ElementClass* element_class = nullptr;
  ControlPlane* control_plane = nullptr;

  std::vector<Target> outputs;  ///< of push outputs; a null node where nothing is connected
  std::vector<Target> inputs;   ///< of pull inputs
  std::vector<bool> output_is_pull;
  std::vector<bool> input_is_pull;
  std::vector<std::vector<Target>> feeders;  ///< per input, every connection that ends there

  const MilledElement* milled = nullptr;  ///< none: interpreted
  Core* home = nullptr;                   ///< where the timer runs, and tasks unless there are several
  std::vector<std::unique_ptr<Task>> tasks;
  std::vector<Core*> task_homes;               ///< per task
  std::vector<std::unique_ptr<Timer>> alarms;  ///< per task, to wake it: context.sleep_until
  bool starts_asleep = false;                  ///< `initialize` has put the tasks to sleep
  std::unique_ptr<Timer> timer;
  Notifier nonempty;                     ///< of a store: for tasks that pull from it
  Notifier nonfull;                      ///< of a store: for tasks that push into it
  std::vector<Node*> upstream_stores;    ///< that this element's tasks pull from
  std::vector<Node*> downstream_stores;  ///< with a full note, that its tasks push into
  bool upstream_always_active = false;   ///< pulls from something that never says that it is empty
};

}  // namespace packetmill::engine
