#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <string_view>

namespace packetmill {

/// A non-negative fixed-point number with `Bits` binary places: "0.5" is Fraction<16>{1 << 15}.
template <unsigned Bits>
struct Fraction {
  static_assert(Bits < 32);
  static constexpr uint32_t kOne = uint32_t{1} << Bits;
  uint32_t raw = 0;
  friend constexpr auto operator<=>(Fraction, Fraction) = default;
};

std::string fraction_text(uint32_t raw, unsigned bits);
/// The shortest decimal number that reads back as the same fraction: "0.1", though no Fraction is exactly that.
template <unsigned Bits>
std::string to_string(Fraction<Bits> fraction) {
  return fraction_text(fraction.raw, Bits);
}

/// A number scaled by a power of ten: "1.5" is Decimal<3>{1500}.
template <unsigned Digits>
struct Decimal {
  static_assert(Digits < 10);
  int32_t raw = 0;
  friend constexpr auto operator<=>(Decimal, Decimal) = default;
};

/// first <= n <= last.
template <typename T>
struct Range {
  T first{};
  T last{};
  [[nodiscard]] constexpr bool contains(T n) const { return first <= n && n <= last; }
  friend constexpr bool operator==(Range, Range) = default;
};

struct Bandwidth {
  uint64_t bytes_per_second = 0;
  friend constexpr auto operator<=>(Bandwidth, Bandwidth) = default;
};

struct ByteCount {
  uint64_t bytes = 0;
  friend constexpr auto operator<=>(ByteCount, ByteCount) = default;
};

struct FileName {
  std::string_view path;
  friend constexpr bool operator==(FileName, FileName) = default;
};

/// A place in Click's annotation area, in bytes. Size 0: the configuration gave only an offset, and the element
/// decides.
struct Annotation {
  uint8_t offset = 0;
  uint8_t size = 0;
  friend constexpr bool operator==(Annotation, Annotation) = default;
};
inline constexpr unsigned kAnnotationArea = 48;

struct IPProtocol {
  uint8_t number = 0;
  friend constexpr bool operator==(IPProtocol, IPProtocol) = default;
};
inline constexpr IPProtocol kIcmp{1};
inline constexpr IPProtocol kTcp{6};
inline constexpr IPProtocol kUdp{17};

/// A port in host byte order, named by the table of its protocol.
struct TcpPort {
  uint16_t number = 0;
  friend constexpr bool operator==(TcpPort, TcpPort) = default;
};
struct UdpPort {
  uint16_t number = 0;
  friend constexpr bool operator==(UdpPort, UdpPort) = default;
};

}  // namespace packetmill
