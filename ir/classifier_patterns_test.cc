#include "ir/classifier_patterns.h"

#include <gtest/gtest.h>

#include "ir/optimise.h"

namespace packetmill::ir {
namespace {

/// Whether a packet, given in hex digits, matches a pattern.
bool matches(std::string_view pattern, std::string_view hex) {
  std::vector<uint8_t> packet;
  for (size_t i = 0; i < hex.size(); i += 2) {
    packet.push_back(static_cast<uint8_t>(std::stoi(std::string(hex.substr(i, 2)), nullptr, 16)));
  }
  Rule rule{.pattern = {}, .outcome = 0};
  EXPECT_FALSE(parse_classifier_pattern(pattern, rule.pattern)) << pattern;
  const DecisionProgram program = optimise({&rule, 1});
  return evaluate(program.graph(), [&](Base) { return std::span<const uint8_t>(packet); }) == 0;
}

TEST(ClassifierPattern, AllClausesMustMatch) {
  EXPECT_TRUE(matches("0/08 2/06", "080006"));
  EXPECT_FALSE(matches("0/08 2/06", "080007"));
  EXPECT_TRUE(matches("1/0102030405060708", "00010203040506070800"));
  EXPECT_FALSE(matches("1/0102030405060708", "00010203040506070900"));
  EXPECT_TRUE(matches("  0/aB\t1/Cd ", "ABCD"));
}

TEST(ClassifierPattern, QuestionMarksAndMasksSayWhatDoesNotMatter) {
  EXPECT_TRUE(matches("0/4?", "45"));
  EXPECT_FALSE(matches("0/4?", "55"));
  EXPECT_TRUE(matches("0/?5", "f5"));
  EXPECT_TRUE(matches("0/0001%00f1", "ff0d"));
  EXPECT_FALSE(matches("0/0001%00f1", "ff1d"));
  EXPECT_TRUE(matches("0/ff%0f", "0f")) << "only the bits under the mask are compared";
  EXPECT_TRUE(matches("0/????", ""));
}

TEST(ClassifierPattern, ANegatedClauseMustNotMatch) {
  EXPECT_TRUE(matches("!0/08 1/06", "0906"));
  EXPECT_FALSE(matches("!0/08 1/06", "0806"));
  EXPECT_TRUE(matches("! 0/0102030405", "0102030406")) << "not all of the clause's bytes are as given";
  EXPECT_FALSE(matches("!0/0102030405", "0102030405"));
}

TEST(ClassifierPattern, ADashMatchesEveryPacket) {
  EXPECT_TRUE(matches("-", ""));
  EXPECT_TRUE(matches(" - ", "00"));
  EXPECT_TRUE(matches("", "00"));
}

TEST(ClassifierPattern, AClauseBeyondTheEndOfThePacketDoesNotMatch) {
  EXPECT_FALSE(matches("1/0000", "0000"));
  EXPECT_FALSE(matches("100/00", ""));
  EXPECT_TRUE(matches("!1/0000", "0000"));
  EXPECT_TRUE(matches("1/00??", "0000")) << "a byte that does not matter need not be there";
}

TEST(ClassifierPattern, ErrorsHaveAPlace) {
  struct Case {
    std::string_view pattern, message;
    size_t offset;
  };
  for (const auto& [pattern, message, offset] : {
           Case{"0806", "expected OFFSET/VALUE", 0},
           {"0/08 /06", "expected an offset before '/'", 5},
           {"0/08 1x/06", "the offset is not a decimal number", 6},
           {"0x1/06", "the offset is not a decimal number", 1},
           {"65535/0800", "the offset is out of range, bound 65535", 0},
           {"99999999999999999999999/08", "the offset is out of range, bound 65535", 0},
           {"12/", "expected a value after '/'", 3},
           {"12/080", "the value has an odd number of hex digits", 3},
           {"12/08g0", "the value has a character that is neither a hex digit nor '?'", 5},
           {"12/08%", "the mask must have as many hex digits as the value", 6},
           {"12/08%fff", "the mask must have as many hex digits as the value", 6},
           {"12/08%?f", "the mask has a character that is not a hex digit", 6},
           {"12/08 -", "'-' must be a pattern of its own", 6},
           {"- 12/08", "'-' must be a pattern of its own", 0},
           {"12/08 !", "expected OFFSET/VALUE", 7},
       }) {
    SCOPED_TRACE(pattern);
    Formula formula;
    const auto error = parse_classifier_pattern(pattern, formula);
    ASSERT_TRUE(error);
    EXPECT_EQ(error->message, message);
    EXPECT_EQ(error->offset, offset);
  }
}

}  // namespace
}  // namespace packetmill::ir
