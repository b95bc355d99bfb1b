#include "ports/summary/binary.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "ports/summary/digest.h"
#include "ports/summary/options.h"

namespace packetmill::summary {
namespace {

using S = const Summary&;

void append_number(std::string& bytes, std::uint64_t number, std::size_t width) {
  while (width-- > 0) bytes += static_cast<char>(number >> 8 * width);
}
std::uint64_t number_of(std::string_view bytes) {
  std::uint64_t number = 0;
  for (const char byte : bytes) number = number << 8U | static_cast<std::uint8_t>(byte);
  return number;
}
const std::uint8_t* octets(std::string_view bytes) { return reinterpret_cast<const std::uint8_t*>(bytes.data()); }
std::string_view chars(const OptionBytes& bytes) { return {reinterpret_cast<const char*>(bytes.data()), bytes.size()}; }
template <class T>
void append_raw(std::string& bytes, const T& value) {
  bytes.append(reinterpret_cast<const char*>(&value), sizeof(value));
}

/// Seconds, and micro- or nanoseconds.
template <Timestamp Summary::* Member, std::int64_t Unit>
void put_time(S s, std::string& bytes) {
  const std::int64_t nanoseconds = (s.*Member).nanoseconds;
  append_number(bytes, static_cast<std::uint64_t>(nanoseconds / kNanosecondsPerSecond), 4);
  append_number(bytes, static_cast<std::uint64_t>(nanoseconds % kNanosecondsPerSecond / Unit), 4);
}
template <int Digits>
std::string time_text(std::string_view bytes) {
  return fmt::format("{}.{:0{}}", number_of(bytes.substr(0, 4)), number_of(bytes.substr(4)), Digits);
}

std::string address_text(std::string_view bytes) {
  return fmt::format("{}.{}.{}.{}", octets(bytes)[0], octets(bytes)[1], octets(bytes)[2], octets(bytes)[3]);
}
std::string ethernet_text(std::string_view bytes) {
  return fmt::format("{:02X}", fmt::join(octets(bytes), octets(bytes) + bytes.size(), "-"));
}

void put_fragment(S s, std::string& bytes) {
  if (s.ip != nullptr) find_field("ip_frag")->write(s, bytes);
}
std::string fragment_text(std::string_view bytes) { return bytes[0] == 0 ? "-" : std::string(bytes); }

/// The header's own 16 bits: flags, and the offset in units of eight bytes (RFC 791, 3.1).
std::string fragment_offset_text(std::string_view bytes) {
  const auto field = static_cast<std::uint16_t>(number_of(bytes));
  return fmt::format("{}{}{}", (field & kFragmentOffset) * 8, (field & kMoreFragments) != 0 ? "+" : "",
                     (field & kDontFragment) != 0 ? "!" : "");
}

void put_ip_options(S s, std::string& bytes) {
  if (s.ip != nullptr) bytes.append(reinterpret_cast<const char*>(s.ip + 1), s.ip->header_length() - sizeof(*s.ip));
}
/// The options' own bytes, or, where some are left out, the others'.
template <TcpOptions Which>
void put_tcp_options(S s, std::string& bytes) {
  if (s.tcp == nullptr || s.transport_captured < s.tcp->header_length()) return;
  const auto* options = s.transport + sizeof(TcpHeader);
  const std::size_t length = s.tcp->header_length() - sizeof(TcpHeader);
  if (Which == TcpOptions::all)
    bytes.append(reinterpret_cast<const char*>(options), length);
  else if (const auto chosen = parse_tcp_options(tcp_options_text(options, length, Which)))
    bytes.append(chars(*chosen));
}
std::string ip_options_of(std::string_view bytes) { return ip_options_text(octets(bytes), bytes.size()); }
std::string tcp_options_of(std::string_view bytes) {
  return tcp_options_text(octets(bytes), bytes.size(), TcpOptions::all);
}

void put_digest(S s, std::string& bytes) {
  if (const auto digest = payload_md5(s)) append_raw(bytes, *digest);
}
std::string no_text(std::string_view) { return "-"; }  // no packet can be made of a digest

constexpr std::size_t kVariable = 0;  ///< a byte with the length, and as many bytes
enum class Zero { is_zero, is_none };

struct Form {
  std::string_view field;
  std::size_t width;
  /// A length, offset or count that no packet has as zero: where it is, the packet had none.
  Zero zero = Zero::is_zero;
  /// Appends the bytes, nothing where the packet has none. Null: the field's text is a number.
  void (*put)(S s, std::string& bytes) = nullptr;
  /// The text of `width` bytes. Null: they are a number.
  std::string (*text)(std::string_view bytes) = nullptr;
};

// INTERPRETATION: the manual page says nothing of ip_hl, ip_dscp, ip_ecn, ip_sum, tcp_off, tcp_window, tcp_urp, ICMP's
// fields, direction, link, paint, aggregate and wire_len; they are as wide as the header or the annotation has them.
// Nor does it say what stands for a value that a packet has not: zeros.
constexpr Form kForms[] = {
    {"timestamp", 8, Zero::is_zero, put_time<&Summary::time, 1000>, time_text<6>},
    {"utimestamp", 8, Zero::is_zero, put_time<&Summary::time, 1000>, time_text<6>},
    {"ntimestamp", 8, Zero::is_zero, put_time<&Summary::time, 1>, time_text<9>},
    {"first_timestamp", 8, Zero::is_zero, put_time<&Summary::first_time, 1000>, time_text<6>},
    {"ts_sec", 4},
    {"ts_usec", 4},
    {"ts_usec1", 8},

    {"ip_src", 4, Zero::is_zero,
     [](S s, std::string& b) {
       if (s.ip) append_raw(b, s.ip->source);
     },
     address_text},
    {"ip_dst", 4, Zero::is_zero,
     [](S s, std::string& b) {
       if (s.ip) append_raw(b, s.ip->destination);
     },
     address_text},
    {"ip_frag", 1, Zero::is_zero, put_fragment, fragment_text},
    {"ip_fragoff", 2, Zero::is_zero,
     [](S s, std::string& b) {
       if (s.ip) append_raw(b, s.ip->fragment);
     },
     fragment_offset_text},
    {"ip_len", 4, Zero::is_none},
    {"ip_proto", 1, Zero::is_zero,
     [](S s, std::string& b) {
       if (s.ip) append_raw(b, s.ip->protocol);
     }},
    {"ip_hl", 1, Zero::is_none},
    {"ip_id", 2},
    {"ip_tos", 1},
    {"ip_dscp", 1},
    {"ip_ecn", 1, Zero::is_zero,
     [](S s, std::string& b) {
       if (s.ip) append_number(b, s.ip->tos & 3U, 1);
     }},
    {"ip_ttl", 1},
    {"ip_sum", 2},
    {"ip_opt", kVariable, Zero::is_zero, put_ip_options, ip_options_of},
    {"ip_capture_len", 4, Zero::is_none},

    {"sport", 2},
    {"dport", 2},
    {"tcp_seq", 4},
    {"tcp_ack", 4},
    {"tcp_off", 1, Zero::is_none},
    {"tcp_flags", 1, Zero::is_zero,
     [](S s, std::string& b) {
       if (s.tcp) append_raw(b, s.tcp->flags);
     }},
    {"tcp_window", 2},
    {"tcp_urp", 2},
    {"tcp_opt", kVariable, Zero::is_zero, put_tcp_options<TcpOptions::all>, tcp_options_of},
    {"tcp_ntopt", kVariable, Zero::is_zero, put_tcp_options<TcpOptions::without_timestamp>, tcp_options_of},
    {"tcp_sack", kVariable, Zero::is_zero, put_tcp_options<TcpOptions::sack_only>, tcp_options_of},
    {"udp_len", 4, Zero::is_none},
    {"icmp_type", 1},
    {"icmp_code", 1},
    {"icmp_type_name", 1, Zero::is_zero,
     [](S s, std::string& b) {
       if (s.icmp) append_raw(b, s.icmp->type);
     }},
    {"icmp_code_name", 1, Zero::is_zero,
     [](S s, std::string& b) {
       if (s.icmp) append_raw(b, s.icmp->code);
     }},
    {"icmp_flowid", 2},
    {"icmp_seq", 2},
    {"icmp_nextmtu", 2, Zero::is_none},

    {"payload_len", 4},
    {"payload_md5", kMd5Size, Zero::is_zero, put_digest, no_text},
    {"payload_md5_hex", kMd5Size, Zero::is_zero, put_digest, no_text},
    {"count", 4, Zero::is_none},
    {"direction", 1, Zero::is_zero, [](S s, std::string& b) { append_raw(b, s.paint); }},
    {"link", 1},
    {"paint", 1},
    {"aggregate", 4},
    {"eth_src", 6, Zero::is_zero,
     [](S s, std::string& b) {
       if (s.ethernet) append_raw(b, s.ethernet->source);
     },
     ethernet_text},
    {"eth_dst", 6, Zero::is_zero,
     [](S s, std::string& b) {
       if (s.ethernet) append_raw(b, s.ethernet->destination);
     },
     ethernet_text},
    {"wire_len", 4},
};

const Form* form_of(const Field& field) {
  const auto* found = std::ranges::find(kForms, field.name, &Form::field);
  return found == std::end(kForms) ? nullptr : found;
}

}  // namespace

void append_record(std::string& bytes, std::string_view data, std::uint32_t kind) {
  append_number(bytes, kind | static_cast<std::uint32_t>(4 + data.size()), 4);
  bytes += data;
}

bool has_binary_form(const Field& field) { return form_of(field) != nullptr; }

void append_binary(const Field& field, const Summary& summary, std::string& bytes) {
  const Form& form = *form_of(field);
  std::string value;
  if (form.put != nullptr) {
    form.put(summary, value);
  } else if (std::string text; field.write(summary, text)) {
    std::uint64_t number = 0;
    std::from_chars(text.data(), text.data() + text.size(), number);
    append_number(value, number, form.width);
  }
  if (form.width == kVariable)
    append_number(bytes, value.size(), 1);
  else
    value.resize(form.width);
  bytes += value;
}

std::optional<std::string> take_binary(const Field& field, std::string_view& bytes) {
  const Form& form = *form_of(field);
  std::size_t width = form.width;
  if (width == kVariable) {
    if (bytes.empty()) return {};
    width = static_cast<std::uint8_t>(bytes.front());
    bytes.remove_prefix(1);
  }
  if (bytes.size() < width) return {};
  const std::string_view value = bytes.substr(0, width);
  bytes.remove_prefix(width);
  if (form.text != nullptr) return form.text(value);
  const std::uint64_t number = number_of(value);
  return number == 0 && form.zero == Zero::is_none ? "-" : std::to_string(number);
}

}  // namespace packetmill::summary
