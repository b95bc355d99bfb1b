#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// IP and TCP options as text, the way Click's IP summary dumps write them: options are separated by semicolons, "." is
/// none, EOL and NOP are not written (but read), and an option that is not valid makes the whole text "?". An option
/// without a form of its own is "98" or, with data, "99=0:5:10".
namespace packetmill::summary {

using OptionBytes = std::vector<std::uint8_t>;

/// "rr{10.0.0.1,20.0.0.2}+5", "ssrr{1.0.0.1,1.0.0.2^1.0.0.3}", "ts{1,10000,!45}+2++3",
/// "ts.ip{1.0.0.1=1,1.0.0.2=2}+5", "ts.preip{1.0.0.1=1^1.0.0.2,1.0.0.3}" (RFC 791, 3.1).
std::string ip_options_text(const std::uint8_t* options, std::size_t length);
/// The bytes, padded to a multiple of four; none where the text is not understood or says more than 40 bytes.
std::optional<OptionBytes> parse_ip_options(std::string_view text);

/// Which of a packet's TCP options are written.
enum class TcpOptions { all, without_timestamp, sack_only };
/// "mss1400", "wscale10", "sackok", "sack95-98" (one for each block), "ts669063908:38382731" (RFC 9293, 3.1; RFC 7323;
/// RFC 2018).
std::string tcp_options_text(const std::uint8_t* options, std::size_t length, TcpOptions which);
std::optional<OptionBytes> parse_tcp_options(std::string_view text);

namespace detail {

/// "99=0:5:10" of an option of `length` bytes from its kind on.
std::string plain_option_text(const std::uint8_t* option, std::size_t length);
/// Appends the option that "99=0:5:10", "eol" or "nop" stands for; false where the text is none of these.
bool parse_plain_option(std::string_view text, OptionBytes& bytes);
/// Takes a number off the front of `text`; none, and nothing taken, where it begins with no number up to `max`.
std::optional<std::uint32_t> take_number(std::string_view& text, std::uint32_t max = 0xffffffff);
bool take(std::string_view& text, std::string_view word);
void append32(OptionBytes& bytes, std::uint32_t value);
std::uint32_t load32(const std::uint8_t* bytes);
/// Calls `parse` with each of the options in `text`, then pads; as parse_ip_options.
template <class Parse>
std::optional<OptionBytes> parse_options(std::string_view text, Parse parse) {
  OptionBytes bytes;
  if (text == ".") return bytes;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(';'), text.size());
    if (!parse(text.substr(0, end), bytes)) return {};
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  while (bytes.size() % 4 != 0) bytes.push_back(0);
  if (bytes.size() > 40) return {};
  return bytes;
}

/// Goes through options as both protocols lay them out, calling `print(option, length)`, which gives an option's text,
/// "" to leave it out, or "?" where it is not valid.
template <class Print>
std::string options_text(const std::uint8_t* options, std::size_t length, Print print) {
  std::string text;
  for (std::size_t i = 0; i < length && options[i] != 0;) {
    if (options[i] == 1) {
      ++i;
      continue;
    }
    if (i + 2 > length || options[i + 1] < 2 || i + options[i + 1] > length) return "?";
    const std::string one = print(options + i, options[i + 1]);
    if (one == "?") return one;
    if (!one.empty() && !text.empty()) text += ';';
    text += one;
    i += options[i + 1];
  }
  return text.empty() ? "." : text;
}

}  // namespace detail
}  // namespace packetmill::summary
