#pragma once

#include <concepts>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

#include "runtime/list.h"
#include "runtime/values/address.h"
#include "runtime/values/names.h"
#include "runtime/values/scalar.h"
#include "runtime/values/time.h"

/// Click's argument types, from text. Every `parse` returns nullopt and sets `out`, or returns what is wrong, without
/// the argument's name ("out of range, bound 255"), and leaves `out` alone. `text` is one argument without surrounding
/// blanks.
namespace packetmill {

using ParseError = std::optional<std::string>;

template <typename T>
concept Integer = std::integral<T> && !std::same_as<T, bool> && !std::same_as<T, char>;

namespace detail {
ParseError parse_signed(std::string_view text, int64_t min, int64_t max, int64_t& out);
ParseError parse_unsigned(std::string_view text, uint64_t max, uint64_t& out);
ParseError parse_binary_fraction(std::string_view text, unsigned bits, uint32_t& out);
ParseError parse_decimal_fraction(std::string_view text, unsigned digits, int32_t& out);
ParseError parse_range(std::string_view text, uint64_t max, uint64_t& first, uint64_t& last);
}  // namespace detail

/// An argument that need not be given and has no default.
template <typename T>
ParseError parse(std::string_view text, std::optional<T>& out, const Names& names = kNoNames) {
  T value{};
  ParseError error = parse(text, value, names);
  if (!error) out = value;
  return error;
}

/// true, yes, t, y, 1 and false, no, f, n, 0.
ParseError parse(std::string_view text, bool& out, const Names& names = kNoNames);

/// Decimal, 0x hexadecimal, 0 octal, 0b binary; a single `_` may stand between digits; a sign, `-` only where it can be
/// kept.
template <Integer T>
ParseError parse(std::string_view text, T& out, const Names& = kNoNames) {
  using Limits = std::numeric_limits<T>;
  std::conditional_t<std::signed_integral<T>, int64_t, uint64_t> wide = 0;
  ParseError error;
  if constexpr (std::signed_integral<T>) {
    error = detail::parse_signed(text, Limits::min(), Limits::max(), wide);
  } else {
    error = detail::parse_unsigned(text, Limits::max(), wide);
  }
  if (!error) out = static_cast<T>(wide);
  return error;
}

/// "3" or "3-10".
template <std::unsigned_integral T>
ParseError parse(std::string_view text, Range<T>& out, const Names& = kNoNames) {
  uint64_t first = 0;
  uint64_t last = 0;
  ParseError error = detail::parse_range(text, std::numeric_limits<T>::max(), first, last);
  if (!error) out = {static_cast<T>(first), static_cast<T>(last)};
  return error;
}

/// "0.25", ".25", "3"; rounded to the nearest.
template <unsigned Bits>
ParseError parse(std::string_view text, Fraction<Bits>& out, const Names& = kNoNames) {
  return detail::parse_binary_fraction(text, Bits, out.raw);
}
template <unsigned Digits>
ParseError parse(std::string_view text, Decimal<Digits>& out, const Names& = kNoNames) {
  return detail::parse_decimal_fraction(text, Digits, out.raw);
}

/// "10ms", "1.5s", "1 day"; a bare number is in seconds. Never negative.
ParseError parse(std::string_view text, Duration& out, const Names& names = kNoNames);
/// "1234.567890", possibly negative.
ParseError parse(std::string_view text, Timestamp& out, const Names& names = kNoNames);
/// "1Gbps", "100 kBps", "8 Mb/s"; prefixes are powers of 1000; a bare number is in bytes per second.
ParseError parse(std::string_view text, Bandwidth& out, const Names& names = kNoNames);
/// "1500", "64K", "1G"; prefixes are powers of 1024.
ParseError parse(std::string_view text, ByteCount& out, const Names& names = kNoNames);

/// "18.26.4.9", or a name: NAME, NAME:ip, NAME:ip4, NAME:gw, and NAME:bcast for the broadcast address of its prefix.
ParseError parse(std::string_view text, IPv4Address& out, const Names& names = kNoNames);
/// "18.26.4/24", "18.26.4.0/255.255.255.0", a bare address (/32), or a name: NAME, NAME:ipnet, NAME:ip4net.
ParseError parse(std::string_view text, IPv4Prefix& out, const Names& names = kNoNames);
/// RFC 4291, 2.2, or a name: NAME, NAME:ip6.
ParseError parse(std::string_view text, IPv6Address& out, const Names& names = kNoNames);
/// "2001:db8::/32", a bare address (/128), or a name: NAME, NAME:ip6net.
ParseError parse(std::string_view text, IPv6Prefix& out, const Names& names = kNoNames);
/// "00-50-BA-85-84-A9" or "0:50:ba:85:84:a9", or a name: NAME, NAME:eth.
ParseError parse(std::string_view text, EthernetAddress& out, const Names& names = kNoNames);

/// "tcp" or "6".
ParseError parse(std::string_view text, IPProtocol& out, const Names& names = kNoNames);
/// "www" or "80"; the configuration's own names come before the well-known ones.
ParseError parse(std::string_view text, TcpPort& out, const Names& names = kNoNames);
ParseError parse(std::string_view text, UdpPort& out, const Names& names = kNoNames);
/// "PAINT", "20" or "20/2".
ParseError parse(std::string_view text, Annotation& out, const Names& names = kNoNames);

/// The same text, kept for the life of the process; equal texts are kept once.
Text keep_text(std::string text);
/// One word, quoted or not; `out` is without its quotes and lives as long as the process, like the constant that it
/// becomes when milled.
ParseError parse(std::string_view text, Text& out, const Names& names = kNoNames);
/// As Text. A leading `~` is the opener's business.
ParseError parse(std::string_view text, FileName& out, const Names& names = kNoNames);

}  // namespace packetmill
