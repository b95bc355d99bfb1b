#pragma once

#include <cstdint>
#include <initializer_list>
#include <random>
#include <span>
#include <string>
#include <string_view>

namespace packetmill::verify {

/// Chance, from a seed: the same on every machine.
class Dice {
 public:
  explicit Dice(std::uint64_t seed) : random_(seed) {}
  [[nodiscard]] std::uint32_t below(std::uint32_t bound) { return static_cast<std::uint32_t>(random_() % bound); }
  [[nodiscard]] int between(int least, int most) {
    return least + static_cast<int>(below(static_cast<std::uint32_t>(most - least + 1)));
  }
  [[nodiscard]] bool one_in(std::uint32_t n) { return below(n) == 0; }
  [[nodiscard]] std::string of(std::initializer_list<std::string_view> words) {
    return std::string(words.begin()[below(static_cast<std::uint32_t>(words.size()))]);
  }

 private:
  std::mt19937_64 random_;
};

/// A random element: what stands between its parentheses, and how many ports of it are used.
struct Draft {
  std::string arguments;
  int inputs = 1;
  int outputs = 1;
};

/// Where an element stands on the ways of packets.
enum class Role : std::uint8_t {
  source,     ///< packets begin there
  push,       ///< packets are pushed through it
  either,     ///< ... or pulled, through output 0; what leaves by others is pushed
  pull,       ///< packets are pulled through it, likewise
  store,      ///< packets are pushed in, and pulled out of output 0
  scheduler,  ///< packets are pulled from one of several inputs
  pump,       ///< pulls packets, and pushes them
  sink,       ///< packets are pushed into it, or it pulls them
  apart,      ///< no ports
};

/// What packets are when they come to an element, where a graph is sensible.
enum class Layer : std::uint8_t { any, ethernet, ip };

/// The annotations that an element touches. Some share bytes, or are given by number: they have no place in registers,
/// so that not every program may hold all of them.
enum class Annotations : std::uint8_t { common, vlan, aggregate, numbered };

/// How to make a random element of one class.
struct Recipe {
  std::string_view class_name;
  Role role;
  Layer expects;
  Layer gives;  ///< any: what came in
  bool modest;  ///< may stand in a cycle: of a packet it makes no other one, and no longer one
  Annotations annotations;
  Draft (*draft)(Dice&);
};

/// A way, or several, for each element class of the library but for those of `not_drawn`.
[[nodiscard]] std::span<const Recipe> recipes();

/// Element classes that random graphs do not have, and why.
struct NotDrawn {
  std::string_view class_name;
  std::string_view reason;
};
[[nodiscard]] std::span<const NotDrawn> not_drawn();

}  // namespace packetmill::verify
