#include "ports/summary/options.h"

#include <gtest/gtest.h>

#include "tests/support/packets.h"

namespace packetmill::summary {
namespace {

using testing::Bytes;
using testing::hex;

std::string ip_text(const Bytes& options) { return ip_options_text(options.data(), options.size()); }
std::string tcp_text(const Bytes& options, TcpOptions which = TcpOptions::all) {
  return tcp_options_text(options.data(), options.size(), which);
}

/// The examples of ToIPSummaryDump's manual page, with the bytes that RFC 791 gives them.
const std::pair<const char*, const char*> kIpOptions[] = {
    {".", ""},
    // Record route: length 31, pointer 12 (two of seven addresses).
    {"rr{10.0.0.1,20.0.0.2}+5", "071f0c 0a000001 14000002 0000000000000000000000000000000000000000 00"},
    // Strict source route: pointer 12, at the third address.
    {"ssrr{1.0.0.1,1.0.0.2^1.0.0.3}", "890f0c 01000001 01000002 01000003 00"},
    {"lsrr{^1.0.0.1,1.0.0.2}", "830b04 01000001 01000002 00"},
    // Timestamps: length 24, pointer 17 (three of five), overflow 3.
    {"ts{1,10000,!45}+2++3", "44181130 00000001 00002710 8000002d 00000000 00000000"},
    {"ts.ip{1.0.0.1=1,1.0.0.2=2}+1", "441c1501 01000001 00000001 01000002 00000002 0000000000000000"},
    {"ts.preip{1.0.0.1=1^1.0.0.2,1.0.0.3}", "441c0d03 01000001 00000001 01000002 00000000 01000003 00000000"},
    {"98", "62020000"},
    {"99=0:5:10;98", "6305 00050a 6202 00"},
};

TEST(SummaryOptions, IpOptionsOfTheManual) {
  for (const auto& [text, bytes] : kIpOptions) {
    EXPECT_EQ(ip_text(hex(bytes)), text);
    EXPECT_EQ(parse_ip_options(text), hex(bytes)) << text;
  }
}

const std::pair<const char*, const char*> kTcpOptions[] = {
    {".", ""},
    {"mss1400", "02040578"},
    {"wscale10", "03030a00"},
    {"sackok", "04020000"},
    {"sack95-98", "050a 0000005f 00000062 0000"},
    {"sack1-2;sack3-4", "0512 00000001 00000002 00000003 00000004 0000"},
    {"ts669063908:38382731", "080a 27e11ae4 0249ac8b 0000"},
    {"98", "62020000"},
    {"99=0:5:10", "6305 00050a 000000"},
    {"mss1460;sackok;wscale7", "020405b4 0402 030307 000000"},
};

TEST(SummaryOptions, TcpOptionsOfTheManual) {
  for (const auto& [text, bytes] : kTcpOptions) {
    EXPECT_EQ(tcp_text(hex(bytes)), text);
    EXPECT_EQ(parse_tcp_options(text), hex(bytes)) << text;
  }
}

TEST(SummaryOptions, EolAndNopAreReadAndNotWritten) {
  EXPECT_EQ(tcp_text(hex("01010402")), "sackok");
  EXPECT_EQ(tcp_text(hex("0402 00 63")), "sackok");
  EXPECT_EQ(parse_tcp_options("nop;nop;ts1:2"), hex("0101 080a 00000001 00000002"));
  EXPECT_EQ(parse_ip_options("nop;eol"), hex("01000000"));
}

TEST(SummaryOptions, LessThanAll) {
  const Bytes options = hex("02040578 080a0000000100000002 0402 050a0000005f00000062 0000");
  EXPECT_EQ(tcp_text(options, TcpOptions::without_timestamp), "mss1400;sackok;sack95-98");
  EXPECT_EQ(tcp_text(options, TcpOptions::sack_only), "sackok;sack95-98");
  EXPECT_EQ(tcp_text(hex("02040578"), TcpOptions::sack_only), ".");
}

TEST(SummaryOptions, WhatIsNotValidIsAQuestionMark) {
  for (const char* bytes : {"07", "0701", "07ff", "070304ff ff", "07070300000000", "070710 00000000", "4403 05",
                            "44080402 00000000", "44080600 00000000"})
    EXPECT_EQ(ip_text(hex(bytes)), "?") << bytes;
  for (const char* bytes : {"02", "0203 05", "0400", "0503 00", "080900000000000000", "02ff"})
    EXPECT_EQ(tcp_text(hex(bytes)), "?") << bytes;
}

TEST(SummaryOptions, TextThatIsNotUnderstoodIsNone) {
  for (const char* text :
       {"?", "rr", "rr{", "rr{1.0.0.1", "rr{1.0.0}", "rr{1.0.0.1}+", "rr{1.0.0.1}+10", "ts.ip{1.0.0.1}",
        "ssrr{1.0.0.1^2.0.0.2^3.0.0.3}", "ts{1}++16", "99=256", "99=", "300", "nop;;nop"})
    EXPECT_EQ(parse_ip_options(text), std::nullopt) << text;
  for (const char* text : {"?", "mss", "mss65536", "sack1", "sack1-", "ts1", "wscale256", "sackokay", "mss1x"})
    EXPECT_EQ(parse_tcp_options(text), std::nullopt) << text;
}

TEST(SummaryOptions, AnyBytesAreSafe) {
  // Every two-byte start, followed by bytes that count up, cut at every length.
  Bytes options(40);
  for (unsigned first = 0; first < 65536; ++first) {
    for (std::size_t i = 0; i < options.size(); ++i) options[i] = static_cast<std::uint8_t>(i * 3);
    options[0] = static_cast<std::uint8_t>(first >> 8U);
    options[1] = static_cast<std::uint8_t>(first);
    const Bytes cut(options.begin(), options.begin() + first % 41);
    EXPECT_FALSE(ip_text(cut).empty());
    EXPECT_FALSE(tcp_text(cut).empty());
  }
}

}  // namespace
}  // namespace packetmill::summary
