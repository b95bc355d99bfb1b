#include "mill/packet_memory.h"

#include <gmock/gmock.h>

// Which packets optimised IR has in memory, and which calls have brought them there.
namespace packetmill::mill {
namespace {

using ::testing::ElementsAre;
using ::testing::Field;
using ::testing::IsEmpty;
using ::testing::SizeIs;

constexpr std::string_view kPacket = R"(  %3 = alloca %"struct.packetmill::engine::Registers", align 8
)";

std::string function(const std::string& body) {
  return "define internal i1 @run_a_0(ptr %0, i32 %1) #0 {\n" + std::string(kPacket) + body + "  ret i1 true\n}\n" + R"(
!1 = !DIFile(filename: "program.cc", directory: "/here")
!2 = distinct !DISubprogram(name: "store<a_0>", scope: !1, file: !1, line: 7)
!3 = distinct !DISubprogram(name: "run_a_0", scope: !1, file: !1, line: 9)
!4 = !DILexicalBlockFile(scope: !2, file: !1, discriminator: 0)
!5 = distinct !DILocation(line: 11, column: 1, scope: !3)
!6 = !DILocation(line: 8, column: 2, scope: !4, inlinedAt: !5)
)";
}

TEST(PacketsInMemory, ACallThatTakesOneByReferenceIsNamedWithItsPlace) {
  const std::string ir = function(R"(  %4 = getelementptr inbounds i8, ptr %3, i64 8
  %5 = load i32, ptr %4, align 8
  call void @_Z5storeRi(ptr noundef nonnull align 8 dereferenceable(24) %4), !dbg !6
)");
  const auto found = packets_in_memory(ir);
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_EQ(found[0].function, "run_a_0");
  EXPECT_FALSE(found[0].is_spill);
  ASSERT_THAT(found[0].calls, SizeIs(1));
  EXPECT_EQ(found[0].calls[0].callee, "store(int&)");
  EXPECT_THAT(found[0].calls[0].frames,
              ElementsAre(::testing::AllOf(Field(&Frame::function, "store<a_0>"), Field(&Frame::line, 8)),
                          ::testing::AllOf(Field(&Frame::function, "run_a_0"), Field(&Frame::line, 11))));
}

TEST(PacketsInMemory, TheCallMayHaveItInsideAnotherObject) {
  const std::string ir = function(R"(  %4 = alloca %"class.packetmill::View", align 8
  store ptr %3, ptr %4, align 8
  %5 = load i32, ptr %3, align 8
  %6 = invoke i32 @look(ptr %0, ptr nonnull %4)
          to label %7 unwind label %8, !dbg !6
)");
  const auto found = packets_in_memory(ir);
  ASSERT_THAT(found, SizeIs(1));
  ASSERT_THAT(found[0].calls, SizeIs(1));
  EXPECT_EQ(found[0].calls[0].callee, "look");
  EXPECT_THAT(found[0].calls[0].frames, SizeIs(2));
}

TEST(PacketsInMemory, ACopyThatOnlyCallsReadIsASpillRecord) {
  const std::string ir = function(R"(  call void @llvm.lifetime.start.p0(i64 88, ptr nonnull %3)
  store i32 7, ptr %3, align 8
  call fastcc void @enter(ptr %0, ptr nonnull %3), !dbg !6
)");
  const auto found = packets_in_memory(ir);
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_TRUE(found[0].is_spill);
}

TEST(PacketsInMemory, OtherObjectsAreNoPackets) {
  EXPECT_THAT(packets_in_memory(R"(define void @run_a_0(ptr %0) {
  %2 = alloca %"class.std::basic_string", align 8
  call void @look(ptr %2)
}
)"),
              IsEmpty());
}

}  // namespace
}  // namespace packetmill::mill
