#include "graph/passes/pass_test.h"

namespace packetmill::testing {
namespace {

const std::string kFrom = "FromDump(x) -> ";
const std::string kTo = " -> ToDump(y)";

void becomes(const std::string& before, const std::string& after) {
  expect_becomes("merge", kFrom + before + kTo, kFrom + after + kTo);
}
void stays(const std::string& run) { becomes(run, run); }

TEST(Merge, StripsAddUp) {
  becomes("Strip(14) -> Strip(20)", "Strip(34)");
  becomes("Strip(1) -> Strip(2) -> Strip(3) -> Paint(1) -> Strip(4)", "Strip(6) -> Paint(1) -> Strip(4)");
  becomes("Strip(4000000000) -> Strip(4000000000)", "Strip(4294967295)");
}

TEST(Merge, UnstripUndoesWhatIsSureToHaveBeenStripped) {
  becomes("Classifier(12/0800) -> Strip(14) -> Unstrip(14)", "Classifier(12/0800)");
  becomes("EtherMirror -> Paint(1) -> Strip(14) -> Unstrip(4)", "EtherMirror -> Paint(1) -> Strip(10)");
  becomes("CheckIPHeader(14) -> Strip(10) -> Strip(24) -> Unstrip(20)", "CheckIPHeader(14) -> Strip(14)");
  becomes("CheckIPHeader(14) -> Strip(30) -> Strip(4) -> Unstrip(34)", "CheckIPHeader(14)");
}

TEST(Merge, AShortPacketWouldComeOutOfAnUnstripOtherwise) {
  stays("Strip(14) -> Unstrip(14)");
  stays("Classifier(12/08) -> Strip(14) -> Unstrip(14)");  // 13 bytes
  stays("Classifier(12/0800) -> Truncate(4) -> Strip(14) -> Unstrip(14)");
  stays("Classifier(!12/0800) -> Strip(14) -> Unstrip(14)");
  expect_stays("merge",
               "c :: Classifier(12/0800, -); FromDump(x) -> c -> s :: Strip(14) -> Unstrip(14) -> ToDump(y);"
               "c [1] -> s");
}

TEST(Merge, AnUnstripThatMayFailDropsInItsOwnName) {
  stays("EtherMirror -> Strip(4) -> Unstrip(14)");
  stays("Unstrip(4) -> Unstrip(4)");
  stays("Unstrip(4) -> Strip(4)");
}

TEST(Merge, AnEncapsulationTakesThePlaceOfWhatIsStripped) {
  becomes("Strip(4) -> Strip(10) -> EtherEncap(0x800, 1:1:1:1:1:1, 2:2:2:2:2:2)",
          "EtherEncap(0x800, 1:1:1:1:1:1, 2:2:2:2:2:2, REPLACE 14)");
  stays("Strip(4) -> EtherEncap(0x800, 1:1:1:1:1:1, 2:2:2:2:2:2, REPLACE 14)");
  stays("Strip(4) -> IPEncap(4, 1.0.0.1, 2.0.0.2)");
}

TEST(Merge, NothingIsMergedPastWhoeverLooks) {
  stays("Strip(14) -> Print(p) -> Strip(20)");
  stays("Strip(14) -> Counter -> Strip(20)");
  expect_stays("merge", "t :: Tee; FromDump(x) -> Strip(14) -> s :: Strip(20) -> t -> ToDump(y); t [1] -> s");
  expect_stays("merge",
               "Script(write s.switch 1); s :: Switch; FromDump(x) -> Strip(14) -> s -> t :: Strip(20) -> "
               "ToDump(y); s [1] -> t");
}

}  // namespace
}  // namespace packetmill::testing
