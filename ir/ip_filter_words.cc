#include "ir/ip_filter_words.h"

#include <algorithm>

#include "runtime/values/parse.h"
#include "runtime/values/well_known.h"

namespace packetmill::ir {
namespace {

template <typename T>
struct Named {
  std::string_view name;
  T meaning;
};

template <typename T, size_t N>
std::optional<T> find(const Named<T> (&table)[N], std::string_view name) {
  const auto* entry = std::ranges::find(table, name, &Named<T>::name);
  return entry == std::end(table) ? std::nullopt : std::optional(entry->meaning);
}

constexpr Named<IpField> kTypeWords[] = {
    {"host", IpField::host},
    {"net", IpField::net},
    {"port", IpField::port},
    {"proto", IpField::protocol},
    {"vers", IpField::version},
    {"hl", IpField::header_length},
    {"len", IpField::total_length},
    {"id", IpField::id},
    {"tos", IpField::tos},
    {"dscp", IpField::dscp},
    {"ttl", IpField::ttl},
    {"ect", IpField::ect},
    {"ce", IpField::ce},
    {"frag", IpField::fragment},
    {"unfrag", IpField::fragment},
    {"opt", IpField::tcp_option},
    {"win", IpField::tcp_window},
    {"type", IpField::icmp_type},
};

constexpr Named<uint32_t> kTcpOptions[] = {{"fin", 1}, {"syn", 2}, {"rst", 4}, {"psh", 8}, {"ack", 16}, {"urg", 32}};

constexpr Named<IpRelation> kRelations[] = {
    {"==", IpRelation::equal},         {"=", IpRelation::equal},       {"!=", IpRelation::not_equal},
    {"<", IpRelation::less},           {"<=", IpRelation::less_equal}, {">", IpRelation::greater},
    {">=", IpRelation::greater_equal},
};

constexpr std::string_view kReserved[] = {"and", "or", "not", "src", "dst", "mask", ":"};

}  // namespace

std::optional<IpField> find_type_word(std::string_view word) { return find(kTypeWords, word); }
std::optional<uint32_t> find_tcp_option(std::string_view word) { return find(kTcpOptions, word); }
std::optional<uint32_t> find_icmp_type(std::string_view word) { return well_known::find_icmp_type(word); }
std::optional<IpRelation> find_relation(std::string_view symbol) { return find(kRelations, symbol); }

bool is_number(std::string_view word) {
  return !word.empty() && word[0] >= '0' && word[0] <= '9' && word.find_first_of(".:/-") == std::string_view::npos;
}

bool is_reserved(std::string_view word) {
  return word.find_first_of("()[]!&|?=<>") == 0 || std::ranges::find(kReserved, word) != std::end(kReserved);
}

uint32_t greatest_value(const IpPrimitive& primitive) {
  switch (primitive.field) {
    case IpField::version:
    case IpField::header_length:
      return 15;
    case IpField::dscp:
      return 63;
    case IpField::protocol:
    case IpField::tos:
    case IpField::ttl:
    case IpField::icmp_type:
      return 0xff;
    case IpField::bytes:
      return 0xffffffff >> (32 - 8 * primitive.length);
    default:
      return 0xffff;  // ports, lengths, the identification
  }
}

bool has_direction(IpField field) { return is_address(field) || field == IpField::port; }

bool is_address(IpField field) {
  return field == IpField::host || field == IpField::net || field == IpField::ether_host;
}

bool has_field(IPProtocol protocol, IpField field) {
  switch (field) {
    case IpField::port:
      return protocol == kTcp || protocol == kUdp;
    case IpField::tcp_option:
    case IpField::tcp_window:
      return protocol == kTcp;
    case IpField::icmp_type:
      return protocol == kIcmp;
    default:
      return false;
  }
}

std::optional<uint32_t> IpWords::find_port(std::string_view word, std::optional<IPProtocol> protocol) const {
  if (!protocol) {
    const auto port = find_port(word, kTcp);
    return port ? port : find_port(word, kUdp);
  }
  auto port = names_.find_port(word, *protocol);
  if (!port) port = well_known::find_port(word, *protocol);
  return port ? std::optional<uint32_t>(*port) : std::nullopt;
}

bool IpWords::is_host(std::string_view word) const {
  IPv4Address address;
  return !parse(word, address, names_);
}

bool IpWords::is_net(std::string_view word) const {
  IPv4Prefix prefix;
  return !parse(word, prefix, names_);
}

std::optional<uint32_t> IpWords::find_number(const IpPrimitive& primitive, std::string_view word) const {
  uint32_t number = 0;
  if (is_number(word)) return parse(word, number) ? std::nullopt : std::optional(number);
  switch (primitive.field) {
    case IpField::port:
      return find_port(word, primitive.protocol);
    case IpField::icmp_type:
      return find_icmp_type(word);
    case IpField::protocol: {
      const auto protocol = well_known::find_protocol(word);
      return protocol ? std::optional<uint32_t>(protocol->number) : std::nullopt;
    }
    default:
      return {};
  }
}

bool IpWords::is_value_of(const IpPrimitive& primitive, std::string_view word) const {
  switch (primitive.field) {
    case IpField::host:
    case IpField::net:
      return is_net(word);
    case IpField::tcp_option:
      return find_tcp_option(word).has_value();
    case IpField::ether_host:
    case IpField::ect:
    case IpField::ce:
    case IpField::fragment:
    case IpField::bytes:
      return false;
    default:
      return find_number(primitive, word).has_value();
  }
}

std::vector<IpField> IpWords::meanings_of(std::string_view word, bool directed, std::optional<IPProtocol> protocol,
                                          bool has_mask) const {
  std::vector<IpField> meanings;
  const auto add = [&](IpField field, bool fits) {
    if (fits && (!directed || has_direction(field)) && (!protocol || has_field(*protocol, field))) {
      meanings.push_back(field);
    }
  };
  const bool numeric = protocol && is_number(word);  // "tcp 80", "icmp 8"
  add(IpField::protocol, well_known::find_protocol(word).has_value());
  add(IpField::tcp_option, find_tcp_option(word).has_value());
  add(IpField::port, numeric || find_port(word, protocol));
  add(IpField::icmp_type, numeric || find_icmp_type(word));
  if (meanings.empty()) {
    const bool host = is_host(word) && !has_mask;
    add(IpField::host, host);
    add(IpField::net, !host && is_net(word));
  }
  return meanings;
}

}  // namespace packetmill::ir
