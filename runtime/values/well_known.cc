#include "runtime/values/well_known.h"

#include <algorithm>

namespace packetmill::well_known {
namespace {

template <typename Entry, size_t N>
const Entry* find(const Entry (&table)[N], std::string_view name) {
  const auto* entry = std::ranges::find(table, name, &Entry::name);
  return entry == std::end(table) ? nullptr : entry;
}

struct NamedProtocol {
  std::string_view name;
  uint8_t number;
};

// IANA "Assigned Internet Protocol Numbers", under the names of /etc/protocols and of Click's manual (ipip).
constexpr NamedProtocol kProtocols[] = {
    {"icmp", 1},  {"igmp", 2},  {"ggp", 3},    {"ipip", 4},       {"ipencap", 4}, {"st", 5},        {"tcp", 6},
    {"egp", 8},   {"igp", 9},   {"udp", 17},   {"rdp", 27},       {"dccp", 33},   {"ipv6", 41},     {"rsvp", 46},
    {"gre", 47},  {"esp", 50},  {"ah", 51},    {"ipv6-icmp", 58}, {"icmp6", 58},  {"icmpv6", 58},   {"eigrp", 88},
    {"ospf", 89}, {"pim", 103}, {"vrrp", 112}, {"l2tp", 115},     {"sctp", 132},  {"udplite", 136}, {"payload", 255},
};

enum Transport { tcp_only, udp_only, both };

struct NamedPort {
  std::string_view name;
  uint16_t number;
  Transport transport;
};

// IANA "Service Name and Transport Protocol Port Number Registry", with the spellings of Click's IPClassifier manual
// page.
constexpr NamedPort kPorts[] = {
    {"tcpmux", 1, tcp_only},
    {"echo", 7, both},
    {"discard", 9, both},
    {"systat", 11, tcp_only},
    {"daytime", 13, both},
    {"netstat", 15, tcp_only},
    {"chargen", 19, both},
    {"ftp-data", 20, tcp_only},
    {"ftp", 21, tcp_only},
    {"ssh", 22, both},
    {"telnet", 23, tcp_only},
    {"smtp", 25, tcp_only},
    {"time", 37, both},
    {"whois", 43, tcp_only},
    {"domain", 53, both},
    {"dns", 53, both},
    {"bootps", 67, both},
    {"bootpc", 68, both},
    {"tftp", 69, udp_only},
    {"gopher", 70, tcp_only},
    {"finger", 79, tcp_only},
    {"www", 80, both},
    {"http", 80, both},
    {"kerberos", 88, both},
    {"pop3", 110, tcp_only},
    {"sunrpc", 111, both},
    {"auth", 113, tcp_only},
    {"nntp", 119, tcp_only},
    {"ntp", 123, both},
    {"netbios-ns", 137, both},
    {"netbios-dgm", 138, both},
    {"netbios-ssn", 139, both},
    {"imap", 143, tcp_only},
    {"imap2", 143, tcp_only},
    {"snmp", 161, both},
    {"snmp-trap", 162, both},
    {"xdmcp", 177, both},
    {"bgp", 179, tcp_only},
    {"irc", 194, both},
    {"imap3", 220, both},
    {"ldap", 389, both},
    {"https", 443, both},
    {"microsoft-ds", 445, both},
    {"submission", 587, tcp_only},
    {"biff", 512, udp_only},
    {"exec", 512, tcp_only},
    {"who", 513, udp_only},
    {"login", 513, tcp_only},
    {"syslog", 514, udp_only},
    {"shell", 514, tcp_only},
    {"printer", 515, tcp_only},
    {"route", 520, udp_only},
    {"rip", 520, udp_only},
    {"ldaps", 636, both},
    {"rsync", 873, tcp_only},
    {"imaps", 993, both},
    {"pop3s", 995, both},
    {"socks", 1080, tcp_only},
    {"openvpn", 1194, both},
    {"l2tp", 1701, udp_only},
    {"radius", 1812, both},
    {"nfs", 2049, both},
    {"mysql", 3306, tcp_only},
    {"sip", 5060, both},
    {"postgresql", 5432, tcp_only},
    {"x11", 6000, tcp_only},
};

struct NamedAnnotation {
  std::string_view name;
  Annotation annotation;
};

// Click's packet_anno.hh layout, which configurations reach by number.
constexpr NamedAnnotation kAnnotations[] = {
    {"DST_IP", {0, 4}},           {"DST_IP6", {0, 16}},       {"PAINT", {16, 1}},           {"ICMP_PARAMPROB", {17, 1}},
    {"FIX_IP_SRC", {19, 1}},      {"VLAN_TCI", {20, 2}},      {"AGGREGATE", {20, 4}},       {"FWD_RATE", {20, 4}},
    {"MISC_IP", {20, 4}},         {"EXTRA_PACKETS", {24, 4}}, {"REV_RATE", {24, 4}},        {"EXTRA_LENGTH", {28, 4}},
    {"FIRST_TIMESTAMP", {32, 8}}, {"PACKET_NUMBER", {32, 4}}, {"SEQUENCE_NUMBER", {36, 4}}, {"PERFCTR", {40, 8}},
};

}  // namespace

std::optional<IPProtocol> find_protocol(std::string_view name) {
  const NamedProtocol* entry = find(kProtocols, name);
  return entry ? std::optional(IPProtocol{entry->number}) : std::nullopt;
}

std::optional<uint16_t> find_port(std::string_view name, IPProtocol protocol) {
  if (protocol != kTcp && protocol != kUdp) return {};
  const NamedPort* entry = find(kPorts, name);
  // No name stands for different services over TCP and UDP, so the first entry decides.
  if (!entry || entry->transport == (protocol == kTcp ? udp_only : tcp_only)) return {};
  return entry->number;
}

std::optional<Annotation> find_annotation(std::string_view name) {
  const NamedAnnotation* entry = find(kAnnotations, name);
  return entry ? std::optional(entry->annotation) : std::nullopt;
}

}  // namespace packetmill::well_known
