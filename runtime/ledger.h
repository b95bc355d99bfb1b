#pragma once

#include <cstdint>

namespace packetmill {

/// Where every packet came from and went to. Nothing is lost silently:
///   received + generated + cloned = sent + dropped + consumed + held
struct Ledger {
  std::uint64_t received = 0;   ///< came in through a port
  std::uint64_t generated = 0;  ///< made by an element
  std::uint64_t cloned = 0;
  std::uint64_t sent = 0;  ///< left through a port
  std::uint64_t dropped = 0;
  std::uint64_t consumed = 0;  ///< did their work and ended
  std::uint64_t held = 0;      ///< in stores; filled in when asked

  Ledger& operator+=(const Ledger& other) {
    received += other.received;
    generated += other.generated;
    cloned += other.cloned;
    sent += other.sent;
    dropped += other.dropped;
    consumed += other.consumed;
    held += other.held;
    return *this;
  }
  [[nodiscard]] bool balanced() const { return received + generated + cloned == sent + dropped + consumed + held; }
  bool operator==(const Ledger&) const = default;
};

}  // namespace packetmill
