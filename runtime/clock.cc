#include "runtime/clock.h"

#include <chrono>

namespace packetmill {
namespace {

template <class C>
std::int64_t nanoseconds_of() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(C::now().time_since_epoch()).count();
}

}  // namespace

Clock::Clock() : time_(nanoseconds_of<std::chrono::system_clock>() - nanoseconds_of<std::chrono::steady_clock>()) {}

Timestamp Clock::real() const {
  return Timestamp{time_.load(std::memory_order_relaxed) + nanoseconds_of<std::chrono::steady_clock>()};
}

}  // namespace packetmill
