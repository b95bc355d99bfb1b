#include "graph/passes/pass_test.h"

namespace packetmill::testing {
namespace {

TEST(Unreachable, WhatNoPacketComesToGoes) {
  expect_becomes("unreachable",
                 "Idle -> Strip(14) -> Counter -> out :: Queue -> Unqueue -> Discard; FromDump(x) -> out",
                 "out :: Queue -> Unqueue -> Discard; FromDump(x) -> out");
  expect_becomes("unreachable", "a :: Null -> b :: Null -> a; FromDump(x) -> Discard", "FromDump(x) -> Discard");
}

TEST(Unreachable, PulledElementsAndTheirSideExitsAreReached) {
  expect_stays("unreachable",
               "FromDump(x) -> Queue -> c :: CheckIPHeader -> Unqueue -> Discard; c [1] -> Counter -> Discard");
}

TEST(Unreachable, ATaskStaysEvenIfItNeverFindsAPacket) {
  expect_stays("unreachable", "Idle -> PullNull -> Unqueue -> Discard");
  expect_becomes("unreachable", "Idle -> Strip(1) -> q :: Queue -> Unqueue -> Discard",
                 "q :: Queue -> Unqueue -> Discard");
}

TEST(Unreachable, WhatHasNoPortsStays) {
  expect_becomes("unreachable", "AddressInfo(a 10.0.0.1); Script(print c.count); Idle -> c :: Counter -> Discard",
                 "AddressInfo(a 10.0.0.1); Script(print c.count)");
}

}  // namespace
}  // namespace packetmill::testing
