#include "elements/flow/Paint.h"

#include <gmock/gmock.h>

#include "tests/support/router_test.h"

namespace packetmill::testing {
namespace {

using ::testing::IsEmpty;

/// A packet of one byte, and this colour.
TestPacket painted(std::uint8_t byte, std::uint8_t color) { return TestPacket(Bytes{byte}).set<PaintColor>(color); }

TEST(Paint, SetsThePaintAnnotation) {
  // Byte 16 of Click's annotation area.
  ElementTest test("Paint", "5");
  test.push(0, packets({1}));
  const auto output = test.output();
  ASSERT_EQ(output.size(), 1);
  EXPECT_EQ(output[0].get<PaintColor>(), 5);
  EXPECT_EQ(output[0].metadata.annotations()[16], 5);
}

TEST(Paint, SetsAnotherAnnotationOfOneByte) {
  for (const std::string configuration : {"5, ANNO 40", "5, 40/1", "COLOR 5, ANNO 40"}) {
    ElementTest test("Paint", configuration);
    test.push(0, packets({1}));
    const auto output = test.output();
    ASSERT_EQ(output.size(), 1);
    EXPECT_EQ(output[0].get<PaintColor>(), 0);
    EXPECT_EQ(output[0].metadata.annotations()[40], 5);
  }
}

TEST(Paint, ColorIsReadableAndWritable) {
  ElementTest test("Paint", "5");
  EXPECT_EQ(test.read("color"), "5");
  EXPECT_EQ(test.write("color", "255"), "");
  EXPECT_EQ(test.write("color", "256"), "out of range, bound 255");
  test.push(0, packets({1}));
  EXPECT_EQ(test.output()[0].get<PaintColor>(), 255);
}

TEST(Paint, ConfigurationErrors) {
  EXPECT_EQ(ElementTest("Paint").errors(), "COLOR: required argument missing\n");
  EXPECT_EQ(ElementTest("Paint", "1, 40/4").errors(), "ANNO: annotation of one byte expected\n");
  EXPECT_EQ(ElementTest("Paint", "1, 48").errors(), "ANNO: annotation out of range, bound 48\n");
}

TEST(PaintTee, CopiesPacketsOfItsColor) {
  ElementTest test("PaintTee", "5");
  test.push(0, {painted(1, 5), painted(2, 6), painted(3, 5)});
  EXPECT_EQ(test.output(0), packets({1, 2, 3}));
  EXPECT_EQ(test.output(1), packets({1, 3}));
  EXPECT_EQ(test.write("color", "6"), "");
  EXPECT_EQ(test.read("color"), "6");
  test.push(0, {painted(4, 5), painted(5, 6)});
  EXPECT_EQ(test.output(1), packets({5}));
}

TEST(PaintTee, LooksAtAnotherAnnotation) {
  ElementTest test("PaintTee", "5, ANNO 40");
  TestPacket packet = painted(1, 5);
  test.push(0, packet);
  EXPECT_THAT(test.output(1), IsEmpty());
  packet.metadata.annotations()[40] = 5;
  test.push(0, packet);
  EXPECT_EQ(test.output(1), packets({1}));
}

TEST(PaintTee, AtABatchOfOneTheCopyGoesFirst) {
  RouterTest test(
      "in :: TestInput -> Paint(5) -> t :: PaintTee(5); t [0] -> out :: TestOutput; t [1] -> p :: Paint(1) -> out;", 1);
  test.push("in", packets({1}));
  const auto output = test.output();
  ASSERT_EQ(output.size(), 2);
  EXPECT_EQ(output[0].get<PaintColor>(), 1);
  EXPECT_EQ(output[1].get<PaintColor>(), 5);
}

TEST(PaintTee, OnAPullPathPushesTheCopy) {
  RouterTest test(
      "in :: TestInput -> Paint(5) -> Queue -> t :: PaintTee(5) -> Unqueue -> out :: TestOutput;"
      "t [1] -> copies :: TestOutput;");
  test.push("in", packets({1, 2}));
  EXPECT_EQ(test.output(), packets({1, 2}));
  EXPECT_EQ(test.output("copies"), packets({1, 2}));
}

TEST(PaintSwitch, SendsEachPacketToTheOutputOfItsColor) {
  for (const int batch_size : {1, 32}) {
    ElementTest test("PaintSwitch", "", {.outputs = 3, .batch_size = batch_size});
    test.push(0, {painted(1, 2), painted(2, 0), painted(3, 2), painted(4, 3)});
    EXPECT_EQ(test.output(0), packets({2}));
    EXPECT_THAT(test.output(1), IsEmpty());
    EXPECT_EQ(test.output(2), packets({1, 3}));
    EXPECT_EQ(test.drops("no_such_output"), 1);
  }
}

TEST(PaintSwitch, SendsColor255ToAllOutputs) {
  ElementTest test("PaintSwitch", "", {.outputs = 3});
  test.push(0, {painted(1, 255), painted(2, 254)});
  for (int port = 0; port < 3; ++port) EXPECT_EQ(test.output(port), packets({1}));
  EXPECT_EQ(test.drops("no_such_output"), 1);
}

TEST(PaintSwitch, LooksAtAnotherAnnotation) {
  ElementTest test("PaintSwitch", "ANNO 40", {.outputs = 2});
  TestPacket packet = painted(1, 0);
  packet.metadata.annotations()[40] = 1;
  test.push(0, packet);
  EXPECT_EQ(test.output(1), packets({1}));
}

}  // namespace
}  // namespace packetmill::testing
