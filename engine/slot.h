#pragma once

#include <array>
#include <memory>

#include "runtime/element.h"
#include "runtime/ledger.h"
#include "runtime/random.h"

namespace packetmill::engine {

/// What all cores share of one element: what the configuration said and what handlers wrote.
template <class E>
struct Parts {
  ParametersOf<E> parameters{};
  ControlOf<E> control{};
};

/// What one core has of one element.
template <class E>
struct alignas(64) Slot {
  static constexpr std::size_t kReasons = drops_of<E>().size();
  static constexpr std::size_t kUnconnected = kReasons;
  static constexpr std::size_t kNoBuffer = kReasons + 1;

  Slot(std::uint64_t seed, std::string_view element, int core) : random(seed, element, core) {}

  std::shared_ptr<StateOf<E, Packet>> state;  ///< the core's own, or one for all
  std::array<std::uint64_t, kReasons + 2> drops{};
  Ledger ledger;
  Random random;
};

}  // namespace packetmill::engine
