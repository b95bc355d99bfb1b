#include "ports/dpdk/toeplitz.h"

#include <algorithm>
#include <cstring>

namespace packetmill::dpdk {
namespace {

constexpr std::uint8_t kTcp = 6;
constexpr std::uint8_t kUdp = 17;

unsigned big_endian_16(std::span<const std::uint8_t> bytes, std::size_t offset) {
  return static_cast<unsigned>(bytes[offset]) << 8 | bytes[offset + 1];
}

}  // namespace

Toeplitz::Toeplitz(const RssKey& key) : table_(std::make_unique<Table>()) {
  // Input bit i, counted from the first byte's most significant, contributes key bits i to i + 31.
  const auto key_bits = [&](std::size_t first) {
    std::uint32_t window = 0;
    for (std::size_t bit = first; bit < first + 32; ++bit)
      window = window << 1 | ((key[bit / 8] >> (7 - bit % 8)) & 1U);
    return window;
  };
  for (std::size_t byte = 0; byte < kMaximumInput; ++byte)
    for (std::size_t bit = 0; bit < 8; ++bit) {
      const std::uint32_t window = key_bits(byte * 8 + bit);
      for (std::size_t value = 0; value < 256; ++value)
        if (value & (0x80U >> bit)) (*table_)[byte][value] ^= window;
    }
}

std::uint32_t Toeplitz::hash(std::span<const std::uint8_t> input) const {
  std::uint32_t hash = 0;
  for (std::size_t i = 0; i < std::min(input.size(), kMaximumInput); ++i) hash ^= (*table_)[i][input[i]];
  return hash;
}

std::uint32_t Toeplitz::hash_frame(std::span<const std::uint8_t> frame) const {
  std::size_t offset = 12;
  for (int tags = 0; tags < 2 && frame.size() >= offset + 2; ++tags) {
    const unsigned type = big_endian_16(frame, offset);
    if (type != 0x8100 && type != 0x88a8) break;
    offset += 4;
  }
  if (frame.size() < offset + 2) return 0;
  const unsigned type = big_endian_16(frame, offset);
  const std::span<const std::uint8_t> packet = frame.subspan(offset + 2);

  std::size_t addresses;
  std::size_t addresses_size;
  std::size_t transport;
  bool ports;
  if (type == 0x0800 && packet.size() >= 20 && packet[0] >> 4 == 4) {
    addresses = 12;
    addresses_size = 8;
    transport = static_cast<std::size_t>(packet[0] & 0x0f) * 4;
    const bool fragment = (big_endian_16(packet, 6) & 0x3fff) != 0;  // RFC 791: more-fragments flag, offset
    ports = !fragment && transport >= 20 && (packet[9] == kTcp || packet[9] == kUdp);
  } else if (type == 0x86dd && packet.size() >= 40 && packet[0] >> 4 == 6) {
    addresses = 8;
    addresses_size = 32;
    transport = 40;
    ports = packet[6] == kTcp || packet[6] == kUdp;  // INTERPRETATION: behind extension headers only addresses count
  } else {
    return 0;
  }
  ports = ports && packet.size() >= transport + 4;

  std::array<std::uint8_t, kMaximumInput> input;
  std::memcpy(input.data(), &packet[addresses], addresses_size);
  if (ports) std::memcpy(&input[addresses_size], &packet[transport], 4);
  return hash(std::span(input).first(addresses_size + (ports ? 4 : 0)));
}

}  // namespace packetmill::dpdk
