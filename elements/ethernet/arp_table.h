#pragma once

#include <deque>
#include <list>
#include <string>

#include "runtime/element.h"
#include "tables/exact/exact.h"

namespace packetmill {

/// How much an ArpTable keeps, and for how long. 0: no limit.
struct ArpLimits {
  std::uint32_t packets;
  std::uint32_t entries;
  std::uint32_t packets_per_entry;
  std::uint32_t slim_factor;  ///< over `packets`, 1/slim_factor of the packets go at once; at least 1
  Duration timeout;
};

/// Why an ArpTable loses packets.
struct ArpDrops {
  static constexpr Reason over_capacity{0, "over_capacity"};
  static constexpr Reason over_entry_capacity{1, "over_entry_capacity"};
  static constexpr Reason over_entry_packet_capacity{2, "over_entry_packet_capacity"};
  static constexpr Reason unanswered{3, "unanswered"};
  static constexpr Reason cleared{4, "cleared"};
};

/// Which Ethernet address an IP address has, and the packets that wait for an answer to that.
///
/// Not synchronised. Every function that can lose packets hands each with its reason to `drop(Owned<P>, Reason)`.
template <class P>
class ArpTable : ArpDrops {
 public:
  struct Entry {
    IPv4Address ip;
    EthernetAddress ethernet = EthernetAddress::broadcast();
    bool known = false;
    Timestamp live;       ///< when it was last heard of, or first asked for
    Timestamp ask_again;  ///< not before then
    std::deque<P*> held;  ///< oldest first
  };
  /// "At most 10 queries a second for any IP address" (ARPQuerier's documentation).
  static constexpr Duration kAskInterval = Duration::milliseconds(100);

  /// The entry of an address that is known at `now`; null otherwise.
  [[nodiscard]] const Entry* find(IPv4Address ip, const ArpLimits& limits, Timestamp now) const {
    const auto* place = index_.find(key(ip));
    return place != nullptr && (*place)->known && !expired(**place, limits, now) ? &**place : nullptr;
  }

  /// Whether another query may be sent for the address; if so, none may within the next kAskInterval.
  [[nodiscard]] bool ask(IPv4Address ip, Timestamp now) {
    const auto* place = index_.find(key(ip));
    if (place == nullptr || now < (*place)->ask_again) return false;
    (*place)->ask_again = now + kAskInterval;
    return true;
  }

  /// Keeps a packet until the address is learned.
  void hold(IPv4Address ip, Owned<P> packet, const ArpLimits& limits, Timestamp now, auto&& drop) {
    expire(limits, now, drop);
    Entry& entry = ensure(ip, limits, now, drop);
    if (limits.packets_per_entry != 0 && entry.held.size() >= limits.packets_per_entry)
      drop_oldest(entry, over_entry_packet_capacity, drop);
    entry.held.push_back(packet.release());
    if (++packets_ <= limits.packets || limits.packets == 0) return;
    const std::size_t target = limits.packets - limits.packets / limits.slim_factor;
    for (Entry& oldest : entries_)
      while (packets_ > target && !oldest.held.empty() && !(&oldest == &entry && oldest.held.size() == 1))
        drop_oldest(oldest, over_capacity, drop);
  }

  /// The address is known from now on. Its packets stay until release() gives them out.
  Entry& learn(IPv4Address ip, EthernetAddress ethernet, const ArpLimits& limits, Timestamp now, auto&& drop) {
    expire(limits, now, drop);
    Entry& entry = ensure(ip, limits, now, drop);
    entries_.splice(entries_.end(), entries_, *index_.find(key(ip)));
    entry.ethernet = ethernet;
    entry.known = true;
    entry.live = now;
    entry.ask_again = now;
    return entry;
  }
  [[nodiscard]] std::deque<P*> release(Entry& entry) {
    packets_ -= entry.held.size();
    return std::exchange(entry.held, {});
  }

  /// Any packet that is held; null where there is none.
  [[nodiscard]] Owned<P> take_any() {
    for (Entry& entry : entries_) {
      if (entry.held.empty()) continue;
      Owned<P> packet(entry.held.front());
      entry.held.pop_front();
      --packets_;
      return packet;
    }
    return {};
  }

  void expire(const ArpLimits& limits, Timestamp now, auto&& drop) {
    while (!entries_.empty() && expired(entries_.front(), limits, now)) erase(entries_.front().ip, unanswered, drop);
  }
  void erase(IPv4Address ip, Reason reason, auto&& drop) {
    const auto* place = index_.find(key(ip));
    if (place == nullptr) return;
    while (!(*place)->held.empty()) drop_oldest(**place, reason, drop);
    entries_.erase(*place);
    index_.erase(key(ip));
  }
  void clear(auto&& drop) {
    while (!entries_.empty()) erase(entries_.front().ip, cleared, drop);
  }

  [[nodiscard]] std::list<Entry>& entries() { return entries_; }
  [[nodiscard]] const std::list<Entry>& entries() const { return entries_; }
  [[nodiscard]] std::size_t packets() const { return packets_; }

 private:
  using Key = std::array<std::uint8_t, 4>;
  using Place = typename std::list<Entry>::iterator;
  static Key key(IPv4Address ip) { return std::bit_cast<Key>(ip); }

  static bool expired(const Entry& entry, const ArpLimits& limits, Timestamp now) {
    return limits.timeout > Duration{} && entry.live + limits.timeout < now;
  }

  Entry& ensure(IPv4Address ip, const ArpLimits& limits, Timestamp now, auto&& drop) {
    if (const auto* place = index_.find(key(ip))) return **place;
    if (limits.entries != 0 && entries_.size() >= limits.entries) erase(entries_.front().ip, over_entry_capacity, drop);
    if (index_.size() == index_.capacity()) grow();
    Entry& entry = entries_.emplace_back();
    entry.ip = ip;
    entry.live = now;
    (void)index_.insert(key(ip), std::prev(entries_.end()));  // there is room, and the key is new
    return entry;
  }
  void grow() {
    index_ = Index(2 * index_.capacity());
    for (auto place = entries_.begin(); place != entries_.end(); ++place) (void)index_.insert(key(place->ip), place);
  }
  void drop_oldest(Entry& entry, Reason reason, auto&& drop) {
    drop(Owned<P>(entry.held.front()), reason);
    entry.held.pop_front();
    --packets_;
  }

  using Index = tables::ExactTable<4, Place>;
  std::list<Entry> entries_;  ///< the one not heard of for longest first
  Index index_{64};
  std::size_t packets_ = 0;
};

}  // namespace packetmill
