#include "graph/passes/pass_test.h"

namespace packetmill::testing {
namespace {

TEST(Dead, WhatIsWrittenAnewBeforeAnybodyLooks) {
  expect_becomes("dead", "FromDump(x) -> Paint(1) -> Paint(2) -> PaintSwitch -> ToDump(y)",
                 "FromDump(x) -> Paint(2) -> PaintSwitch -> ToDump(y)");
  expect_becomes("dead",
                 "FromDump(x) -> MarkIPHeader -> CheckIPHeader -> DecIPTTL -> ToDump(y); Idle -> DecIPTTL -> "
                 "Discard",
                 "FromDump(x) -> CheckIPHeader -> DecIPTTL -> ToDump(y); Idle -> DecIPTTL -> Discard");
  expect_becomes("dead", "FromDump(x) -> SetTimestamp(1) -> Paint(1) -> SetTimestamp(2) -> ToDump(y)",
                 "FromDump(x) -> SetTimestamp(2) -> ToDump(y)");
}

TEST(Dead, AheadOfADropThatNobodyCanTellFromAnother) {
  expect_becomes("dead", "FromDump(x) -> Strip(14) -> MarkIPHeader -> Truncate(20) -> Discard",
                 "FromDump(x) -> Discard");
  expect_becomes("dead", "FromDump(x) -> c :: Classifier(12/0800, -); c [0] -> d :: Discard; c [1] -> Strip(14) -> d",
                 "FromDump(x) -> d :: Discard");
}

TEST(Dead, WhatSomebodyLooksAtLives) {
  expect_stays("dead", "FromDump(x) -> Paint(1) -> t :: PaintTee(1) -> ToDump(y); t [1] -> ToDump(z)");
  expect_stays("dead", "FromDump(x) -> SetTimestamp(1) -> ToDump(y)");
  expect_stays("dead", "FromDump(x) -> Paint(1) -> Print(p, PRINTANNO true) -> Discard");
  expect_stays("dead", "FromDump(x) -> SetIPAddress(10.0.0.1, 4) -> Print(p, PRINTANNO true) -> Discard");
  expect_stays("dead", "FromDump(x) -> SetVLANAnno(5) -> VLANEncap(ANNO) -> ToDump(y)");
  // On one of two ways: the bad packet of output 1 has no marks but MarkIPHeader's.
  expect_stays("dead",
               "FromDump(x) -> MarkIPHeader -> c :: CheckIPHeader -> Discard; c [1] -> SetIPChecksum -> ToDump(y)");
  // Through a store, and round a circle.
  expect_stays("dead", "FromDump(x) -> Paint(1) -> Queue -> Unqueue -> PaintSwitch -> Discard");
  expect_stays("dead", "FromDump(x) -> s :: PaintSwitch; s [0] -> Paint(1) -> s; s [1] -> Discard");
}

TEST(Dead, WhatIsObservedStaysAheadOfADrop) {
  expect_stays("dead", "FromDump(x) -> Counter -> Discard; Script(print Counter@2.count)");
  expect_stays("dead", "FromDump(x) -> Strip(14) -> Print(p) -> Discard");
  expect_stays("dead", "FromDump(x) -> CheckIPHeader -> Discard");
  expect_stays("dead", "FromDump(x) -> EtherMirror -> Discard");                // drops too_short, in its own name
  expect_stays("dead", "FromDump(x) -> t :: Tee -> d :: Discard; t [1] -> d");  // makes copies, which are counted
}

TEST(Dead, ABranchStaysWhereTheOrderOfPacketsMatters) {
  expect_stays("dead",
               "FromDump(x) -> c :: Classifier(12/0800, -); c [0] -> q :: Queue; c [1] -> q -> Unqueue -> "
               "ToDump(y)");
  expect_stays("dead", "FromDump(x) -> c :: Classifier(12/0800, -); c [0] -> o :: ToDump(y); c [1] -> o");
  // A packet that matches nothing is dropped by the Classifier and not by the Discard.
  expect_stays("dead", "FromDump(x) -> c :: Classifier(12/0800, 12/0806); c [0] -> d :: Discard; c [1] -> d");
}

}  // namespace
}  // namespace packetmill::testing
