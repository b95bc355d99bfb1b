#include <fmt/format.h>

#include <array>
#include <cctype>
#include <span>

#include "runtime/values/parse.h"

namespace packetmill {
namespace {

__extension__ using Wide = unsigned __int128;  // for products of a number and its unit, which need more than 64 bits

constexpr std::string_view kInvalidNumber = "invalid number";

std::string out_of_range(const auto& bound) { return fmt::format("out of range, bound {}", bound); }

int digit_value(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return 16;
}

struct Magnitude {
  uint64_t value = 0;
  bool overflow = false;  // `value` is meaningless
};

/// Digits with their base prefix, without a sign.
std::optional<Magnitude> read_magnitude(std::string_view text) {
  int base = 10;
  if (text.starts_with("0x") || text.starts_with("0X")) {
    base = 16;
    text.remove_prefix(2);
  } else if (text.starts_with("0b") || text.starts_with("0B")) {
    base = 2;
    text.remove_prefix(2);
  } else if (text.size() > 1 && text[0] == '0') {
    base = 8;
  }
  Magnitude result;
  char previous = '_';
  for (const char c : text) {
    if (c == '_' && previous != '_') {
      previous = c;
      continue;
    }
    const int digit = digit_value(c);
    if (digit >= base) return {};
    result.overflow |= __builtin_mul_overflow(result.value, uint64_t(base), &result.value);
    result.overflow |= __builtin_add_overflow(result.value, uint64_t(digit), &result.value);
    previous = c;
  }
  if (previous == '_') return {};  // no digit, or a separator that separates nothing
  return result;
}

/// text * numerator / denominator, rounded to the nearest; nullopt if `text` is no plain decimal number. An overflow of
/// 64 bits is marked. The numerator is below 2^50.
std::optional<Magnitude> read_scaled(std::string_view text, uint64_t numerator, uint64_t denominator = 1) {
  Wide mantissa = 0;
  Wide divisor = denominator;
  bool fraction = false;
  bool digits = false;
  bool overflow = false;
  for (const char c : text) {
    if (c == '.' && !fraction) {
      fraction = true;
      continue;
    }
    if (c < '0' || c > '9') return {};
    digits = true;
    // Beyond 22 digits a decimal place is below any resolution, and an integer is beyond 64 bits in any unit.
    if (mantissa >= Wide(1'000'000'000'000) * 10'000'000'000) {
      overflow |= !fraction;
      continue;
    }
    mantissa = mantissa * 10 + Wide(c - '0');
    if (fraction) divisor *= 10;
  }
  if (!digits) return {};
  const Wide rounded = (mantissa * numerator + divisor / 2) / divisor;
  return Magnitude{static_cast<uint64_t>(rounded), overflow || rounded > std::numeric_limits<uint64_t>::max()};
}

struct Unit {
  std::string_view name;
  uint64_t numerator;
  uint64_t denominator = 1;
};

/// A decimal number, blanks, and one of `units` (an empty name stands for no unit).
std::optional<Magnitude> read_with_unit(std::string_view text, std::span<const Unit> units) {
  const size_t number_size = std::min(text.find_first_not_of("0123456789."), text.size());
  std::string_view name = text.substr(number_size);
  while (!name.empty() && std::isspace(static_cast<unsigned char>(name.front()))) name.remove_prefix(1);
  if (name.empty() && number_size != text.size()) return {};
  for (const Unit& unit : units) {
    if (unit.name == name) return read_scaled(text.substr(0, number_size), unit.numerator, unit.denominator);
  }
  return {};
}

constexpr Unit kTimeUnits[] = {
    {"", 1'000'000'000},
    {"ns", 1},
    {"nsec", 1},
    {"us", 1'000},
    {"usec", 1'000},
    {"ms", 1'000'000},
    {"msec", 1'000'000},
    {"s", 1'000'000'000},
    {"sec", 1'000'000'000},
    {"second", 1'000'000'000},
    {"seconds", 1'000'000'000},
    {"m", 60'000'000'000},
    {"min", 60'000'000'000},
    {"minute", 60'000'000'000},
    {"minutes", 60'000'000'000},
    {"h", 3'600'000'000'000},
    {"hr", 3'600'000'000'000},
    {"hour", 3'600'000'000'000},
    {"hours", 3'600'000'000'000},
    {"d", 86'400'000'000'000},
    {"day", 86'400'000'000'000},
    {"days", 86'400'000'000'000},
};

constexpr Unit kSizeUnits[] = {{"", 1},        {"k", 1 << 10}, {"K", 1 << 10},          {"M", 1 << 20},
                               {"m", 1 << 20}, {"G", 1 << 30}, {"g", uint64_t{1} << 30}};

/// A time in nanoseconds.
ParseError read_time(std::string_view text, bool may_be_negative, int64_t& out) {
  const bool negative = may_be_negative && text.starts_with('-');
  if (negative) text.remove_prefix(1);
  const auto nanoseconds = read_with_unit(text, kTimeUnits);
  if (!nanoseconds) return "invalid time";
  constexpr uint64_t kMax = std::numeric_limits<int64_t>::max();
  if (nanoseconds->overflow || nanoseconds->value > kMax) {
    return out_of_range(to_string(Duration{negative ? -int64_t{kMax} : int64_t{kMax}}));
  }
  out = negative ? -static_cast<int64_t>(nanoseconds->value) : static_cast<int64_t>(nanoseconds->value);
  return {};
}

}  // namespace

namespace detail {

ParseError parse_signed(std::string_view text, int64_t min, int64_t max, int64_t& out) {
  const bool negative = text.starts_with('-');
  if (negative || text.starts_with('+')) text.remove_prefix(1);
  const auto magnitude = read_magnitude(text);
  if (!magnitude) return std::string(kInvalidNumber);
  // The least value has no positive counterpart: compare and negate without a sign.
  const uint64_t limit = negative ? -static_cast<uint64_t>(min) : static_cast<uint64_t>(max);
  if (magnitude->overflow || magnitude->value > limit) return out_of_range(negative ? min : max);
  out = static_cast<int64_t>(negative ? -magnitude->value : magnitude->value);
  return {};
}

ParseError parse_unsigned(std::string_view text, uint64_t max, uint64_t& out) {
  if (text.starts_with('+')) text.remove_prefix(1);
  const auto magnitude = read_magnitude(text);
  if (!magnitude) return std::string(kInvalidNumber);
  if (magnitude->overflow || magnitude->value > max) return out_of_range(max);
  out = magnitude->value;
  return {};
}

ParseError parse_binary_fraction(std::string_view text, unsigned bits, uint32_t& out) {
  if (text.starts_with('+')) text.remove_prefix(1);
  const auto scaled = read_scaled(text, uint64_t{1} << bits);
  if (!scaled) return std::string(kInvalidNumber);
  constexpr uint64_t kMax = std::numeric_limits<uint32_t>::max();
  if (scaled->overflow || scaled->value > kMax) return out_of_range(kMax >> bits);
  out = static_cast<uint32_t>(scaled->value);
  return {};
}

ParseError parse_decimal_fraction(std::string_view text, unsigned digits, int32_t& out) {
  const bool negative = text.starts_with('-');
  if (negative || text.starts_with('+')) text.remove_prefix(1);
  int64_t scale = 1;
  for (unsigned i = 0; i < digits; ++i) scale *= 10;
  const auto scaled = read_scaled(text, static_cast<uint64_t>(scale));
  if (!scaled) return std::string(kInvalidNumber);
  constexpr int64_t kMax = std::numeric_limits<int32_t>::max();
  if (scaled->overflow || scaled->value > uint64_t{kMax}) return out_of_range(negative ? -kMax / scale : kMax / scale);
  out = static_cast<int32_t>(negative ? -static_cast<int64_t>(scaled->value) : static_cast<int64_t>(scaled->value));
  return {};
}

ParseError parse_range(std::string_view text, uint64_t max, uint64_t& first, uint64_t& last) {
  const size_t dash = text.find('-');
  if (auto error = parse_unsigned(text.substr(0, dash), max, first)) return error;
  if (dash == std::string_view::npos) {
    last = first;
    return {};
  }
  if (auto error = parse_unsigned(text.substr(dash + 1), max, last)) return error;
  return last < first ? ParseError("range ends before it begins") : ParseError();
}

}  // namespace detail

ParseError parse(std::string_view text, bool& out, const Names&) {
  for (const std::string_view word : {"true", "yes", "t", "y", "1"}) {
    if (text == word) return out = true, std::nullopt;
  }
  for (const std::string_view word : {"false", "no", "f", "n", "0"}) {
    if (text == word) return out = false, std::nullopt;
  }
  return "invalid boolean";
}

ParseError parse(std::string_view text, Duration& out, const Names&) { return read_time(text, false, out.nanoseconds); }

ParseError parse(std::string_view text, Timestamp& out, const Names&) { return read_time(text, true, out.nanoseconds); }

ParseError parse(std::string_view text, Bandwidth& out, const Names&) {
  struct Prefix {
    std::string_view name;
    uint64_t factor;
  };
  static constexpr Prefix kPrefixes[] = {{"", 1}, {"k", 1'000}, {"K", 1'000}, {"M", 1'000'000}, {"G", 1'000'000'000}};
  std::optional<Magnitude> rate = read_with_unit(text, std::array{Unit{"", 1}});
  for (const Prefix& prefix : kPrefixes) {
    for (const Unit& base :
         {Unit{"bps", 1, 8}, Unit{"b/s", 1, 8}, Unit{"baud", 1, 8}, Unit{"Bps", 1}, Unit{"B/s", 1}}) {
      if (rate) break;
      const std::string name = std::string(prefix.name) + std::string(base.name);
      rate = read_with_unit(text, std::array{Unit{name, prefix.factor, base.denominator}});
    }
  }
  if (!rate) return "invalid bandwidth";
  if (rate->overflow) return out_of_range(std::numeric_limits<uint64_t>::max());
  out.bytes_per_second = rate->value;
  return {};
}

ParseError parse(std::string_view text, ByteCount& out, const Names&) {
  const auto bytes = read_with_unit(text, kSizeUnits);
  if (!bytes) return "invalid size";
  if (bytes->overflow) return out_of_range(std::numeric_limits<uint64_t>::max());
  out.bytes = bytes->value;
  return {};
}

}  // namespace packetmill
