#include "graph/passes/pass_test.h"

namespace packetmill::testing {
namespace {

TEST(NoOps, WhatDoesNothingGoes) {
  expect_becomes("no-ops", "FromDump(x) -> Null -> Strip(0) -> Unstrip(0) -> Tee -> Classifier(-) -> Discard",
                 "FromDump(x) -> Discard");
  expect_becomes("no-ops", "FromDump(x) -> Queue -> PullNull -> PullTee -> Unqueue -> RoundRobinSwitch -> Discard",
                 "FromDump(x) -> Queue -> Unqueue -> Discard");
}

TEST(NoOps, WaysThatMetThereMeetBehind) {
  expect_becomes("no-ops",
                 "c :: Classifier(12/0800, -); FromDump(x) -> c; c [0] -> n :: Null; c [1] -> n -> d :: Discard",
                 "c :: Classifier(12/0800, -); FromDump(x) -> c; c [0] -> d :: Discard; c [1] -> d");
  expect_becomes("no-ops",
                 "FromDump(x) -> q :: Queue -> n :: PullNull; n -> Unqueue -> Discard; n -> Unqueue -> Discard",
                 "FromDump(x) -> q :: Queue; q -> Unqueue -> Discard; q -> Unqueue -> Discard");
}

TEST(NoOps, ACircleOfThemIsLeft) {
  // A packet goes round for ever; without any element there would be nowhere to go.
  EXPECT_EQ(after("no-ops", "FromDump(x) -> a :: Null -> b :: Null -> a").size(), 4U);
}

TEST(NoOps, WhoeverSeesPacketsPassStays) {
  expect_stays("no-ops", "FromDump(x) -> Counter -> Print(p) -> Paint(0) -> Discard");
  expect_stays("no-ops", "FromDump(x) -> CheckIPHeader -> Unstrip(1) -> Discard");
  expect_stays("no-ops", "FromDump(x) -> t :: Tee -> Discard; t [1] -> Discard");
  expect_stays("no-ops", "FromDump(x) -> Switch(0) -> Discard");  // a handler turns it off
}

}  // namespace
}  // namespace packetmill::testing
