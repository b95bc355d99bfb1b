#include <fmt/format.h>

#include <charconv>

#include "ports/summary/options.h"

namespace packetmill::summary {
namespace detail {

std::string plain_option_text(const std::uint8_t* option, std::size_t length) {
  std::string text = std::to_string(option[0]);
  for (std::size_t i = 2; i < length; ++i) text += fmt::format("{}{}", i == 2 ? '=' : ':', option[i]);
  return text;
}

bool parse_plain_option(std::string_view text, OptionBytes& bytes) {
  if (text == "eol" || text == "nop") {
    bytes.push_back(text == "nop" ? 1 : 0);
    return true;
  }
  const auto kind = take_number(text, 255);
  if (!kind) return false;
  OptionBytes option{static_cast<std::uint8_t>(*kind), 2};
  for (bool first = true; !text.empty(); first = false) {
    if (!take(text, first ? "=" : ":")) return false;
    const auto byte = take_number(text, 255);
    if (!byte) return false;
    option.push_back(static_cast<std::uint8_t>(*byte));
  }
  option[1] = static_cast<std::uint8_t>(option.size());
  bytes.insert(bytes.end(), option.begin(), option.end());
  return bytes.size() <= 40;
}

std::optional<std::uint32_t> take_number(std::string_view& text, std::uint32_t max) {
  std::uint32_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || number > max) return {};
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return number;
}

bool take(std::string_view& text, std::string_view word) {
  if (!text.starts_with(word)) return false;
  text.remove_prefix(word.size());
  return true;
}

void append32(OptionBytes& bytes, std::uint32_t value) {
  for (int shift = 24; shift >= 0; shift -= 8) bytes.push_back(static_cast<std::uint8_t>(value >> shift));
}

std::uint32_t load32(const std::uint8_t* bytes) {
  return std::uint32_t{bytes[0]} << 24U | std::uint32_t{bytes[1]} << 16U | std::uint32_t{bytes[2]} << 8U | bytes[3];
}

}  // namespace detail

namespace {

using detail::append32;
using detail::load32;
using detail::take;
using detail::take_number;

enum Kind : std::uint8_t { mss = 2, window_scale = 3, sack_permitted = 4, sack = 5, timestamp = 8 };

std::string sack_text(const std::uint8_t* option, std::size_t length) {
  if (length < 10 || length % 8 != 2) return "?";
  std::string text;
  for (std::size_t i = 2; i < length; i += 8)
    text += fmt::format("{}sack{}-{}", i > 2 ? ";" : "", load32(option + i), load32(option + i + 4));
  return text;
}

std::string option_text(const std::uint8_t* option, std::size_t length, TcpOptions which) {
  if (which == TcpOptions::sack_only && option[0] != sack && option[0] != sack_permitted) return "";
  switch (option[0]) {
    case mss:
      return length == 4 ? fmt::format("mss{}", option[2] << 8 | option[3]) : "?";
    case window_scale:
      return length == 3 ? fmt::format("wscale{}", option[2]) : "?";
    case sack_permitted:
      return length == 2 ? "sackok" : "?";
    case sack:
      return sack_text(option, length);
    case timestamp:
      if (length != 10) return "?";
      return which == TcpOptions::all ? fmt::format("ts{}:{}", load32(option + 2), load32(option + 6)) : "";
    default:
      return detail::plain_option_text(option, length);
  }
}

bool parse_option(std::string_view text, OptionBytes& bytes, std::size_t& last_sack) {
  if (detail::parse_plain_option(text, bytes)) return true;
  if (text == "sackok") {
    bytes.insert(bytes.end(), {sack_permitted, 2});
    return true;
  }
  if (take(text, "mss")) {
    const auto size = take_number(text, 0xffff);
    if (!size || !text.empty()) return false;
    bytes.insert(bytes.end(), {mss, 4, static_cast<std::uint8_t>(*size >> 8U), static_cast<std::uint8_t>(*size)});
    return true;
  }
  if (take(text, "wscale")) {
    const auto shift = take_number(text, 255);
    if (!shift || !text.empty()) return false;
    bytes.insert(bytes.end(), {window_scale, 3, static_cast<std::uint8_t>(*shift)});
    return true;
  }
  const bool is_sack = take(text, "sack");
  if (!is_sack && !take(text, "ts")) return false;
  const auto first = take_number(text);
  if (!first || !take(text, is_sack ? "-" : ":")) return false;
  const auto second = take_number(text);
  if (!second || !text.empty()) return false;
  // Blocks that follow each other are one option's.
  if (is_sack && last_sack < bytes.size() && last_sack + bytes[last_sack + 1] == bytes.size()) {
    bytes[last_sack + 1] = static_cast<std::uint8_t>(bytes[last_sack + 1] + 8);
  } else {
    if (is_sack) last_sack = bytes.size();
    bytes.insert(bytes.end(), {is_sack ? sack : timestamp, 10});
  }
  append32(bytes, *first);
  append32(bytes, *second);
  return bytes.size() <= 40;
}

}  // namespace

std::string tcp_options_text(const std::uint8_t* options, std::size_t length, TcpOptions which) {
  return detail::options_text(options, length, [which](const std::uint8_t* option, std::size_t size) {
    return option_text(option, size, which);
  });
}

std::optional<OptionBytes> parse_tcp_options(std::string_view text) {
  std::size_t last_sack = SIZE_MAX;
  return detail::parse_options(
      text, [&](std::string_view option, OptionBytes& bytes) { return parse_option(option, bytes, last_sack); });
}

}  // namespace packetmill::summary
