#include <gmock/gmock.h>

#include "tests/support/packets.h"
#include "tests/support/router_test.h"
#include "tests/support/traces.h"

namespace packetmill::testing {
namespace {

TEST(FromMemory, EveryTurnSendsAndDropsTheSame) {
  const ScratchDirectory scratch;
  std::vector<Bytes> frames;
  for (int i = 0; i < 100; ++i) frames.push_back(Bytes(60 + static_cast<std::size_t>(i), static_cast<std::uint8_t>(i)));
  write_trace(scratch.file("in"), frames);
  // Strip and Classifier, so that frames come back changed, and some are dropped.
  RouterTest test("FromMemory(p, " + scratch.file("in") + ", REPLAYS 5) -> Strip(1) -> c :: Classifier(0/07, -);" +
                  "c[0] -> Discard; c[1] -> Unstrip(1) -> out :: ToMemory(p);");
  test.router().run();
  EXPECT_EQ(test.read("FromMemory@1.replays"), "5");
  EXPECT_EQ(test.read("FromMemory@1.mismatches"), "0");
  // Of 4096 frames, 41 are the trace's eighth.
  EXPECT_EQ(test.read("out.count"), std::to_string(5 * (4096 - 41)));
}

TEST(FromMemory, ATurnThatSendsSomethingElseIsAMismatch) {
  const ScratchDirectory scratch;
  write_trace(scratch.file("in"), {Bytes(60)});
  // After three turns, the colour decides otherwise.
  RouterTest test("FromMemory(p, " + scratch.file("in") + ", REPLAYS 5) -> c :: Counter(COUNT_CALL 12289 s.switch 1)" +
                  "-> s :: Switch -> ToMemory(p); s[1] -> Discard;");
  test.router().run();
  EXPECT_EQ(test.read("FromMemory@1.mismatches"), "2");
}

TEST(ToMemory, FramesThatAreNotTheRingsAreSentToo) {
  const ScratchDirectory scratch;
  write_trace(scratch.file("in"), {Bytes(60, 1)});
  RouterTest test("FromMemory(p, " + scratch.file("in") +
                  ", REPLAYS 3) -> t :: Tee -> out :: ToMemory(p); t[1] -> out;");
  test.router().run();
  EXPECT_EQ(test.read("out.count"), std::to_string(3 * 2 * 4096));
  EXPECT_EQ(test.read("FromMemory@1.mismatches"), "0");
}

}  // namespace
}  // namespace packetmill::testing
