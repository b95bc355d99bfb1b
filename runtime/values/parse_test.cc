#include "runtime/values/parse.h"

#include <gtest/gtest.h>

#include <utility>

namespace packetmill {
namespace {

/// The value that `text` stands for, or what is wrong with it; `untouched` is in the output where nothing was read.
template <typename T>
struct Parsed {
  T value{};
  ParseError error;
};

template <typename T>
Parsed<T> parsed(std::string_view text, const Names& names = kNoNames) {
  Parsed<T> result;
  result.error = parse(text, result.value, names);
  return result;
}

template <typename T>
void expect_values(std::initializer_list<std::pair<std::string_view, T>> table, const Names& names = kNoNames) {
  for (const auto& [text, value] : table) {
    SCOPED_TRACE(text);
    const auto result = parsed<T>(text, names);
    EXPECT_EQ(result.error.value_or(""), "");
    EXPECT_TRUE(result.value == value);
  }
}

template <typename T>
void expect_errors(std::initializer_list<std::pair<std::string_view, std::string_view>> table,
                   const Names& names = kNoNames) {
  for (const auto& [text, error] : table) {
    SCOPED_TRACE(text);
    const auto result = parsed<T>(text, names);
    EXPECT_EQ(result.error.value_or("no error"), error);
    EXPECT_TRUE(result.value == T{}) << "a failed parse leaves the output alone";
  }
}

TEST(Parse, Booleans) {
  expect_values<bool>({{"true", true}, {"yes", true}, {"t", true}, {"y", true}, {"1", true}});
  expect_values<bool>({{"false", false}, {"no", false}, {"f", false}, {"n", false}, {"0", false}});
  expect_errors<bool>({{"", "invalid boolean"}, {"2", "invalid boolean"}, {"True", "invalid boolean"}});
}

TEST(Parse, IntegersInEveryBase) {
  expect_values<int32_t>({{"0", 0},
                          {"42", 42},
                          {"-42", -42},
                          {"+42", 42},
                          {"0x2a", 42},
                          {"0X2A", 42},
                          {"-0x2A", -42},
                          {"052", 42},
                          {"0b101010", 42},
                          {"0B101010", 42},
                          {"1_000_000", 1'000'000},
                          {"00", 0}});
  for (const std::string_view text : {"", "-", "+", "x", "08", "0x", "0xg", "0b", "0b2", "1.5", "1 2", " 1", "1__0",
                                      "_1", "1_", "--1", "+-1", "0x-1"}) {
    EXPECT_EQ(parsed<int32_t>(text).error, "invalid number") << text;
  }
}

TEST(Parse, IntegersOutOfRangeNameTheBound) {
  expect_values<uint8_t>({{"255", uint8_t{255}}, {"0xff", uint8_t{255}}});
  expect_errors<uint8_t>({{"256", "out of range, bound 255"}, {"-1", "invalid number"}});
  expect_values<int8_t>({{"-128", int8_t{-128}}, {"127", int8_t{127}}});
  expect_errors<int8_t>({{"-129", "out of range, bound -128"}, {"128", "out of range, bound 127"}});
  expect_errors<uint16_t>({{"65536", "out of range, bound 65535"}});
  expect_errors<int16_t>({{"-0x8001", "out of range, bound -32768"}});
  expect_errors<uint32_t>({{"4294967296", "out of range, bound 4294967295"}});
  expect_errors<int32_t>({{"2147483648", "out of range, bound 2147483647"}});
  expect_values<uint64_t>({{"18446744073709551615", ~uint64_t{0}}, {"0xffffffffffffffff", ~uint64_t{0}}});
  expect_errors<uint64_t>({{"18446744073709551616", "out of range, bound 18446744073709551615"},
                           {"0x1_0000_0000_0000_0000", "out of range, bound 18446744073709551615"}});
  expect_values<int64_t>({{"-9223372036854775808", std::numeric_limits<int64_t>::min()}});
  expect_errors<int64_t>({{"9223372036854775808", "out of range, bound 9223372036854775807"}});
}

TEST(Parse, Ranges) {
  expect_values<Range<uint16_t>>({{"80", {80, 80}}, {"1024-65535", {1024, 65535}}, {"0x10-0x1f", {16, 31}}});
  expect_errors<Range<uint16_t>>({{"2-1", "range ends before it begins"},
                                  {"1-", "invalid number"},
                                  {"-1", "invalid number"},
                                  {"1-65536", "out of range, bound 65535"}});
}

TEST(Parse, FixedPoint) {
  expect_values<Fraction<16>>({{"0", {0}},
                               {"1", {65536}},
                               {"0.5", {32768}},
                               {".25", {16384}},
                               {"3.", {196608}},
                               {"0.1", {6554}},
                               {"0.00000000000000000000000000000001", {0}},
                               {"65535.9999", {4294967289}}});
  expect_errors<Fraction<16>>({{"65536", "out of range, bound 65535"},
                               {"99999999999999999999999999999999999999", "out of range, bound 65535"},
                               {"-1", "invalid number"},
                               {".", "invalid number"},
                               {"1.2.3", "invalid number"}});
  expect_values<Decimal<3>>({{"1.5", {1500}}, {"-1.5", {-1500}}, {"0.0005", {1}}, {"2147483.647", {2147483647}}});
  expect_errors<Decimal<3>>({{"2147484", "out of range, bound 2147483"},
                             {"-2147484", "out of range, bound -2147483"},
                             {"1e3", "invalid number"}});
}

TEST(Parse, Durations) {
  expect_values<Duration>({{"1", Duration::seconds(1)},
                           {"0.5", Duration::milliseconds(500)},
                           {"1.5s", Duration::milliseconds(1500)},
                           {"10ms", Duration::milliseconds(10)},
                           {"10 ms", Duration::milliseconds(10)},
                           {"7us", Duration::microseconds(7)},
                           {"3ns", Duration{3}},
                           {"1m", Duration::seconds(60)},
                           {"2 minutes", Duration::seconds(120)},
                           {"1h", Duration::seconds(3600)},
                           {"1 day", Duration::seconds(86400)},
                           {"0.0000000004", Duration{0}}});
  expect_errors<Duration>({{"", "invalid time"},
                           {"s", "invalid time"},
                           {"-1", "invalid time"},
                           {"1 ", "invalid time"},
                           {"1 fortnight", "invalid time"},
                           {"1s s", "invalid time"},
                           {"9223372037", "out of range, bound 9223372036.854775807"}});
}

TEST(Parse, Timestamps) {
  expect_values<Timestamp>(
      {{"1234.567890", {1'234'567'890'000}}, {"-0.5", {-500'000'000}}, {"0.123456789", {123'456'789}}});
  expect_errors<Timestamp>({{"now", "invalid time"}, {"-9223372037", "out of range, bound -9223372036.854775807"}});
}

TEST(Parse, Bandwidths) {
  expect_values<Bandwidth>({{"1000", {1000}},
                            {"1Gbps", {125'000'000}},
                            {"100kBps", {100'000}},
                            {"1 Mbps", {125'000}},
                            {"8 b/s", {1}},
                            {"1.5MB/s", {1'500'000}},
                            {"56Kbaud", {7000}}});
  expect_errors<Bandwidth>({{"", "invalid bandwidth"},
                            {"bps", "invalid bandwidth"},
                            {"1M", "invalid bandwidth"},
                            {"-1", "invalid bandwidth"},
                            {"99999999999GBps", "out of range, bound 18446744073709551615"}});
}

TEST(Parse, ByteCounts) {
  expect_values<ByteCount>(
      {{"1500", {1500}}, {"64K", {65536}}, {"1.5k", {1536}}, {"2M", {2 << 20}}, {"1 G", {1 << 30}}});
  expect_errors<ByteCount>(
      {{"K", "invalid size"}, {"1T", "invalid size"}, {"99999999999G", "out of range, bound 18446744073709551615"}});
}

/// What AddressInfo(mazu 10.0.0.10 10.0.0.0/24 00-50-BA-85-84-A9 3ffe::1 3ffe::/16) and PortInfo(game 5000) say, and a
/// device with a gateway.
class MazuNames : public Names {
 public:
  std::optional<IPv4Address> find_ipv4(std::string_view name) const override {
    return known(name, IPv4Address::from_host(0x0a00000a));
  }
  std::optional<IPv4Prefix> find_ipv4_prefix(std::string_view name) const override {
    return known(name, IPv4Prefix{IPv4Address::from_host(0x0a000000), IPv4Prefix::mask_of_length(24)});
  }
  std::optional<IPv6Address> find_ipv6(std::string_view name) const override {
    return known(name, IPv6Address{{0x3f, 0xfe, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1}});
  }
  std::optional<IPv6Prefix> find_ipv6_prefix(std::string_view name) const override {
    return known(name, IPv6Prefix{{{0x3f, 0xfe}}, 16});
  }
  std::optional<EthernetAddress> find_ethernet(std::string_view name) const override {
    return known(name, EthernetAddress{{0, 0x50, 0xba, 0x85, 0x84, 0xa9}});
  }
  std::optional<IPv4Address> find_gateway(std::string_view name) const override {
    return known(name, IPv4Address::from_host(0x0a000001));
  }
  std::optional<uint16_t> find_port(std::string_view name, IPProtocol protocol) const override {
    return name == "game" && protocol == kUdp ? std::optional<uint16_t>(5000) : std::nullopt;
  }

 private:
  template <typename T>
  static std::optional<T> known(std::string_view name, T value) {
    return name == "mazu" ? std::optional(value) : std::nullopt;
  }
};
const MazuNames kMazuNames;

/// The value as it prints, or its error.
template <typename T>
std::string printed(std::string_view text, const Names& names = kNoNames) {
  const auto result = parsed<T>(text, names);
  return result.error ? *result.error : to_string(result.value);
}

TEST(Parse, IPv4Addresses) {
  EXPECT_EQ(printed<IPv4Address>("18.26.4.9"), "18.26.4.9");
  for (const std::string_view text : {"", "18", "18.26.4", "18.26.4.256", "18.26.4.9.1", "18.26..9", "18.26.4.9 ",
                                      "18.26.4.0x9", "mazu", "18.26.4.0009"}) {
    EXPECT_EQ(printed<IPv4Address>(text), "invalid IP address") << text;
  }
  EXPECT_EQ(printed<IPv4Address>("mazu", kMazuNames), "10.0.0.10");
  EXPECT_EQ(printed<IPv4Address>("mazu:ip", kMazuNames), "10.0.0.10");
  EXPECT_EQ(printed<IPv4Address>("mazu:ip4", kMazuNames), "10.0.0.10");
  EXPECT_EQ(printed<IPv4Address>("mazu:gw", kMazuNames), "10.0.0.1");
  EXPECT_EQ(printed<IPv4Address>("mazu:bcast", kMazuNames), "10.0.0.255");
  EXPECT_EQ(printed<IPv4Address>("mazu:eth", kMazuNames), "invalid IP address");
  EXPECT_EQ(printed<IPv4Address>("mauer", kMazuNames), "invalid IP address");
}

TEST(Parse, IPv4Prefixes) {
  EXPECT_EQ(printed<IPv4Prefix>("18.26.4.0/24"), "18.26.4.0/24");
  EXPECT_EQ(printed<IPv4Prefix>("18.26.4/24"), "18.26.4.0/24");
  EXPECT_EQ(printed<IPv4Prefix>("10/8"), "10.0.0.0/8");
  EXPECT_EQ(printed<IPv4Prefix>("0/0"), "0.0.0.0/0");
  EXPECT_EQ(printed<IPv4Prefix>("18.26.4.9/24"), "18.26.4.9/24") << "the address is kept as written";
  EXPECT_EQ(printed<IPv4Prefix>("18.26.4.9"), "18.26.4.9/32");
  EXPECT_EQ(printed<IPv4Prefix>("18.26.4.0/255.255.255.0"), "18.26.4.0/24");
  EXPECT_EQ(printed<IPv4Prefix>("18.26.4.0/255.0.255.0"), "18.26.4.0/255.0.255.0");
  for (const std::string_view text : {"", "/", "10", "10/", "/8", "10/33", "10/-1", "10/255.0.0.0", "1.2.3.4/255.0"}) {
    EXPECT_EQ(printed<IPv4Prefix>(text), "invalid IP prefix") << text;
  }
  EXPECT_EQ(printed<IPv4Prefix>("mazu", kMazuNames), "10.0.0.0/24");
  EXPECT_EQ(printed<IPv4Prefix>("mazu:ipnet", kMazuNames), "10.0.0.0/24");
  EXPECT_EQ(printed<IPv4Prefix>("mazu:ip4net", kMazuNames), "10.0.0.0/24");
  EXPECT_EQ(printed<IPv4Prefix>("mazu:ip", kMazuNames), "10.0.0.10/32");
  EXPECT_EQ(printed<IPv4Prefix>("mazu/16", kMazuNames), "10.0.0.10/16");
}

TEST(Parse, IPv6AddressesAndPrefixes) {
  EXPECT_EQ(printed<IPv6Address>("2001:0DB8::1"), "2001:db8::1");
  EXPECT_EQ(printed<IPv6Address>("::ffff:1.2.3.4"), "::ffff:1.2.3.4");
  EXPECT_EQ(printed<IPv6Address>("mazu:ip6", kMazuNames), "3ffe::1");
  EXPECT_EQ(printed<IPv6Address>("1::2::3"), "invalid IPv6 address");
  EXPECT_EQ(printed<IPv6Address>("mazu"), "invalid IPv6 address");
  EXPECT_EQ(printed<IPv6Prefix>("2001:db8::/32"), "2001:db8::/32");
  EXPECT_EQ(printed<IPv6Prefix>("::1"), "::1/128");
  EXPECT_EQ(printed<IPv6Prefix>("mazu", kMazuNames), "3ffe::/16");
  EXPECT_EQ(printed<IPv6Prefix>("mazu:ip6net", kMazuNames), "3ffe::/16");
  EXPECT_EQ(printed<IPv6Prefix>("mazu:ip6/8", kMazuNames), "3ffe::1/8");
  for (const std::string_view text : {"", "::/129", "::/", "2001:db8/32"}) {
    EXPECT_EQ(printed<IPv6Prefix>(text), "invalid IPv6 prefix") << text;
  }
}

TEST(Parse, EthernetAddresses) {
  EXPECT_EQ(printed<EthernetAddress>("00-50-BA-85-84-A9"), "00-50-BA-85-84-A9");
  EXPECT_EQ(printed<EthernetAddress>("0:50:ba:85:84:a9"), "00-50-BA-85-84-A9");
  EXPECT_EQ(printed<EthernetAddress>("mazu:eth", kMazuNames), "00-50-BA-85-84-A9");
  EXPECT_EQ(printed<EthernetAddress>("mazu", kMazuNames), "00-50-BA-85-84-A9");
  for (const std::string_view text : {"", "0:50:ba:85:84", "0:50:ba:85:84:", "0:50:ba:85:84:a9:1", "0-50:ba:85:84:a9",
                                      "0:50:ba:85:84:1a9", "0:50:ba:85:84:g", "mazu"}) {
    EXPECT_EQ(printed<EthernetAddress>(text), "invalid Ethernet address") << text;
  }
}

TEST(Parse, ProtocolsAndPorts) {
  expect_values<IPProtocol>({{"tcp", kTcp}, {"udp", kUdp}, {"icmp", kIcmp}, {"50", {50}}});
  expect_errors<IPProtocol>({{"tpc", "invalid number"}, {"256", "out of range, bound 255"}});
  expect_values<TcpPort>({{"www", {80}}, {"8080", {8080}}, {"domain", {53}}});
  expect_errors<TcpPort>({{"tftp", "invalid number"}, {"game", "invalid number"}}, kMazuNames);
  expect_values<UdpPort>({{"tftp", {69}}, {"game", {5000}}, {"0xffff", {65535}}}, kMazuNames);
  expect_errors<UdpPort>({{"65536", "out of range, bound 65535"}});
}

TEST(Parse, Annotations) {
  expect_values<Annotation>({{"PAINT", {16, 1}},
                             {"DST_IP", {0, 4}},
                             {"AGGREGATE", {20, 4}},
                             {"20", {20, 0}},
                             {"20/2", {20, 2}},
                             {"47", {47, 0}},
                             {"0/48", {0, 48}}});
  expect_errors<Annotation>({{"paint", "invalid annotation"},
                             {"-1", "invalid annotation"},
                             {"20/", "invalid annotation size"},
                             {"20/0", "invalid annotation size"},
                             {"48", "annotation out of range, bound 48"},
                             {"47/2", "annotation out of range, bound 48"}});
}

TEST(Parse, TextAndFileNames) {
  expect_values<Text>({{"word", "word"}, {R"("two words")", "two words"}, {R"("")", ""}, {R"(a"b c"'d')", "ab cd"}});
  expect_errors<Text>({{"two words", "expected one word; quote a string that has spaces"},
                       {"", "expected one word; quote a string that has spaces"}});
  expect_values<FileName>({{"\"a b.pcap\"", {"a b.pcap"}}, {"~/x", {"~/x"}}});
}

TEST(Parse, TextOutlivesItsSource) {
  Text text;
  {
    std::string source = "short-lived";
    ASSERT_EQ(parse(source, text), std::nullopt);
    source.assign(source.size(), '?');
  }
  EXPECT_EQ(text, "short-lived");
}

}  // namespace
}  // namespace packetmill
