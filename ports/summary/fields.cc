#include "ports/summary/fields.h"

#include <fmt/format.h>

#include <algorithm>

#include "graph/nearest.h"
#include "ports/summary/digest.h"
#include "runtime/arguments/split.h"
#include "runtime/values/well_known.h"

namespace packetmill::summary {
namespace {

using S = const Summary&;

// Writing: most fields are one value of one header.

template <class T>
bool put(std::string& text, const T& value) {
  fmt::format_to(std::back_inserter(text), "{}", value);
  return true;
}
template <class T>
T host(T network) {
  return swap_network(network);
}

template <int Digits>
bool put_time(std::string& text, Timestamp time) {
  const std::string nanoseconds = to_string(time);
  text.append(nanoseconds, 0, nanoseconds.size() - (9 - Digits));
  return true;
}
std::int64_t seconds(Timestamp time) { return time.nanoseconds / kNanosecondsPerSecond; }
std::int64_t microseconds(Timestamp time) { return time.nanoseconds % kNanosecondsPerSecond / 1000; }

/// Ports are the first four bytes of TCP and UDP alike, and may be there where the rest is not.
bool put_port(S s, std::string& text, std::uint32_t at) {
  if (s.transport == nullptr || s.transport_captured < 4) return false;
  if (s.ip->protocol != kTcp.number && s.ip->protocol != kUdp.number) return false;
  return put(text, s.transport[at] << 8 | s.transport[at + 1]);
}

constexpr std::string_view kFlagLetters = "FSRPAUECN";

bool put_flags(S s, std::string& text) {
  if (s.tcp == nullptr) return false;
  const unsigned flags = s.tcp->flags | (s.tcp->offset_and_reserved & 1U) << 8U;
  for (unsigned i = 0; i < kFlagLetters.size(); ++i)
    if ((flags >> i & 1U) != 0) text += kFlagLetters[i];
  if (flags == 0) text += '.';
  return true;
}

bool put_tcp_options(S s, std::string& text, TcpOptions which) {
  if (s.tcp == nullptr || s.transport_captured < s.tcp->header_length()) return false;
  const auto* options = s.transport + sizeof(TcpHeader);
  return put(text, tcp_options_text(options, s.tcp->header_length() - sizeof(TcpHeader), which));
}

bool put_fragment(S s, std::string& text) {
  if (s.ip == nullptr) return false;
  const std::uint16_t fragment = host(s.ip->fragment);
  if (s.ip->later_fragment())
    text += 'f';
  else if ((fragment & kMoreFragments) != 0)
    text += 'F';
  else
    text += (fragment & kDontFragment) != 0 ? '!' : '.';
  return true;
}
bool put_fragment_offset(S s, std::string& text) {
  if (s.ip == nullptr) return false;
  const std::uint16_t fragment = host(s.ip->fragment);
  put(text, (fragment & kFragmentOffset) * 8);
  if ((fragment & kMoreFragments) != 0) text += '+';
  if ((fragment & kDontFragment) != 0) text += '!';
  return true;
}

constexpr std::string_view kEcn[] = {"no", "ect1", "ect2", "ce"};

bool put_protocol(S s, std::string& text) {
  if (s.ip == nullptr) return false;
  switch (s.ip->protocol) {
    case kIcmp.number:
      return put(text, 'I');
    case kTcp.number:
      return put(text, 'T');
    case kUdp.number:
      return put(text, 'U');
    default:
      return put(text, s.ip->protocol);
  }
}

/// As a word in double quotes; what is not printable goes between `\<` and `>` in hexadecimal.
bool put_payload(S s, std::string& text) {
  if (s.ip == nullptr) return false;
  const auto* data = reinterpret_cast<const std::uint8_t*>(s.ip);
  bool hex = false;
  text += '"';
  for (std::uint32_t i = s.payload_offset; i < s.captured; ++i) {
    const std::uint8_t byte = data[i];
    const bool printable = byte >= 0x20 && byte < 0x7f;
    if (printable == hex) text += printable ? ">" : "\\<";
    hex = !printable;
    if (printable && (byte == '"' || byte == '\\' || byte == '$')) text += '\\';
    if (printable)
      text += static_cast<char>(byte);
    else
      fmt::format_to(std::back_inserter(text), "{:02x}", byte);
  }
  text += hex ? ">\"" : "\"";
  return true;
}

bool has_flow(std::uint8_t type) {
  return type == kIcmpEcho || type == kIcmpEchoReply || (type >= kIcmpTimestamp && type <= 18);
}
bool put_icmp_rest(S s, std::string& text, bool applies, unsigned shift) {
  if (s.icmp == nullptr || !applies) return false;
  return put(text, host(std::uint32_t{s.icmp->rest}) >> shift & 0xffffU);
}
bool put_name(std::string& text, std::string_view name, std::uint8_t number) {
  return name.empty() ? put(text, number) : put(text, name);
}

bool put_direction(S s, std::string& text) {
  if (s.paint > 1) return put(text, s.paint);
  return put(text, s.paint == 0 ? '>' : '<');
}

// Reading.

template <auto Member>
bool get(std::string_view text, Draft& draft) {
  return !parse(text, draft.*Member);
}

bool get_flags(std::string_view text, Draft& draft) {
  if (!parse(text, draft.tcp_flags)) return draft.tcp_flags < 512;
  std::uint16_t flags = 0;
  for (const char c : text) {
    if (c == '.') continue;
    const char letter = c == 'W' || c == 'Y' ? 'C' : c == 'X' ? 'E' : c;
    const std::size_t bit = kFlagLetters.find(letter);
    if (bit == std::string_view::npos) return false;
    flags = static_cast<std::uint16_t>(flags | 1U << bit);
  }
  draft.tcp_flags = flags;
  return true;
}

bool get_fragment(std::string_view text, Draft& draft) {
  if (text == "F")
    draft.fragment |= kMoreFragments;
  else if (text == "f")
    draft.fragment |= (draft.fragment & kFragmentOffset) == 0 ? 100 : 0;  // INTERPRETATION: any place but the first
  else if (text == "!")
    draft.fragment |= kDontFragment;
  else
    return text == ".";
  return true;
}
bool get_fragment_offset(std::string_view text, Draft& draft) {
  const auto offset = detail::take_number(text, 65535);
  if (!offset) return false;
  const std::uint32_t units = draft.fragments_in_units ? *offset : *offset / 8;
  if (units > kFragmentOffset) return false;
  draft.fragment = static_cast<std::uint16_t>(units);
  if (detail::take(text, "+")) draft.fragment |= kMoreFragments;
  if (detail::take(text, "!")) draft.fragment |= kDontFragment;
  return text.empty();
}

template <class T>
bool get_bits(std::string_view text, std::uint32_t max, T& field, unsigned shift) {
  std::uint32_t value = 0;
  if (parse(text, value) || value > max) return false;
  field = static_cast<T>((field & ~(max << shift)) | value << shift);
  return true;
}

bool get_ecn(std::string_view text, Draft& draft) {
  const auto* word = std::ranges::find(kEcn, text);
  if (word == std::end(kEcn)) return get_bits(text, 3, draft.tos, 0);
  draft.tos = static_cast<std::uint8_t>((draft.tos & ~3) | (word - kEcn));
  return true;
}

bool get_seconds(std::string_view text, Draft& draft) {
  std::uint32_t value = 0;
  if (parse(text, value)) return false;
  draft.time.nanoseconds = value * kNanosecondsPerSecond + draft.time.nanoseconds % kNanosecondsPerSecond;
  return true;
}
bool get_microseconds(std::string_view text, Draft& draft, std::int64_t max) {
  std::int64_t value = 0;
  if (parse(text, value) || value < 0 || value > max) return false;
  const std::int64_t kept = max < 1'000'000 ? seconds(draft.time) * kNanosecondsPerSecond : 0;
  draft.time.nanoseconds = kept + value * 1000;
  return true;
}

bool get_direction(std::string_view text, Draft& draft) {
  if (text == ">" || text == "L")
    draft.paint = 0;
  else if (text == "<" || text == "R" || text == "X")
    draft.paint = 1;
  else
    return get<&Draft::paint>(text, draft);
  return true;
}

bool get_icmp_type(std::string_view text, Draft& draft) {
  const auto type = well_known::find_icmp_type(text);
  if (!type) return get<&Draft::icmp_type>(text, draft);
  draft.icmp_type = *type;
  return true;
}
/// A code's name means something for a type only; so the type's field has to come first.
bool get_icmp_code(std::string_view text, Draft& draft) {
  const auto code = well_known::find_icmp_code(draft.icmp_type, text);
  if (!code) return get<&Draft::icmp_code>(text, draft);
  draft.icmp_code = *code;
  return true;
}

bool get_options(std::string_view text, OptionBytes& out, std::optional<OptionBytes> (*parse_them)(std::string_view)) {
  auto options = parse_them(text);
  if (options) out = std::move(*options);
  return options.has_value();
}

bool get_header_length(std::string_view text, std::uint32_t& out) {
  std::uint32_t length = 0;
  if (parse(text, length) || length < 20 || length > 60 || length % 4 != 0) return false;
  out = length;
  return true;
}

// clang-format off
constexpr Field kFields[] = {
    {"timestamp", [](S s, std::string& t) { return put_time<9>(t, s.time); }, get<&Draft::time>},
    {"utimestamp", [](S s, std::string& t) { return put_time<6>(t, s.time); }, get<&Draft::time>},
    {"ntimestamp", [](S s, std::string& t) { return put_time<9>(t, s.time); }, get<&Draft::time>},
    {"first_timestamp", [](S s, std::string& t) { return put_time<9>(t, s.first_time); }, get<&Draft::first_time>},
    {"ts_sec", [](S s, std::string& t) { return put(t, seconds(s.time)); }, get_seconds},
    {"ts_usec", [](S s, std::string& t) { return put(t, microseconds(s.time)); },
     [](std::string_view t, Draft& d) { return get_microseconds(t, d, 999'999); }},
    {"ts_usec1", [](S s, std::string& t) { return put(t, s.time.nanoseconds / 1000); },
     [](std::string_view t, Draft& d) { return get_microseconds(t, d, INT64_MAX / 1000); }},

    {"ip_src", [](S s, std::string& t) { return s.ip && put(t, to_string(s.ip->source)); }, get<&Draft::source>},
    {"ip_dst", [](S s, std::string& t) { return s.ip && put(t, to_string(s.ip->destination)); },
     get<&Draft::destination>},
    {"ip_frag", put_fragment, get_fragment},
    {"ip_fragoff", put_fragment_offset, get_fragment_offset},
    {"ip_len", [](S s, std::string& t) { return s.ip && put(t, host(std::uint16_t{s.ip->total_length})); },
     get<&Draft::length>},
    {"ip_proto", put_protocol, [](std::string_view t, Draft& d) { return parse_protocol(t, d.protocol); }},
    {"ip_hl", [](S s, std::string& t) { return s.ip && put(t, s.ip->header_length()); },
     [](std::string_view t, Draft& d) {
       std::uint32_t length = 20;
       if (!get_header_length(t, length)) return false;
       if (d.ip_options.size() < length - 20) d.ip_options.resize(length - 20);
       return true;
     }},
    {"ip_id", [](S s, std::string& t) { return s.ip && put(t, host(std::uint16_t{s.ip->identification})); },
     get<&Draft::identification>},
    {"ip_tos", [](S s, std::string& t) { return s.ip && put(t, s.ip->tos); }, get<&Draft::tos>},
    {"ip_dscp", [](S s, std::string& t) { return s.ip && put(t, s.ip->tos >> 2); },
     [](std::string_view t, Draft& d) { return get_bits(t, 63, d.tos, 2); }},
    {"ip_ecn", [](S s, std::string& t) { return s.ip && put(t, kEcn[s.ip->tos & 3U]); }, get_ecn},
    {"ip_ttl", [](S s, std::string& t) { return s.ip && put(t, s.ip->ttl); }, get<&Draft::ttl>},
    {"ip_sum", [](S s, std::string& t) { return s.ip && put(t, host(std::uint16_t{s.ip->checksum})); },
     get<&Draft::checksum>},
    {"ip_opt", [](S s, std::string& t) {
       return s.ip && put(t, ip_options_text(reinterpret_cast<const std::uint8_t*>(s.ip + 1),
                                             s.ip->header_length() - sizeof(IPv4Header)));
     },
     [](std::string_view t, Draft& d) { return get_options(t, d.ip_options, parse_ip_options); }},
    {"ip_capture_len", [](S s, std::string& t) { return s.ip && put(t, s.captured); }, get<&Draft::captured>},

    {"sport", [](S s, std::string& t) { return put_port(s, t, 0); }, get<&Draft::source_port>},
    {"dport", [](S s, std::string& t) { return put_port(s, t, 2); }, get<&Draft::destination_port>},

    {"tcp_seq", [](S s, std::string& t) { return s.tcp && put(t, host(std::uint32_t{s.tcp->sequence})); },
     get<&Draft::tcp_sequence>},
    {"tcp_ack", [](S s, std::string& t) { return s.tcp && put(t, host(std::uint32_t{s.tcp->acknowledgement})); },
     get<&Draft::tcp_acknowledgement>},
    {"tcp_off", [](S s, std::string& t) { return s.tcp && put(t, s.tcp->header_length()); },
     [](std::string_view t, Draft& d) { return get_header_length(t, d.tcp_header_length); }},
    {"tcp_flags", put_flags, get_flags},
    {"tcp_window", [](S s, std::string& t) { return s.tcp && put(t, host(std::uint16_t{s.tcp->window})); },
     get<&Draft::tcp_window>},
    {"tcp_urp", [](S s, std::string& t) { return s.tcp && put(t, host(std::uint16_t{s.tcp->urgent})); },
     get<&Draft::tcp_urgent>},
    {"tcp_opt", [](S s, std::string& t) { return put_tcp_options(s, t, TcpOptions::all); },
     [](std::string_view t, Draft& d) { return get_options(t, d.tcp_options, parse_tcp_options); }},
    {"tcp_ntopt", [](S s, std::string& t) { return put_tcp_options(s, t, TcpOptions::without_timestamp); },
     [](std::string_view t, Draft& d) { return get_options(t, d.tcp_options, parse_tcp_options); }},
    {"tcp_sack", [](S s, std::string& t) { return put_tcp_options(s, t, TcpOptions::sack_only); },
     [](std::string_view t, Draft& d) { return get_options(t, d.tcp_options, parse_tcp_options); }},

    {"udp_len", [](S s, std::string& t) { return s.udp && put(t, host(std::uint16_t{s.udp->length})); },
     get<&Draft::udp_length>},

    {"icmp_type", [](S s, std::string& t) { return s.icmp && put(t, s.icmp->type); }, get<&Draft::icmp_type>},
    {"icmp_code", [](S s, std::string& t) { return s.icmp && put(t, s.icmp->code); }, get<&Draft::icmp_code>},
    {"icmp_type_name",
     [](S s, std::string& t) { return s.icmp && put_name(t, well_known::icmp_type_name(s.icmp->type), s.icmp->type); },
     get_icmp_type},
    {"icmp_code_name",
     [](S s, std::string& t) {
       return s.icmp && put_name(t, well_known::icmp_code_name(s.icmp->type, s.icmp->code), s.icmp->code);
     },
     get_icmp_code},
    {"icmp_flowid", [](S s, std::string& t) { return put_icmp_rest(s, t, s.icmp && has_flow(s.icmp->type), 16); },
     get<&Draft::icmp_flow>},
    {"icmp_seq", [](S s, std::string& t) { return put_icmp_rest(s, t, s.icmp && has_flow(s.icmp->type), 0); },
     get<&Draft::icmp_sequence>},
    {"icmp_nextmtu",
     [](S s, std::string& t) { return put_icmp_rest(s, t, s.icmp && s.icmp->type == 3 && s.icmp->code == 4, 0); },
     get<&Draft::icmp_next_mtu>},

    {"payload", put_payload,
     [](std::string_view t, Draft& d) {
       d.payload = t;
       return true;
     }},
    {"payload_len", [](S s, std::string& t) { return s.ip && put(t, payload_length(s)); },
     get<&Draft::payload_length>},
    {"payload_md5", put_md5, nullptr},
    {"payload_md5_hex", put_md5_hex, nullptr},

    {"count", [](S s, std::string& t) { return put(t, s.count); },
     [](std::string_view t, Draft& d) { return get<&Draft::count>(t, d) && d.count > 0; }},
    {"direction", put_direction, get_direction},
    {"link", [](S s, std::string& t) { return put(t, s.paint); }, get_direction},
    {"paint", [](S s, std::string& t) { return put(t, s.paint); }, get_direction},
    {"aggregate", [](S s, std::string& t) { return put(t, s.aggregate); }, get<&Draft::aggregate>},
    {"eth_src", [](S s, std::string& t) { return s.ethernet && put(t, to_string(s.ethernet->source)); },
     get<&Draft::ethernet_source>},
    {"eth_dst", [](S s, std::string& t) { return s.ethernet && put(t, to_string(s.ethernet->destination)); },
     get<&Draft::ethernet_destination>},
    {"wire_len", [](S s, std::string& t) { return put(t, s.wire_length); }, nullptr},
};
// clang-format on

struct Alias {
  std::string_view old_name;
  std::string_view name;
};
constexpr Alias kAliases[] = {
    {"src", "ip_src"}, {"dst", "ip_dst"}, {"len", "ip_len"}, {"proto", "ip_proto"}, {"frag", "ip_frag"}};

}  // namespace

const Field* find_field(std::string_view name) {
  std::string wanted(name);
  std::ranges::replace(wanted, ' ', '_');
  for (const Alias& alias : kAliases)
    if (alias.old_name == wanted) wanted = alias.name;
  const auto* found = std::ranges::find(kFields, std::string_view(wanted), &Field::name);
  return found == std::end(kFields) ? nullptr : found;
}

std::vector<const Field*> parse_fields(std::string_view names, std::string& unknown) {
  std::vector<const Field*> fields;
  for (const std::string& word : split_words(names)) {
    const std::string name = unquote(word);
    const Field* field = find_field(name);
    if (field == nullptr && unknown.empty()) unknown = name;
    if (field != nullptr) fields.push_back(field);
  }
  return fields;
}

ParseError parse(std::string_view text, FieldNames& out, const Names&) {
  std::string unknown;
  if (parse_fields(text, unknown).empty() && unknown.empty()) return "expected field names";
  if (!unknown.empty()) {
    std::vector<std::string_view> known;
    for (const Field& field : kFields) known.push_back(field.name);
    const std::string hint = did_you_mean(unknown, known);
    return "unknown field '" + unknown + "'" + (hint.empty() ? "" : "; " + hint);
  }
  out.text = keep_text(std::string(text));
  return {};
}

bool parse_protocol(std::string_view text, std::uint8_t& protocol) {
  if (text == "I" || text == "T" || text == "U") {
    protocol = text == "I" ? kIcmp.number : text == "T" ? kTcp.number : kUdp.number;
    return true;
  }
  IPProtocol number;
  if (parse(text, number)) return false;
  protocol = number.number;
  return true;
}

}  // namespace packetmill::summary
