#include "graph/passes/pass_test.h"

namespace packetmill::testing {
namespace {

TEST(Combine, PastElementsThatDoNotLookAtTheFrame) {
  expect_becomes("combine",
                 "FromDump(x) -> Strip(14) -> Paint(1) -> DropBroadcasts -> SetIPAddress(1.0.0.1) -> "
                 "Strip(20) -> ToDump(y)",
                 "FromDump(x) -> Paint(1) -> DropBroadcasts -> SetIPAddress(1.0.0.1) -> Strip(34) -> ToDump(y)");
  expect_becomes("combine", "FromDump(x) -> EtherMirror -> Strip(14) -> Paint(1) -> Unstrip(4) -> ToDump(y)",
                 "FromDump(x) -> EtherMirror -> Strip(10) -> Paint(1) -> ToDump(y)");
  expect_becomes("combine", "FromDump(x) -> EtherMirror -> Strip(14) -> Paint(1) -> Unstrip(14) -> ToDump(y)",
                 "FromDump(x) -> EtherMirror -> Paint(1) -> ToDump(y)");
  expect_becomes("combine",
                 "FromDump(x) -> Strip(2) -> Paint(1) -> Strip(12) -> Paint(2) -> "
                 "EtherEncap(0x800, 1:1:1:1:1:1, 2:2:2:2:2:2) -> ToDump(y)",
                 "FromDump(x) -> Paint(1) -> Paint(2) -> EtherEncap(0x800, 1:1:1:1:1:1, 2:2:2:2:2:2, REPLACE 14) -> "
                 "ToDump(y)");
}

TEST(Combine, NotPastWhoeverLooksAtTheFrameOrWhereWaysMeetOrPart) {
  for (const char* between :
       {"Counter", "Print(p)", "CheckIPHeader", "MarkIPHeader", "Truncate(9)", "Queue -> Unqueue"})
    expect_stays("combine", std::string("FromDump(x) -> Strip(14) -> ") + between + " -> Strip(20) -> ToDump(y)");
  expect_stays("combine", "FromDump(x) -> Strip(14) -> p :: Paint(1) -> Strip(20) -> ToDump(y); FromDump(z) -> p");
  expect_stays("combine",
               "FromDump(x) -> Strip(14) -> d :: DropBroadcasts -> Strip(20) -> ToDump(y);"
               "d [1] -> ToDump(z)");
}

}  // namespace
}  // namespace packetmill::testing
