#include "elements/nat/mappings.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "runtime/values/scalar.h"

namespace packetmill {
namespace {

std::string identifier(const FlowKey& key) {
  return to_string(IPv4Address{key.source}) + ", " + std::to_string(swap_network(key.source_port)) + ", " +
         to_string(IPv4Address{key.destination}) + ", " + std::to_string(swap_network(key.destination_port));
}

}  // namespace

void Mappings::open(std::uint32_t capacity, std::uint64_t seed, const Limits& limits) {
  limits_ = limits;
  capacity_ = capacity;
  seed_ = seed;
  table_.emplace(2 * capacity, seed);
}

std::uint32_t Mappings::add(const FlowKey& from, const FlowKey& to, std::uint16_t output, std::uint16_t reply_output,
                            Timestamp now) {
  while (size() >= capacity_)
    if (!evict(now)) return kNone;
  const FlowKey back = reversed(to), origin = reversed(from);
  const std::uint32_t forward = table_->insert(from, table_->prefetch(from), age_tick(now), rpc);
  const std::uint32_t reply = table_->insert(back, table_->prefetch(back), age_tick(now), unaged);
  table_->value(forward) = {to.source, to.destination, to.source_port, to.destination_port, reply, output, false, 0};
  table_->value(reply) = {
      origin.source, origin.destination, origin.source_port, origin.destination_port, forward, reply_output, true, 0};
  return forward;
}

std::uint8_t Mappings::next_age(Mapping& forward, bool is_reply, std::uint8_t protocol, const Segment& segment) {
  const unsigned shift = is_reply ? kReplyShift : 0;
  const auto both = [&](unsigned what) {
    return (forward.seen & what) != 0 && (forward.seen & what << kReplyShift) != 0;
  };
  if (!limits_.follow_tcp || protocol != kTcp.number) {
    forward.seen |= static_cast<std::uint8_t>(packet << shift);
    if (forward.seen >> kPacketShift < 3) forward.seen += 1U << kPacketShift;
    return both(packet) && forward.seen >> kPacketShift == 3 ? streaming : rpc;
  }
  // INTERPRETATION: a FIN ends its direction, a RST both; a SYN where both have ended is a new connection between the
  // same ends (RFC 9293, 3.6.1), which begins anew here too.
  if ((segment.tcp_flags & kTcpSyn) != 0 && both(done)) forward.seen = 0;
  if (segment.has_data) forward.seen |= static_cast<std::uint8_t>(data << shift);
  if ((segment.tcp_flags & kTcpFin) != 0) forward.seen |= static_cast<std::uint8_t>(done << shift);
  if ((segment.tcp_flags & kTcpRst) != 0) forward.seen |= done | done << kReplyShift;
  return both(done) ? tcp_done : both(data) ? tcp_data : tcp_nodata;
}

void Mappings::end(std::uint32_t forward) {
  table_->erase(table_->value(forward).opposite);
  table_->erase(forward);
}

bool Mappings::evict(Timestamp now) {
  std::uint32_t oldest = kNone;
  for (std::uint8_t age = 0; age < kAges; ++age) {
    const std::uint32_t candidate = table_->oldest(age);
    if (candidate == kNone || table_->last_use(candidate) >= age_tick(now - limits_.guarantees[age])) continue;
    if (oldest == kNone || table_->last_use(candidate) < table_->last_use(oldest)) oldest = candidate;
  }
  if (oldest == kNone) return false;
  end(oldest);
  return true;
}

void Mappings::reap(Timestamp now) {
  for (std::uint8_t age = 0; age < kAges; ++age)
    table_->expire(age, age_tick(now - limits_.timeouts[age]),
                   [this](std::uint32_t forward) { table_->erase(table_->value(forward).opposite); });
}

void Mappings::set_capacity(std::uint32_t capacity) {
  capacity_ = capacity;
  if (2 * capacity <= table_->capacity()) return;
  Table larger(2 * capacity, seed_);
  copy_to(larger);
  table_.emplace(std::move(larger));
}

void Mappings::copy_to(Table& table) const {
  for (std::uint8_t age = 0; age < kAges; ++age)
    table_->for_each(age, [&](std::uint32_t old_forward) {
      const std::uint32_t old_reply = table_->value(old_forward).opposite;
      const auto copy = [&](std::uint32_t number, std::uint8_t list) {
        const FlowKey key = table_->key(number);
        const std::uint32_t added = table.insert(key, table.prefetch(key), table_->last_use(number), list);
        table.value(added) = table_->value(number);
        return added;
      };
      const std::uint32_t forward = copy(old_forward, age), reply = copy(old_reply, unaged);
      table.value(forward).opposite = reply;
      table.value(reply).opposite = forward;
    });
}

std::string Mappings::text(std::uint8_t protocol) const {
  std::string text;
  const auto line = [&](const FlowKey& key, const Mapping& mapping, const std::string& outputs) {
    text += fmt::format("({}, {}) => ({}) [{}]\n", identifier(key), protocol == kTcp.number ? "tcp" : "udp",
                        identifier(mapping.target(protocol)), outputs);
  };
  for (std::uint8_t age = 0; age < kAges; ++age)
    table_->for_each(age, [&](std::uint32_t number) {
      const FlowKey key = table_->key(number);
      if (key.protocol != protocol) return;
      const Mapping& forward = table_->value(number);
      const Mapping& reply = table_->value(forward.opposite);
      line(key, forward, fmt::format("*{} {}", forward.output, reply.output));
      line(table_->key(forward.opposite), reply, fmt::format("{} *{}", forward.output, reply.output));
    });
  return text;
}

}  // namespace packetmill
