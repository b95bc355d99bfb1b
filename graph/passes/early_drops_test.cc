#include "graph/passes/pass_test.h"

namespace packetmill::testing {
namespace {

TEST(EarlyDrops, AheadOfWorkThatTheyDoNotLookAt) {
  expect_becomes("early-drops", "FromDump(x) -> Paint(1) -> Strip(14) -> DropBroadcasts -> ToDump(y)",
                 "FromDump(x) -> DropBroadcasts -> Paint(1) -> Strip(14) -> ToDump(y)");
  expect_becomes("early-drops", "FromDump(x) -> Paint(1) -> CheckIPHeader -> PaintSwitch -> ToDump(y)",
                 "FromDump(x) -> CheckIPHeader -> Paint(1) -> PaintSwitch -> ToDump(y)");
  expect_becomes("early-drops", "FromDump(x) -> p :: Paint(1) -> d :: DropBroadcasts -> ToDump(y); FromDump(z) -> p",
                 "FromDump(x) -> d :: DropBroadcasts -> p :: Paint(1) -> ToDump(y); FromDump(z) -> d");
}

TEST(EarlyDrops, NotAheadOfWhatTheyLookAt) {
  expect_stays("early-drops", "FromDump(x) -> Strip(14) -> CheckIPHeader -> ToDump(y)");
  expect_stays("early-drops", "FromDump(x) -> HostEtherFilter(1:1:1:1:1:1) -> DropBroadcasts -> ToDump(y)");
  expect_stays("early-drops",
               "FromDump(x) -> SetIPAddress(1.0.0.1) -> CheckIPHeader -> StaticIPLookup(0/0 0) -> "
               "ToDump(y)");
}

TEST(EarlyDrops, NotAheadOfWhoeverSeesPacketsPass) {
  expect_stays("early-drops", "FromDump(x) -> c :: Counter -> DropBroadcasts -> ToDump(y); Script(print c.count)");
  expect_stays("early-drops", "FromDump(x) -> Print(p) -> DropBroadcasts -> ToDump(y)");
  expect_stays("early-drops", "FromDump(x) -> EtherMirror -> DropBroadcasts -> ToDump(y)");  // which of them drops it
}

TEST(EarlyDrops, NotWhereWaysMeetOrPart) {
  expect_stays("early-drops", "FromDump(x) -> Paint(1) -> d :: DropBroadcasts -> ToDump(y); FromDump(z) -> d");
  expect_stays("early-drops",
               "FromDump(x) -> Paint(1) -> d :: DropBroadcasts -> ToDump(y); d [1] -> PaintSwitch -> "
               "ToDump(z)");
}

}  // namespace
}  // namespace packetmill::testing
