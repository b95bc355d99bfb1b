#include "ports/summary/digest.h"

#include <fmt/format.h>
#include <openssl/evp.h>

namespace packetmill::summary {

std::optional<std::array<std::uint8_t, kMd5Size>> payload_md5(const Summary& summary) {
  if (summary.ip == nullptr) return {};
  const auto* payload = reinterpret_cast<const std::uint8_t*>(summary.ip) + summary.payload_offset;
  std::array<std::uint8_t, kMd5Size> digest{};
  unsigned size = 0;
  if (EVP_Digest(payload, summary.captured - summary.payload_offset, digest.data(), &size, EVP_md5(), nullptr) != 1)
    return {};  // OpenSSL may be configured to have no MD5
  return digest;
}

bool put_md5(const Summary& summary, std::string& text) {
  // INTERPRETATION: the manual page says "22 chars from [A-Za-z0-9_@]" and no more; they are taken in this order, six
  // bits at a time from the first byte's highest on, as base64 does (RFC 4648, 4).
  static constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_@";
  const auto digest = payload_md5(summary);
  if (!digest) return false;
  for (std::size_t bit = 0; bit < 8 * kMd5Size; bit += 6) {
    const std::size_t at = bit / 8;
    const unsigned two = unsigned{(*digest)[at]} << 8U | (at + 1 < kMd5Size ? (*digest)[at + 1] : 0U);
    text += kDigits[two >> (10 - bit % 8) & 63U];
  }
  return true;
}

bool put_md5_hex(const Summary& summary, std::string& text) {
  const auto digest = payload_md5(summary);
  if (digest) fmt::format_to(std::back_inserter(text), "{:02x}", fmt::join(*digest, ""));
  return digest.has_value();
}

}  // namespace packetmill::summary
