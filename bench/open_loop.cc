#include "bench/open_loop.h"

#include <x86intrin.h>

#include <algorithm>
#include <chrono>
#include <cstring>

#include "bench/traffic.h"
#include "ports/dpdk/burst.h"
#include "runtime/headers.h"

namespace packetmill::bench {
namespace {

using Clock = std::chrono::steady_clock;

constexpr unsigned kBurst = 32;
constexpr std::uint64_t kFrames = 4096;  // a power of two
constexpr std::size_t kLength = 60;      // with the check sequence, Ethernet's least

/// Has waited long enough after so much time on its core. What lies between two looks counts for a millisecond at most: a
/// process that is stopped, or has to share its core, has not waited meanwhile.
class Patience {
 public:
  explicit Patience(std::chrono::seconds limit) : limit_(limit) {}
  bool is_over() {
    const auto now = Clock::now();
    waited_ += std::min<Clock::duration>(now - last_, std::chrono::milliseconds(1));
    last_ = now;
    return waited_ > limit_;
  }
  void renew() { waited_ = {}; }

 private:
  Clock::duration limit_;
  Clock::duration waited_{};
  Clock::time_point last_ = Clock::now();
};

/// The last bytes of a frame. What a network function makes itself does not have them.
struct Stamp {
  std::uint64_t run;   ///< kMagic plus the number of the run
  std::uint64_t time;  ///< when the frame was to leave
};
constexpr std::uint64_t kMagic = 0x6f70656e6c6f6f70;

}  // namespace

OpenLoop::OpenLoop(dpdk::Port& port, std::uint64_t seed) : port_(port) {
  Traffic traffic({.seed = seed});
  for (std::uint64_t i = 0; i < kFrames; ++i) {
    std::vector<std::uint8_t> frame = traffic.next();
    // RFC 768: no checksum. The stamp would make it wrong.
    std::memset(frame.data() + sizeof(EthernetHeader) + sizeof(IPv4Header) + offsetof(UdpHeader, checksum), 0, 2);
    frames_.insert(frames_.end(), frame.begin(), frame.end());
  }
}

bool OpenLoop::wait_for_answer() {
  const Schedule one(Arrivals::constant, 1, 1);
  Patience until_connected(std::chrono::seconds(3));
  for (int unanswered = 0; unanswered < 3 && !until_connected.is_over() && !stopped_;) {
    const OpenLoopResult result = run(one, 2);
    if (result.delivered > 0) return true;
    if (result.refused == 0) ++unanswered;
  }
  return false;
}

OpenLoopResult OpenLoop::run(const Schedule& schedule, std::uint64_t duration) {
  dpdk::register_thread();
  ++run_;
  OpenLoopResult result;
  const std::uint64_t start = __rdtsc();
  const auto more = [&] {
    return schedule.all_at_once() ? __rdtsc() - start < duration : schedule.departure(result.offered) < duration;
  };
  while (more() && !stopped_) {
    result.offered += send_due(schedule, start, duration, result);
    receive(start, result);
  }
  drain(start, result);
  return result;
}

/// A burst at most of the frames whose time has come; how many there were.
std::uint64_t OpenLoop::send_due(const Schedule& schedule, std::uint64_t start, std::uint64_t duration,
                                 OpenLoopResult& result) {
  rte_mbuf* burst[kBurst];
  unsigned made = 0;
  unsigned due = 0;
  const std::uint64_t now = __rdtsc() - start;
  for (; due < kBurst; ++due) {
    const std::uint64_t number = result.offered + due;
    const std::uint64_t departure = schedule.all_at_once() ? now : schedule.departure(number);
    if (departure > now || departure >= duration) break;
    result.lateness.add(now - departure);
    rte_mbuf* frame = dpdk::allocate(port_.pool(), kLength);
    if (frame == nullptr) continue;
    std::uint8_t* data = dpdk::bytes(frame).data();
    std::memcpy(data, frames_.data() + number % kFrames * kLength, kLength);
    const Stamp stamp{kMagic + run_, start + departure};
    std::memcpy(data + kLength - sizeof stamp, &stamp, sizeof stamp);
    burst[made++] = frame;
  }
  const unsigned taken = made == 0 ? 0 : dpdk::transmit(port_, 0, burst, made);
  dpdk::release(burst + taken, made - taken);
  result.refused += due - taken;
  return due;
}

/// A burst at most of what is back; how many frames came, of whomever.
unsigned OpenLoop::receive(std::uint64_t start, OpenLoopResult& result) {
  rte_mbuf* burst[kBurst];
  const unsigned received = dpdk::receive(port_, 0, burst, kBurst);
  if (received == 0) return 0;
  const std::uint64_t now = __rdtsc();
  for (unsigned i = 0; i < received; ++i) {
    const std::span<const std::uint8_t> frame = dpdk::bytes(burst[i]);
    Stamp stamp{};
    if (frame.size() >= sizeof stamp) std::memcpy(&stamp, frame.data() + frame.size() - sizeof stamp, sizeof stamp);
    if (stamp.run != kMagic + run_) continue;
    ++result.delivered;
    result.latency.add(now - stamp.time);
    result.cycles = now - start;
  }
  dpdk::release(burst, received);
  return received;
}

void OpenLoop::drain(std::uint64_t start, OpenLoopResult& result) {
  Patience patience(std::chrono::seconds(1));
  while (result.delivered + result.refused < result.offered && !stopped_ && !patience.is_over())
    if (receive(start, result) > 0) patience.renew();
}

}  // namespace packetmill::bench
