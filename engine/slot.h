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

  [[nodiscard]] StateOf<E, Packet>& state() { return scope_of<E>() == Scope::per_core ? own_state : *first_state; }

  StateOf<E, Packet> own_state{};                ///< of a per_core element, and the one of the first slot
  StateOf<E, Packet>* first_state = &own_state;  ///< the one State of all cores
  std::array<std::uint64_t, kReasons + 2> drops{};
  Ledger ledger;
  Random random;
};

/// Where an element lives. The interpreter makes a place for it when it is built; generated code brings one, so that
/// its addresses are constants.
template <class E>
struct Place {
  Parts<E>* parts = nullptr;
  Slot<E>* slots = nullptr;  ///< one a core
};

}  // namespace packetmill::engine
