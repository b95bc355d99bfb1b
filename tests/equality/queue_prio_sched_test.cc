#include "elements/queue/PrioSched.h"
#include "elements/queue/Queue.h"
#include "elements/queue/Unqueue.h"
#include "tests/equality/equality.h"

namespace packetmill::testing {
namespace {

using milled::Element;
using milled::From;
using milled::Out;
using milled::Pulled;
using milled::To;

// A pull path between stores and a task. The Unqueue stands still until the test lets some packets through.
constexpr const char* kScript = R"(
  in0 :: TestInput -> high :: Queue(5) -> [0]sched :: PrioSched;
  in1 :: TestInput -> low :: Queue(9) -> [1]sched;
  sched -> task :: Unqueue(3, LIMIT 0) -> out0 :: TestOutput;
  high[1] -> out1 :: TestOutput;
)";

struct HighSite {
  using Packet = PacketOf<>;
  static constexpr const char* name = "high";
  static constexpr Queue::Control control{.capacity = 5};
  using Outputs = std::tuple<Pulled, To<Out<1>>>;
};
using High = Element<Queue, HighSite>;
struct LowSite {
  using Packet = PacketOf<>;
  static constexpr const char* name = "low";
  static constexpr Queue::Control control{.capacity = 9};
  using Outputs = std::tuple<Pulled>;
};
using Low = Element<Queue, LowSite>;
struct SchedSite {
  using Packet = PacketOf<>;
  static constexpr const char* name = "sched";
  using Inputs = std::tuple<From<High>, From<Low>>;
  using Outputs = std::tuple<Pulled>;
};
using Sched = Element<PrioSched, SchedSite>;
struct TaskSite {
  using Packet = PacketOf<>;
  static constexpr const char* name = "task";
  static constexpr Unqueue::Control control{.burst = 3, .limit = 0};
  using Inputs = std::tuple<From<Sched>>;
  using Outputs = std::tuple<To<Out<0>>>;
};
using Task = Element<Unqueue, TaskSite>;
using Milled = milled::Graph<std::tuple<To<High>, To<Low>>, High, Low, Sched, Task>;

/// Packets that fill both queues, and now and then a number of them let through; then the task stands still again, so
/// that it does not matter in which bursts packets come.
Steps traffic(unsigned seed) {
  Dice dice(seed);
  Steps steps;
  for (int i = 0; i < 6000; ++i) {
    const std::string queue = dice.of<std::string>({"high", "low"});
    const unsigned what = dice.below(100);
    if (what < 80) {
      steps.push_back(PacketIn{static_cast<int>(dice.below(2)), TestPacket(udp(1, 2, counting(dice.below(16))))});
      auto& frame = std::get<PacketIn>(steps.back()).packet.bytes;
      frame[4] = static_cast<std::uint8_t>(i >> 8);  // each packet its own number
      frame[5] = static_cast<std::uint8_t>(i);
    } else if (what < 94) {
      steps.push_back(ControlWrite{"task.reset", ""});
      steps.push_back(ControlWrite{"task.limit", std::to_string(dice.below(20))});
      steps.push_back(ControlWrite{"task.limit", "0"});
    } else if (what < 96) {
      steps.push_back(ControlWrite{queue + ".capacity", dice.one_in(6) ? "many" : std::to_string(1 + dice.below(12))});
    } else if (what < 97) {
      steps.push_back(ControlWrite{queue + ".reset", ""});
    } else if (what < 98) {
      steps.push_back(ControlWrite{queue + ".reset_counts", ""});
    } else {
      steps.push_back(ControlRead{queue + dice.of<std::string>({".length", ".highwater_length", ".drops"}), ""});
    }
  }
  return steps;
}

TEST(Contract, APullPathOfStoresASchedulerAndATask) {
  expect_same<Milled>({kScript}, {.inputs = 2, .outputs = 2}, traffic(12));
  EXPECT_GT(Low::drops[Queue::overflow.index], 0);
  EXPECT_GT(High::drops[Queue::flushed.index], 0);
}

}  // namespace
}  // namespace packetmill::testing
