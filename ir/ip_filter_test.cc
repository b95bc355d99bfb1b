#include "ir/ip_filter.h"

#include <gtest/gtest.h>

#include "ir/ip_test_packet.h"
#include "ir/optimise.h"

namespace packetmill::ir {
namespace {

/// Names for the tests: mazu is a host and a net, game a UDP port.
class MazuNames : public Names {
 public:
  std::optional<IPv4Address> find_ipv4(std::string_view name) const override {
    return name == "mazu" ? std::optional(IPv4Address::from_host(0x0a00000a)) : std::nullopt;
  }
  std::optional<IPv4Prefix> find_ipv4_prefix(std::string_view name) const override {
    if (name != "mazu") return {};
    return IPv4Prefix{IPv4Address::from_host(0x0a000000), IPv4Prefix::mask_of_length(24)};
  }
  std::optional<uint16_t> find_port(std::string_view name, IPProtocol protocol) const override {
    return name == "game" && protocol == kUdp ? std::optional<uint16_t>(5000) : std::nullopt;
  }
};

int outcome(const Formula& pattern, const TestPacket& packet) {
  const Rule rule{pattern, 0};
  const DecisionProgram program = optimise({&rule, 1});
  return evaluate(program.graph(), [&](Base base) { return packet.bytes_from(base); });
}

bool matches(std::string_view pattern, const TestPacket& packet) {
  IpExpression expression;
  const auto error = parse_ip_pattern(pattern, expression, MazuNames());
  EXPECT_FALSE(error) << pattern << ": " << error->message << " at " << error->offset;
  return outcome(lower(expression), packet) == 0;
}

TestPacket from(std::string_view source, std::string_view destination) {
  return TestPacket().source(source).destination(destination);
}
TestPacket tcp(uint16_t source, uint16_t destination, uint8_t flags = 0) {
  return TestPacket().tcp(source, destination, flags);
}
TestPacket udp(uint16_t source, uint16_t destination) { return TestPacket().udp(source, destination); }
TestPacket icmp(uint8_t type) { return TestPacket().icmp(type); }
TestPacket ip(size_t offset, uint8_t byte) { return TestPacket().ip(offset, byte); }

constexpr uint8_t kFin = 1, kSyn = 2, kRst = 4, kPsh = 8, kAck = 16, kUrg = 32;

struct Case {
  std::string_view pattern;
  std::vector<TestPacket> yes, no;
};

void expect(const std::vector<Case>& cases) {
  for (const Case& c : cases) {
    SCOPED_TRACE(c.pattern);
    for (size_t i = 0; i < c.yes.size(); ++i) EXPECT_TRUE(matches(c.pattern, c.yes[i])) << "yes " << i;
    for (size_t i = 0; i < c.no.size(); ++i) EXPECT_FALSE(matches(c.pattern, c.no[i])) << "no " << i;
  }
}

TEST(IpPattern, WholePatterns) {
  for (const std::string_view all : {"-", "any", "all", "true"}) EXPECT_TRUE(matches(all, TestPacket())) << all;
  for (const std::string_view none : {"none", "false"}) EXPECT_FALSE(matches(none, TestPacket())) << none;
}

TEST(IpPattern, HostsAndNets) {
  const auto a_to_b = from("10.0.0.1", "10.0.0.2");
  const auto b_to_a = from("10.0.0.2", "10.0.0.1");
  const auto a_to_a = from("10.0.0.1", "10.0.0.1");
  const auto others = from("10.0.1.3", "10.0.1.4");
  expect({
      {"src host 10.0.0.1", {a_to_b, a_to_a}, {b_to_a, others}},
      {"dst host 10.0.0.1", {b_to_a, a_to_a}, {a_to_b, others}},
      {"host 10.0.0.1", {a_to_b, b_to_a, a_to_a}, {others}},
      {"src or dst host 10.0.0.1", {a_to_b, b_to_a, a_to_a}, {others}},
      {"src and dst host 10.0.0.1", {a_to_a}, {a_to_b, b_to_a, others}},
      {"dst or src 10.0.0.1", {a_to_b, b_to_a}, {others}},
      {"src 10.0.0.1", {a_to_b}, {b_to_a}},
      {"ip src host == 10.0.0.1", {a_to_b}, {b_to_a}},
      {"src host != 10.0.0.1", {b_to_a, others}, {a_to_b, a_to_a}},
      {"host != 10.0.0.1", {others}, {a_to_b, b_to_a, a_to_a}},
      {"src host & 255.255.255.0 == 10.0.1.0", {others}, {a_to_b}},
      {"net 10.0.1.0/24", {others}, {a_to_b}},
      {"10.0.1.0/24", {others}, {a_to_b}},
      {"src net 10.0.1.0 mask 255.255.255.0", {others}, {a_to_b}},
      {"10.0.1.0 mask 255.255.255.0", {others}, {a_to_b}},
      {"dst net 10.0.0.2/255.0.0.255", {a_to_b}, {b_to_a, others}},
      {"src net 10.0.1.77/24", {others}, {a_to_b}},
      {"net != 10.0.1/24", {a_to_b}, {others}},
      {"net 0/0", {a_to_b, others}, {}},
      {"src mazu", {from("10.0.0.10", "1.1.1.1")}, {a_to_b}},
      {"src net mazu", {a_to_b}, {others}},
  });
}

TEST(IpPattern, Ports) {
  const auto tail = tcp(80, 80).fragment(100, false);
  expect({
      {"src port 80", {tcp(80, 1), udp(80, 1)}, {tcp(1, 80), TestPacket().protocol(132).ports(80, 80), tail}},
      {"dst tcp port 80", {tcp(1, 80)}, {tcp(80, 1), udp(1, 80)}},
      {"udp dst port 53", {udp(1, 53)}, {tcp(1, 53), udp(53, 1)}},
      {"tcp port www", {tcp(80, 1), tcp(1, 80)}, {udp(80, 1), tcp(1, 1)}},
      {"www", {tcp(80, 1), udp(1, 80)}, {tcp(1, 1)}},
      {"dst www", {tcp(1, 80)}, {tcp(80, 1)}},
      {"tcp www", {tcp(80, 1)}, {udp(80, 1)}},
      {"udp game", {udp(1, 5000)}, {tcp(1, 5000)}},
      {"src and dst port 7", {tcp(7, 7)}, {tcp(7, 8), tcp(8, 7)}},
      {"dst port > 1023", {tcp(1, 1024), tcp(1, 65535)}, {tcp(1, 1023), tcp(2000, 1)}},
      {"dst port >= 1023", {tcp(1, 1023)}, {tcp(1, 1022)}},
      {"dst port < 1023", {tcp(1, 1022)}, {tcp(1, 1023), icmp(8)}},
      {"dst port <= 1023", {tcp(1, 1023)}, {tcp(1, 1024)}},
      {"dst port >= 0", {tcp(1, 0)}, {icmp(8)}},
      {"dst port < 0", {}, {tcp(1, 0), icmp(8)}},
      {"src tcp port != 5", {tcp(6, 5)}, {tcp(5, 6), udp(6, 6), tail}},
      {"tcp port != 5", {tcp(6, 7)}, {tcp(5, 6), tcp(6, 5)}},
      {"!(src tcp port == 5)", {tcp(6, 5), udp(5, 5), tail}, {tcp(5, 6)}},
      {"src tcp port & 10 == 8", {tcp(8, 0), tcp(0x1c, 0)}, {tcp(10, 0), tcp(2, 0)}},
      {"src port & 1", {tcp(3, 0)}, {tcp(2, 1)}},
      {"tcp src port 80", {TestPacket().options(3).tcp(80, 1)}, {TestPacket().options(3).tcp(1, 80)}},
  });
}

TEST(IpPattern, HeaderFields) {
  const auto more = TestPacket().fragment(0, true);
  const auto last = TestPacket().fragment(185, false);
  const auto dont = ip(6, 0x40);
  expect({
      {"ip proto tcp", {tcp(1, 1)}, {udp(1, 1)}},
      {"ip proto 17", {udp(1, 1)}, {tcp(1, 1)}},
      {"proto != udp", {tcp(1, 1)}, {udp(1, 1)}},
      {"ip proto > 6", {udp(1, 1)}, {tcp(1, 1)}},
      {"icmp", {icmp(8)}, {tcp(1, 1)}},
      {"igmp", {TestPacket().protocol(2)}, {tcp(1, 1)}},
      {"ip vers 4", {TestPacket()}, {ip(0, 0x65)}},
      {"ip vers != 4", {ip(0, 0x65)}, {TestPacket()}},
      {"ip hl 5", {TestPacket()}, {TestPacket().options(1)}},
      {"ip hl > 5", {TestPacket().options(1)}, {TestPacket()}},
      {"ip len 258", {ip(2, 1).ip(3, 2)}, {ip(2, 2).ip(3, 1)}},
      {"ip id 0x0102", {ip(4, 1).ip(5, 2)}, {ip(4, 2).ip(5, 1)}},
      {"ip tos 3", {ip(1, 3)}, {ip(1, 2)}},
      {"ip tos & 0xf0 > 0x20", {ip(1, 0x3f)}, {ip(1, 0x2f)}},
      {"ip dscp 46", {ip(1, 0xb8), ip(1, 0xbb)}, {ip(1, 46)}},
      {"ip dscp & 32 == 32", {ip(1, 0x80)}, {ip(1, 0x20)}},
      {"ip dscp >= 10", {ip(1, 40)}, {ip(1, 39)}},
      {"ip ect", {ip(1, 1), ip(1, 2), ip(1, 3)}, {ip(1, 0), ip(1, 4)}},
      {"ip ce", {ip(1, 3), ip(1, 0xff)}, {ip(1, 1), ip(1, 2)}},
      {"ip ttl 64", {TestPacket()}, {ip(8, 63)}},
      {"ttl <= 1", {ip(8, 1), ip(8, 0)}, {ip(8, 2)}},
      {"ip frag", {more, last}, {TestPacket(), dont}},
      {"ip unfrag", {TestPacket(), dont}, {more, last}},
      {"unfrag", {TestPacket()}, {more}},
      {"ip[8] 64", {TestPacket()}, {ip(8, 63)}},
      {"ip[12:4] & 0xff000000 = 0x0a000000", {from("10.1.2.3", "0.0.0.0")}, {from("11.1.2.3", "0.0.0.0")}},
      {"ip[3:2] == 0x0203", {ip(3, 2).ip(4, 3)}, {ip(3, 2).ip(4, 4)}},
      {"ip[3:2] > 0x0203", {ip(3, 2).ip(4, 4)}, {ip(3, 2).ip(4, 3), ip(4, 4)}},
  });
}

TEST(IpPattern, TransportFields) {
  const auto tail = tcp(1, 1, kSyn).fragment(1, false);
  expect({
      {"tcp opt syn", {tcp(1, 1, kSyn), tcp(1, 1, kSyn | kAck)}, {tcp(1, 1, kAck), udp(1, 1), tail}},
      {"tcp syn", {tcp(1, 1, kSyn)}, {tcp(1, 1)}},
      {"fin ack", {tcp(1, 1, kFin | kAck)}, {tcp(1, 1, kFin), tcp(1, 1, kAck)}},
      {"rst or psh or urg", {tcp(1, 1, kRst), tcp(1, 1, kPsh), tcp(1, 1, kUrg)}, {tcp(1, 1, kSyn)}},
      {"tcp win 258", {tcp(1, 1).transport(14, 1).transport(15, 2)}, {tcp(1, 1), tail}},
      {"tcp win > 100", {tcp(1, 1).transport(15, 101)}, {tcp(1, 1).transport(15, 100)}},
      {"icmp type echo", {icmp(8)}, {icmp(0), tcp(8 << 8, 1), icmp(8).fragment(1, false)}},
      {"icmp echo", {icmp(8)}, {icmp(0)}},
      {"icmp type 3", {icmp(3)}, {icmp(8)}},
      {"unreachable", {icmp(3)}, {icmp(8)}},
      {"icmp type != 4", {icmp(3)}, {icmp(4), tcp(3 << 8, 1)}},
      {"tcp[13] & 2 != 0", {tcp(1, 1, kSyn)}, {tcp(1, 1, kAck), udp(1, 1)}},
      {"tcp[13] & 2", {tcp(1, 1, kSyn)}, {tcp(1, 1, kAck)}},
      {"udp[0:2] 53", {udp(53, 1)}, {udp(1, 53), tcp(53, 1)}},
      {"transp[2:2] = 53", {udp(1, 53), tcp(1, 53)}, {udp(53, 1), udp(1, 53).fragment(1, true)}},
  });
}

TEST(IpPattern, IcmpTypesByName) {
  const std::pair<std::string_view, uint8_t> names[] = {{"echo-reply", 0},
                                                        {"unreachable", 3},
                                                        {"sourcequench", 4},
                                                        {"redirect", 5},
                                                        {"echo", 8},
                                                        {"routeradvert", 9},
                                                        {"routersolicit", 10},
                                                        {"timeexceeded", 11},
                                                        {"parameterproblem", 12},
                                                        {"timestamp", 13},
                                                        {"timestamp-reply", 14},
                                                        {"inforeq", 15},
                                                        {"inforeq-reply", 16},
                                                        {"maskreq", 17},
                                                        {"maskreq-reply", 18}};
  for (const auto& [name, number] : names) {
    const std::string pattern = "icmp type " + std::string(name);
    EXPECT_TRUE(matches(pattern, icmp(number))) << name;
    EXPECT_FALSE(matches(pattern, icmp(number + 1))) << name;
  }
}

TEST(IpPattern, EthernetHosts) {
  const auto to_broadcast = TestPacket().mac(0, 0xff).mac(1, 0xff).mac(2, 0xff).mac(3, 0xff).mac(4, 0xff).mac(5, 0xff);
  const auto from_two = TestPacket().mac(11, 2);
  expect({
      {"dst ether host ff:ff:ff:ff:ff:ff", {to_broadcast}, {from_two}},
      {"src ether host 0:0:0:0:0:2", {from_two}, {to_broadcast}},
      {"ether host 0:0:0:0:0:2", {from_two}, {to_broadcast}},
      {"ether host != 0:0:0:0:0:2", {to_broadcast}, {from_two}},
  });
}

TEST(IpPattern, Connectives) {
  const auto web = tcp(1, 80), ssh = tcp(1, 22), dns = udp(1, 53);
  expect({
      {"tcp and dst port 80", {web}, {ssh, dns}},
      {"tcp && dst port 80", {web}, {ssh}},
      {"tcp dst port 80", {web}, {ssh}},
      {"tcp or udp", {web, dns}, {icmp(8)}},
      {"tcp || udp", {web, dns}, {icmp(8)}},
      {"not tcp", {dns}, {web}},
      {"! tcp", {dns}, {web}},
      {"!tcp", {dns}, {web}},
      {"not not tcp", {web}, {dns}},
      {"(dst port www or dst port ssh) and tcp opt syn", {tcp(1, 80, kSyn)}, {web, tcp(1, 23, kSyn)}},
      {"udp or tcp and dst port 80", {dns, web}, {ssh}},
      {"(udp or tcp) dst port 80", {web}, {dns, ssh}},
      {"tcp ? dst port 80 : dst port 53", {web, dns}, {ssh, udp(1, 80)}},
      {"tcp ? true : udp ? dst port 53 : false", {web, ssh, dns}, {udp(1, 80), icmp(8)}},
      {"true and tcp", {web}, {dns}},
      {"false or tcp", {web}, {dns}},
      {"tcp 10.0.0.1", {TestPacket().tcp(1, 1).source("10.0.0.1")}, {web, TestPacket().udp(1, 1).source("10.0.0.1")}},
  });
}

TEST(IpPattern, ValuesTakeOverWhatTheOneBeforeThemSaid) {
  expect({
      {"src port 80 or 81", {tcp(80, 1), tcp(81, 1)}, {tcp(1, 81)}},
      {"dst tcp port 8000 or 8080", {tcp(1, 8080)}, {udp(1, 8080), tcp(8080, 1)}},
      {"dst tcp port > 1023 or 80", {tcp(1, 80), tcp(1, 2000)}, {tcp(1, 81), tcp(80, 1)}},
      {"src host 10.0.0.1 or 10.0.0.2", {from("10.0.0.2", "9.9.9.9")}, {from("9.9.9.9", "10.0.0.2")}},
      {"src host 10.0.0.1 or 10.0.1.0/24", {from("10.0.1.2", "9.9.9.9")}, {from("9.9.9.9", "10.0.1.2")}},
      {"src host 10.0.0.1 or dst 10.0.0.2", {from("9.9.9.9", "10.0.0.2")}, {from("10.0.0.2", "9.9.9.9")}},
      {"src port 80 and host 10.0.0.1", {TestPacket().tcp(80, 1).destination("10.0.0.1")}, {tcp(80, 1)}},
      {"src port 80 and 10.0.0.1", {TestPacket().tcp(80, 1).destination("10.0.0.1")}, {tcp(80, 1)}},
      {"src port 80 or dst port 81", {tcp(1, 81)}, {tcp(81, 1)}},
      {"port echo or discard", {tcp(9, 1)}, {icmp(8)}},
      {"icmp type 3 or echo", {icmp(8)}, {tcp(7, 7)}},
      {"ip proto tcp or 17", {udp(1, 1)}, {icmp(8)}},
      {"ip ttl 1 or 2", {ip(8, 2)}, {ip(8, 3)}},
      {"tcp opt syn and ack", {tcp(1, 1, kSyn | kAck)}, {tcp(1, 1, kSyn)}},
  });
}

TEST(IpPattern, PacketsThatAreTooShortHaveNoFieldsThere) {
  expect({
      {"tcp port 80", {}, {tcp(80, 80).truncate(21)}},
      {"tcp src port 80", {tcp(80, 80).truncate(22)}, {}},
      {"host 0.0.0.0", {}, {TestPacket().truncate(15)}},
      {"-", {TestPacket().truncate(0)}, {}},
  });
}

TEST(IpPattern, ErrorsHaveAPlace) {
  struct Error {
    std::string_view pattern, message;
    size_t offset;
  };
  const Error cases[] = {
      {"", "expected a pattern", 0},
      {"tcp and", "expected a pattern", 7},
      {"tcp or or udp", "expected a value, not 'or'", 7},
      {"(tcp", "expected ')'", 4},
      {"tcp)", "unexpected ')'", 3},
      {"tcp ? udp", "expected ':' surrounded by spaces", 9},
      {"tcp ? udp: icmp", "'udp:' is no primitive, address, port or protocol", 6},
      {"frobnicate", "'frobnicate' is no primitive, address, port or protocol", 0},
      {"80", "'80' of what? Say for example 'port 80'", 0},
      {"src 80", "'80' of what? Say for example 'port 80'", 4},
      {"echo", "'echo' is ambiguous: say 'port echo' or 'icmp type echo'", 0},
      {"src dst host 1.2.3.4", "'dst' is one direction too many", 4},
      {"src tcp opt syn", "'src' and 'dst' are for hosts, nets and ports", 0},
      {"tcp and src ip vers 4", "'src' and 'dst' are for hosts, nets and ports", 8},
      {"host", "expected a value", 4},
      {"host 1.2.3", "invalid IP address", 5},
      {"host < 1.2.3.4", "addresses are only equal ('==') or not ('!=')", 5},
      {"net 1.2.3.4/33", "invalid IP prefix", 4},
      {"net & 1 == 1.2.3.4", "no mask is possible here", 6},
      {"port 65536", "out of range, bound 65535", 5},
      {"port foo", "invalid number", 5},
      {"ip vers 16", "out of range, bound 15", 8},
      {"ip dscp 64", "out of range, bound 63", 8},
      {"ip ttl > 256", "out of range, bound 255", 9},
      {"ip id 1-2", "invalid number", 6},
      {"tcp opt == syn", "expected a TCP option (syn, fin, ack, rst, psh, urg), not '=='", 8},
      {"icmp type 256", "out of range, bound 255", 10},
      {"ip[0:5] 1", "the length is out of range 1 to 4", 3},
      {"ip[x] 1", "expected a position as in [9] or [2:2]", 3},
      {"ip[65535:2] 1", "the position is out of range", 3},
      {"ip[0 1", "expected ']'", 5},
      {"ip[0] 256", "out of range, bound 255", 6},
      {"ether net 1.2.3.0/24", "expected 'host' after 'ether'", 10},
      {"ether host 1:2:3", "invalid Ethernet address", 11},
      {"tcp and -", "'-' is no primitive, address, port or protocol", 8},
      {"tcp | udp", "expected a value, not '|'", 4},
  };
  for (const auto& [pattern, message, offset] : cases) {
    SCOPED_TRACE(pattern);
    IpExpression expression;
    const auto error = parse_ip_pattern(pattern, expression);
    ASSERT_TRUE(error);
    EXPECT_EQ(error->message, message);
    EXPECT_EQ(error->offset, offset);
  }
}

TEST(IpPattern, NestingHasALimit) {
  IpExpression expression;
  EXPECT_FALSE(parse_ip_pattern(std::string(100, '(') + "tcp" + std::string(100, ')'), expression));
  for (const std::string& deep : {std::string(100'000, '('), std::string(100'000, '!')}) {
    const auto error = parse_ip_pattern(deep + "tcp", expression);
    ASSERT_TRUE(error);
    EXPECT_EQ(error->message, "nested too deeply");
  }
}

TEST(IpFilterRule, HasAnActionAndAPattern) {
  const std::pair<std::string_view, int> cases[] = {
      {"allow tcp", 0}, {"deny tcp", kNoOutput}, {"drop tcp", kNoOutput}, {"0 tcp", 0}, {"3 tcp", 3}, {" 12\ttcp", 12}};
  for (const auto& [text, expected] : cases) {
    SCOPED_TRACE(text);
    IpFilterRule rule;
    ASSERT_FALSE(parse_ip_filter_rule(text, rule));
    EXPECT_EQ(rule.outcome, expected);
    EXPECT_EQ(outcome(lower(rule.pattern), tcp(1, 1)), 0);
    EXPECT_EQ(outcome(lower(rule.pattern), udp(1, 1)), kNoOutput);
  }
}

TEST(IpFilterRule, ErrorsHaveAPlaceInTheWholeRule) {
  IpFilterRule rule;
  auto error = parse_ip_filter_rule("permit tcp", rule);
  ASSERT_TRUE(error);
  EXPECT_EQ(error->message, "expected an action: 'allow', 'deny', 'drop' or an output's number");
  error = parse_ip_filter_rule("-1 tcp", rule);
  ASSERT_TRUE(error);
  EXPECT_EQ(error->offset, 0u);
  error = parse_ip_filter_rule("allow", rule);
  ASSERT_TRUE(error);
  EXPECT_EQ(error->message, "expected a pattern");
  error = parse_ip_filter_rule("deny host 1.2.3", rule);
  ASSERT_TRUE(error);
  EXPECT_EQ(error->offset, 10u);
}

TEST(IpFilterRule, TheFirstMatchDecides) {
  std::vector<Rule> rules;
  for (const std::string_view text : {"deny src 10.0.0.1", "1 tcp", "allow 10.0.0.0/8", "2 all"}) {
    IpFilterRule rule;
    ASSERT_FALSE(parse_ip_filter_rule(text, rule)) << text;
    rules.push_back({lower(rule.pattern), rule.outcome});
  }
  const DecisionProgram program = optimise(rules);
  const auto outcome_of = [&](const TestPacket& packet) {
    return evaluate(program.graph(), [&](Base base) { return packet.bytes_from(base); });
  };
  EXPECT_EQ(outcome_of(from("10.0.0.1", "1.1.1.1")), kNoOutput);
  EXPECT_EQ(outcome_of(from("10.0.0.2", "1.1.1.1").tcp(1, 1)), 1);
  EXPECT_EQ(outcome_of(from("10.0.0.2", "1.1.1.1")), 0);
  EXPECT_EQ(outcome_of(from("11.0.0.2", "1.1.1.1")), 2);
}

}  // namespace
}  // namespace packetmill::ir
