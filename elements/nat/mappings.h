#pragma once

#include <array>
#include <optional>
#include <string>

#include "elements/nat/age_tick.h"
#include "elements/nat/rewrite.h"

namespace packetmill {

/// The flows of a rewriter (IPRewriter and its kind). A flow is two mappings, one for each direction, each found by the
/// flow identifier of the packets that it rewrites; they live and end together.
class Mappings {
 public:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};

  /// What a flow is like decides how long it may be silent. The forward mapping is in the list of its flow's age, the
  /// reply mapping in `unaged`.
  enum Age : std::uint8_t { rpc, streaming, tcp_nodata, tcp_data, tcp_done, unaged };
  static constexpr std::uint8_t kAges = unaged;
  struct Limits {
    std::array<Duration, kAges> timeouts{};
    std::array<Duration, kAges> guarantees{};  ///< how long after a packet a flow cannot be evicted
    bool follow_tcp = true;                    ///< false: TCP flows age as those of UDP
  };
  /// What of a packet changes its flow's age.
  struct Segment {
    std::uint8_t tcp_flags = 0;
    bool has_data = false;
  };
  struct Rewrite {
    FlowKey to;
    std::uint16_t output;
  };

  void open(std::uint32_t capacity, std::uint64_t seed, const Limits& limits);

  [[nodiscard]] std::uint32_t find(const FlowKey& key) const { return table_->find(key); }

  /// Whether answers to `to` could be told from the packets of all flows that are there, and from `from` itself.
  [[nodiscard]] bool can_add(const FlowKey& from, const FlowKey& to) const {
    return reversed(to) != from && find(reversed(to)) == kNone;
  }
  /// Adds the flow `from`, which is to become `to`, where can_add() says so; the number of its forward mapping. kNone
  /// where the table is full of flows that are guaranteed to stay.
  [[nodiscard]] std::uint32_t add(const FlowKey& from, const FlowKey& to, std::uint16_t output,
                                  std::uint16_t reply_output, Timestamp now);

  /// What a packet of flow identifier `key`, whose mapping is `number`, becomes. The flow is used, and may change its
  /// age.
  [[nodiscard]] Rewrite use(std::uint32_t number, const FlowKey& key, const Segment& segment, Timestamp now) {
    const Mapping& mapping = table_->value(number);
    const std::uint32_t forward = mapping.is_reply ? mapping.opposite : number;
    table_->touch(forward, age_tick(now), next_age(table_->value(forward), mapping.is_reply, key.protocol, segment));
    return {mapping.target(key.protocol), mapping.output};
  }
  /// The same for a lookup by hand: nothing is used.
  [[nodiscard]] FlowKey target(std::uint32_t number, const FlowKey& key) const {
    return table_->value(number).target(key.protocol);
  }

  [[nodiscard]] bool is_reply(std::uint32_t number) const { return table_->value(number).is_reply; }

  /// Ends the flows that were silent for longer than their age allows.
  void reap(Timestamp now);

  /// Ends all flows.
  void clear() { table_.emplace(2 * capacity_, seed_); }

  [[nodiscard]] std::uint32_t size() const { return table_->size() / 2; }
  [[nodiscard]] std::uint32_t capacity() const { return capacity_; }
  /// Flows beyond a smaller capacity go on as long as they are guaranteed to stay.
  void set_capacity(std::uint32_t capacity);

  /// One line a mapping: "(SA, SP, DA, DP, PROTO) => (SA', SP', DA', DP') [*OUTPUT REPLY_OUTPUT]".
  [[nodiscard]] std::string text(std::uint8_t protocol) const;

 private:
  enum Seen : std::uint8_t { done = 1, data = 2, packet = 4 };  ///< of one direction
  struct Mapping {
    std::uint32_t source, destination;
    std::uint16_t source_port, destination_port;
    std::uint32_t opposite;
    std::uint16_t output;
    bool is_reply;
    std::uint8_t seen;  ///< forward mapping: of both directions, `done` to `packet`, the reply's shifted by
                        ///< kReplyShift; and packets up to three, from kPacketShift on

    [[nodiscard]] FlowKey target(std::uint8_t protocol) const {
      return {source, destination, source_port, destination_port, protocol};
    }
  };
  using Table = tables::FlowTable<Mapping, kAges + 1>;
  static constexpr unsigned kReplyShift = 3;
  static constexpr unsigned kPacketShift = 6;

  [[nodiscard]] std::uint8_t next_age(Mapping& forward, bool is_reply, std::uint8_t protocol, const Segment& segment);
  void end(std::uint32_t forward);
  /// Ends the flow that was silent longest, if it may be.
  bool evict(Timestamp now);
  void copy_to(Table& table) const;

  std::optional<Table> table_;  ///< of two mappings a flow
  Limits limits_;
  std::uint32_t capacity_ = 0;
  std::uint64_t seed_ = 0;
};

}  // namespace packetmill
