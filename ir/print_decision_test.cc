#include "ir/print_decision.h"

#include <gmock/gmock.h>

#include <random>

namespace packetmill::ir {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

const std::vector<Node> kAddressThenType = {
    {{Base::packet, 0, 0xffffffff, Relation::equal, 0x00112233}, 1, end_with(kNoOutput)},
    {{Base::packet, 4, 0xffff0000, Relation::equal, 0x44550000}, 2, end_with(kNoOutput)},
    {{Base::packet, 12, 0xffff0000, Relation::equal, 0x08000000}, end_with(0), end_with(1)},
};

TEST(PrintDecision, TestsOfOneAddressAreOneLoad) {
  EXPECT_EQ(print_decision({{kAddressThenType.data(), kAddressThenType.size()}, 0}),
            "  static int decide([[maybe_unused]] auto&& bytes_from) {\n"
            "    goto step0;\n"
            "  step0:\n"
            "    if (ir::holds(ir::WideTest{ir::Base::packet, 0, 0xffffffffffff0000, 0x0011223344550000}, "
            "bytes_from(ir::Base::packet)))\n"
            "      goto step2;\n"
            "    return -1;\n"
            "  step2:\n"
            "    if (ir::holds(ir::Test{ir::Base::packet, 12, 0xffff0000, ir::Relation::equal, 0x08000000}, "
            "bytes_from(ir::Base::packet)))\n"
            "      return 0;\n"
            "    return 1;\n"
            "  }\n");
}

TEST(PrintDecision, ATestThatOthersLeadToStaysItsOwn) {
  std::vector<Node> nodes = kAddressThenType;
  nodes.insert(nodes.begin(), {{Base::packet, 20, 0xff, Relation::equal, 1}, 1, 2});
  for (std::size_t i = 1; i < nodes.size(); ++i) {
    if (!is_end(nodes[i].yes)) ++nodes[i].yes;
  }
  EXPECT_THAT(print_decision({{nodes.data(), nodes.size()}, 0}), Not(HasSubstr("WideTest")));
}

TEST(WideTest, HoldsWhereBothTestsDo) {
  std::mt19937 random(1);
  int wide_ones = 0;
  int held = 0;
  for (int trial = 0; trial < 20'000; ++trial) {
    const auto test = [&] {
      const std::uint32_t drawn = 0xffffffffU << 8 * (random() % 4) & (random() % 2 == 0 ? 0xffffffffU : 0xffffU);
      const std::uint32_t mask = drawn != 0 ? drawn : 1;
      const auto offset = static_cast<std::uint16_t>(random() % 7);
      return ir::Test{Base::packet, offset, mask, Relation::equal, (random() % 2 == 0 ? 0 : 0x01010101U) & mask};
    };
    const ir::Test first = test();
    const ir::Test second = test();
    std::vector<std::uint8_t> bytes(random() % 16);
    const auto value = static_cast<std::uint8_t>(random() % 2);
    for (std::uint8_t& byte : bytes) byte = random() % 16 == 0 ? 7 : value;
    const auto wide = both(first, second);
    if (!wide) continue;
    ++wide_ones;
    held += holds(*wide, bytes) ? 1 : 0;
    EXPECT_EQ(holds(*wide, bytes), holds(first, bytes) && holds(second, bytes));
  }
  EXPECT_GT(wide_ones, 1000);
  EXPECT_GT(held, 100);
}

TEST(WideTest, IsNoneForTestsThatAreFarApartOrCompareOtherwise) {
  const ir::Test at0{Base::packet, 0, 0xffff, Relation::equal, 1};
  EXPECT_FALSE(both(at0, {Base::packet, 5, 0xffff, Relation::equal, 1}));
  EXPECT_FALSE(both(at0, {Base::network_header, 4, 0xffff, Relation::equal, 1}));
  EXPECT_FALSE(both(at0, {Base::packet, 4, 0xffff, Relation::greater, 1}));
  EXPECT_FALSE(both(at0, {Base::packet, 0, 0xffff, Relation::equal, 2})) << "nothing can be both";
}

}  // namespace
}  // namespace packetmill::ir
